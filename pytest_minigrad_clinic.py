"""The plugin that gives pytest the flag `--clinic`: `viz.clinic` explains the errors of the tests that fail.

pytest imports this file at each start, so it imports nothing; with the flag, viz/errors/plugin.py does the rest.
"""


def pytest_addoption(parser):
    group = parser.getgroup("clinic", "explanations of errors of autograd, shapes and types, in PyTorch and minigrad")
    group.addoption("--clinic", action="store_true", help="explain these errors below the traceback")
    group.addoption(
        "--clinic-lines",
        action="store_true",
        help="with PyTorch, also note the line of each operator (slower); switches --clinic on",
    )


def pytest_configure(config):
    lines = config.getoption("--clinic-lines")
    if config.getoption("--clinic") or lines:
        from viz.errors.plugin import Plugin

        config.pluginmanager.register(Plugin(lines), "minigrad-clinic")
