"""Define, then run: a second small engine, which behaves like TensorFlow 1's graph mode.

    import minigrad.static as tf

Operators build a graph and compute nothing; a Session compiles the part that is needed and runs it. The formulas
come from the dynamic engine's rule table (core/rules.py); this package imports neither Tensor nor autograd.
Graphs and their compilation are in ../_compiler; this package adds TensorFlow's parts: names, gradients, variables,
sessions, loops. Read next: graph.py.
"""
# ruff: noqa: F401, F403  # these imports make the public names

from .._compiler.types import (
    DType,
    as_dtype,
    bool,
    double,
    float16,
    float32,
    float64,
    half,
    int8,
    int16,
    int32,
    int64,
    uint8,
)
from .._messages.names import missing as _missing
from . import contrib, control_gradients, errors, layers, losses, nn, train
from .arrays import (
    broadcast_to,
    concat,
    expand_dims,
    fill,
    gather,
    identity,
    linspace,
    one_hot,
    ones,
    ones_like,
    placeholder,
    rank,
    reshape,
    reverse,
    shape,
    size,
    split,
    squeeze,
    stack,
    stop_gradient,
    tile,
    transpose,
    unstack,
    where,
    zeros,
    zeros_like,
)
from .arrays import range_ as range
from .arrays import slice_ as slice
from .control_flow import cond, map_fn, scan, while_loop
from .convert import constant
from .convert import convert as convert_to_tensor
from .defaults import get_default_session
from .gradients import gradients
from .graph import (
    Graph,
    Operation,
    add_to_collection,
    control_dependencies,
    device,
    get_collection,
    get_default_graph,
    name_scope,
    reset_default_graph,
)
from .initializers import (
    constant_initializer,
    glorot_normal_initializer,
    glorot_uniform_initializer,
    ones_initializer,
    random_normal,
    random_normal_initializer,
    random_uniform,
    random_uniform_initializer,
    set_random_seed,
    truncated_normal,
    truncated_normal_initializer,
    zeros_initializer,
)
from .math import *
from .session import ConfigProto, InteractiveSession, Session
from .tensor import Tensor
from .types import Dimension, TensorShape
from .variables import (
    AUTO_REUSE,
    GraphKeys,
    Variable,
    assign,
    assign_add,
    assign_sub,
    get_variable,
    get_variable_scope,
    global_variables,
    global_variables_initializer,
    group,
    local_variables,
    local_variables_initializer,
    no_op,
    trainable_variables,
    variable_scope,
    variables_initializer,
)

newaxis = None

__getattr__ = _missing(__name__, place="tf")
