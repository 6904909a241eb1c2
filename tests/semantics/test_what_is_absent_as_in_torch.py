"""What a program asks of accelerators, of switches and of the build: PyTorch's answers on a machine without a GPU."""

import pytest
from saying import says, warns

ANSWERS = [
    ("accelerator.is_available()", False),
    ("accelerator.current_accelerator()", None),
    ("accelerator.device_count()", 0),
    ("cuda.is_available()", False),
    ("cuda.is_initialized()", False),
    ("cuda.is_bf16_supported()", False),
    ("cuda.device_count()", 0),
    ("cuda.manual_seed(1)", None),
    ("cuda.manual_seed_all(1)", None),
    ("cuda.seed_all()", None),
    ("cuda.empty_cache()", None),
    ("cuda.memory_allocated()", 0),
    ("cuda.max_memory_allocated()", 0),
    ("cuda.get_rng_state_all()", []),
    ("mps.is_available()", False),
    ("mps.device_count()", 0),
    ("mps.manual_seed(1)", None),
    ("xpu.is_available()", False),
    ("xpu.manual_seed_all(1)", None),
    ("backends.mps.is_available()", False),
    ("backends.mps.is_built()", False),
    ("backends.cudnn.enabled", True),
    ("backends.cudnn.benchmark", False),
    ("backends.cudnn.deterministic", False),
    ("backends.cudnn.is_available()", False),
    ("backends.cudnn.version()", None),
    ("backends.cuda.is_built()", False),
    ("backends.cuda.matmul.allow_tf32", False),
    ("backends.mkldnn.enabled", True),
    ("version.cuda", None),
    ("version.hip", None),
    ("are_deterministic_algorithms_enabled()", False),
    ("get_float32_matmul_precision()", "highest"),
]


@pytest.mark.parametrize("question, answer", ANSWERS, ids=[question for question, _ in ANSWERS])
def test_answers(torch, question, answer):
    if torch.cuda.is_available():
        pytest.skip("these are the answers without a GPU")
    assert eval(f"torch.{question}", {"torch": torch}) == answer


NO_CUDA = "Torch not compiled with CUDA enabled"
NO_ACCELERATOR = "Cannot access accelerator device when none is available."
REFUSALS = [
    ("accelerator.synchronize()", RuntimeError, NO_ACCELERATOR),
    ("accelerator.current_device_index()", RuntimeError, NO_ACCELERATOR),
    ("accelerator.set_device_index(0)", RuntimeError, NO_ACCELERATOR),
    ("accelerator.empty_cache()", RuntimeError, NO_ACCELERATOR),
    ("accelerator.memory_allocated()", RuntimeError, NO_ACCELERATOR),
    ("cuda.current_device()", AssertionError, NO_CUDA),
    ("cuda.get_device_name()", AssertionError, NO_CUDA),
    ("cuda.get_device_name(0)", AssertionError, NO_CUDA),
    ("cuda.synchronize()", AssertionError, NO_CUDA),
    ("mps.empty_cache()", RuntimeError, "Cannot execute emptyCache() without MPS backend."),
    ("mps.synchronize()", RuntimeError, "Cannot execute deviceSynchronize() without MPS backend."),
    ("xpu.synchronize()", AssertionError, "Torch not compiled with XPU enabled"),
    ("zeros(1, device='cuda')", AssertionError, NO_CUDA),
    ("ones(1).to('xpu')", AssertionError, "Torch not compiled with XPU enabled"),
    ("ones(1).to('mps')", RuntimeError, "PyTorch is not linked with support for mps devices"),
    ("set_num_threads(0)", RuntimeError, "set_num_threads expects a positive integer"),
    ("set_num_threads(1.5)", RuntimeError, "set_num_threads expects an int, but got float"),
    (
        "use_deterministic_algorithms(1)",
        TypeError,
        "_set_deterministic_algorithms(): argument 'mode' (position 1) must be bool, not int",
    ),
]


@pytest.mark.parametrize("asked, kind, text", REFUSALS, ids=[asked for asked, _, _ in REFUSALS])
def test_refusals(torch, asked, kind, text):
    if torch.cuda.is_available():
        pytest.skip("these are the answers without a GPU")
    with says(kind, text):
        eval(f"torch.{asked}", {"torch": torch})


@pytest.mark.filterwarnings("ignore:TF32 acceleration")
def test_switches_keep_what_they_are_set_to(torch):
    cudnn = torch.backends.cudnn
    cudnn.deterministic, cudnn.benchmark = True, True
    assert cudnn.deterministic and cudnn.benchmark
    with cudnn.flags(enabled=False, benchmark=False):
        assert not (cudnn.enabled or cudnn.benchmark)
    assert cudnn.enabled and cudnn.benchmark
    cudnn.deterministic = cudnn.benchmark = False
    with torch.backends.mkldnn.flags(enabled=False):
        assert not torch.backends.mkldnn.enabled
    assert torch.backends.mkldnn.enabled
    torch.use_deterministic_algorithms(True, warn_only=True)
    assert torch.are_deterministic_algorithms_enabled() and torch.is_deterministic_algorithms_warn_only_enabled()
    torch.use_deterministic_algorithms(False)
    assert not torch.is_deterministic_algorithms_warn_only_enabled()
    torch.set_float32_matmul_precision("high")
    assert torch.get_float32_matmul_precision() == "high"
    torch.set_float32_matmul_precision("highest")
    threads = torch.get_num_threads()
    torch.set_num_threads(threads + 1)
    assert torch.get_num_threads() == threads + 1
    torch.set_num_threads(threads)


def test_the_default_device(torch):
    assert torch.get_default_device() == torch.device("cpu")
    torch.set_default_device("cpu")
    assert torch.zeros(1).device.type == "cpu"
    with torch.device("cpu") as device:
        assert device.type == "cpu" and torch.ones(1).device == torch.device("cpu")
    if not torch.cuda.is_available():
        with torch.device("cuda"), says(AssertionError, NO_CUDA):
            torch.zeros(1)
        with says(AssertionError, NO_CUDA), torch.device("cuda"):
            torch.rand(1)
    assert torch.zeros(1).device.type == "cpu"
    torch.set_default_device(None)
    assert torch.get_default_device() == torch.device("cpu")


def test_devices_that_exist_elsewhere_have_names(torch):
    assert str(torch.device("mps")) == "mps" and repr(torch.device("xpu", 1)) == "device(type='xpu', index=1)"
    with pytest.raises(RuntimeError, match="^Expected one of cpu, cuda, .* at start of device string: gpu$"):
        torch.device("gpu")


def test_the_old_way_to_say_what_floats_are(torch):
    deprecated = "torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, please use "
    deprecated += "torch.set_default_dtype() and torch.set_default_device() as alternatives."
    before = torch.is_warn_always_enabled()
    torch.set_warn_always(True)  # or the warning comes once
    with warns(*[deprecated] * 4):
        for kind in (torch.DoubleTensor, "torch.DoubleTensor"):
            torch.set_default_tensor_type(kind)
            assert torch.ones(1).dtype is torch.float64
            torch.set_default_tensor_type(torch.FloatTensor)
    torch.set_warn_always(before)
    assert torch.get_default_dtype() is torch.float32


@pytest.mark.parametrize("name", ["utils.data", "utils.checkpoint", "backends.cudnn", "optim.lr_scheduler", "random"])
def test_modules_that_nobody_has_imported(torch, name):
    thing = torch
    for part in name.split("."):
        thing = getattr(thing, part)
    assert thing.__name__ == f"{torch.__name__}.{name}"
