"""The worlds that show what would fail on Windows and macOS, as far as Linux can tell.

Read next: __main__.py, which runs the tests in them.
"""

import os

from .world import Start, world

WITHOUT = """
import builtins, os, re, signal, sys, time, types

for name in ("fork", "forkpty", "killpg", "setsid", "register_at_fork"):
    delattr(os, name)
for name in ("SIGALRM", "alarm", "setitimer", "getitimer", "ITIMER_REAL", "pause", "SIGUSR1", "SIGUSR2"):
    delattr(signal, name)
usual = builtins.__import__
# Python's own library needs these names here, so only our packages find a module without them
MISSING = {
    "os": "(l|f)?chown|chroot|[gs]et(res|re|e)?[ug]id|getgroups|getloadavg|getp?pgr?p|getsid|mkfifo|mknod|nice|openpty|"
    "p(read|write)v?|pipe2|posix_.*|sched_.*|(f?stat|f?path)vfs|sync|sysconf|tc[gs]etpgrp|uname|wait|wait(3|4|id)|"
    "fchdir|fchmod|fdatasync|sendfile|O_(ASYNC|CLOEXEC|DIRECT|DIRECTORY|NOCTTY|NOFOLLOW|NONBLOCK|PATH|SYNC|TMPFILE)|"
    "RTLD_.*|WNOHANG|E?X_.*|[gs]etxattr|memfd_create|copy_file_range|getrandom|ttyname",
    "signal": "SIG(?!ABRT|FPE|ILL|INT|SEGV|TERM|_DFL|_IGN).*|ITIMER_.*|alarm|[gs]etitimer|pause|pthread_.*|sig[a-z]+",
    "time": "clock_.*|CLOCK_.*|pthread_getcpuclockid|tzset",
}
KEPT = {"signal"}  # it matches sig[a-z]+


class Without(types.ModuleType):
    def __init__(self, module):
        super().__init__(module.__name__)
        self.__dict__["module"] = module

    def __getattr__(self, name):
        if re.fullmatch(MISSING[self.__name__], name) and name not in KEPT:
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}' on Windows")
        return getattr(self.module, name)

    def __setattr__(self, name, value):
        setattr(self.module, name, value)

    def __dir__(self):
        return [name for name in dir(self.module) if hasattr(self, name)]


stand_ins = {module.__name__: Without(module) for module in (os, signal, time)}
OURS = tuple(os.path.join(ROOT, *each) for each in (["minigrad", ""], ["viz", ""], ["course.py"]))


def import_as_on_windows(name, globals=None, locals=None, fromlist=(), level=0):
    file = (globals or {}).get("__file__") or ""
    if name in {"fcntl", "resource", "termios", "pwd", "grp"} and file.startswith(ROOT):
        raise ModuleNotFoundError(f"Windows has no module {name}", name=name)
    module = usual(name, globals, locals, fromlist, level)
    return stand_ins.get(name, module) if level == 0 and file.startswith(OURS) else module


builtins.__import__ = import_as_on_windows
"""

METHOD = """
import sys

if "pytest" in sys.orig_argv:
    import multiprocessing

    multiprocessing.set_start_method(METHOD)
"""


@world
def names_of_windows(start: Start) -> None:
    """`os.fork`, `signal.SIGALRM`, `signal.setitimer`, `resource`, `fcntl` … do not exist."""
    at_each_start(start, f"ROOT = {str(start.root)!r}\n{WITHOUT}")


@world
def spawn(start: Start) -> None:
    """`multiprocessing` starts workers as Windows and macOS do: by `spawn`."""
    at_each_start(start, METHOD.replace("METHOD", "'spawn'"))


@world
def forkserver(start: Start) -> None:
    """`multiprocessing` starts workers as Python 3.14 does: by `forkserver`."""
    at_each_start(start, METHOD.replace("METHOD", "'forkserver'"))


def at_each_start(start: Start, code: str) -> None:
    """Let every Python that a test starts run this first."""
    start.write("first/sitecustomize.py", code)
    start.environ["PYTHONPATH"] = os.pathsep.join([str(start.folder / "first"), str(start.root)])


@world
def crlf(start: Start) -> None:
    """Every line of every file ends in CR LF, as git on Windows checks them out."""
    for file in start.copy().rglob("*"):
        if file.is_file() and b"\0" not in (text := file.read_bytes()):
            file.write_bytes(text.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
