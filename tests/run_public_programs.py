"""Run a folder of PyTorch programs on PyTorch and on minigrad, and compare what they print.

    python tests/run_public_programs.py FOLDER [NAME ...] [--unchanged] [--float64] [--keep FILE] [--json FILE]

FOLDER holds the programs, one file each, in `helpers/` the modules that they import (stand-ins for data that would be
downloaded), and in `data/` the files that they open. Only import lines are changed, by `rewritten`; with `--unchanged`,
not even these: minigrad runs the program as `python -m minigrad PROGRAM` does. Each program runs in a process of its
own, beside a copy of the data, with one seed for `random`, NumPy and the library, figures drawn nowhere, and a clock
that ticks once a look. Texts must be equal (addresses, versions and the library's name apart), and numbers equal to one
unit of the last digit printed or to 1e-4 of them. A program that ends with an error must end with the same error. For
the sake of those that only draw, a line is added on every tensor, module and list of numbers that a program leaves in a
global variable.

Training lets the last digit of a float32 grow: `--float64` runs the programs once more with that as the default dtype,
and a difference that is gone there was rounding. tests/public_programs.md lists the programs that were tried and what
became of each; they are other people's and are not kept here.
"""

import argparse
import hashlib
import importlib
import json
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
import types
from pathlib import Path

NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|nan|inf)(?![\w])")
UNEQUAL = re.compile(r"0x[0-9a-f]+|\b\d+\.\d+\.\d+(?:\+cpu)?\b")  # addresses, and the versions of the libraries
IMPORT = re.compile(r"^(\s*(?:>>> )?)import (.+?)(\s*#.*)?$")


def rewritten(source: str, library: str = "minigrad") -> str:
    """`source` with its import lines, and nothing else, naming `library` in torch's place.

    >>> print(rewritten("import torch, math\\nimport torch.nn as nn\\nimport torch.optim\\nfrom torch import nn\\n"))
    import minigrad as torch, math
    import minigrad.nn as nn
    import minigrad as torch, minigrad.optim
    from minigrad import nn
    <BLANKLINE>
    """

    def part(name):
        name = name.strip()
        if name == "torch":
            return f"{library} as torch"
        if name.startswith("torch."):
            renamed = library + name[len("torch") :]
            return renamed if " as " in name else f"{library} as torch, {renamed}"
        return library + name[len("torch") :] if name.startswith("torch as ") else name

    def line(text):
        text = re.sub(r"^(\s*from +)torch((?:\.[\w.]+)? import\b)", rf"\g<1>{library}\2", text)
        found = IMPORT.match(text)
        if found is None or "torch" not in text:
            return text
        return found[1] + "import " + ", ".join(part(name) for name in found[2].split(",")) + (found[3] or "")

    return "\n".join(map(line, source.split("\n")))


def run_here(path: Path, helpers: Path, data: Path, library: str, unchanged: bool, float64: bool, out: Path) -> None:
    """In a process of its own: run the program at `path`, and leave what it prints, and its error, in `out`.

    If it is to run unchanged, the function behind `python -m minigrad` runs it.
    """
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(data, out / "folder") if data.exists() else (out / "folder").mkdir(parents=True)
    os.chdir(out / "folder")
    for number, name in ((1, "printed"), (2, "stderr")):
        os.dup2(os.open(out / name, os.O_WRONLY | os.O_CREAT), number)
    sys.stdout = os.fdopen(1, "w", buffering=1)
    sys.stderr = os.fdopen(2, "w", buffering=1)
    import random

    import numpy

    torch = importlib.import_module(library)
    random.seed(0)
    numpy.random.seed(0)
    torch.manual_seed(0)
    if float64:
        torch.set_default_dtype(torch.float64)
    clock = types.ModuleType("time")
    clock.__dict__.update(vars(time))
    ticks = iter(range(10**9))
    clock.time = clock.perf_counter = clock.monotonic = clock.process_time = lambda: float(next(ticks))
    clock.sleep = lambda seconds: None
    sys.modules["time"] = clock
    sys.path.insert(0, str(helpers))
    sys.argv = [str(path)]
    program = sys.modules["__main__"] = types.ModuleType("__main__")
    program.__file__ = str(path)
    try:
        if unchanged:
            sys.argv.insert(0, "-m")  # which is where Python leaves it
            sys.path.insert(0, "")  # and here the program's own folder will stand
            importlib.import_module("minigrad._as_torch.programs").main()
        else:
            exec(compile(path.read_text("utf-8"), path, "exec"), program.__dict__)
        error = ""
    except SystemExit as stop:
        error = f"SystemExit {stop.code}" if stop.code else ""
    except BaseException as raised:
        traceback.print_exc()
        error = f"{type(raised).__name__}: {raised}"
    for name, value in list(vars(program).items()):
        print(summary(torch, name, value), end="")
    sys.stdout.flush()
    (out / "error").write_text(error, "utf-8")
    os._exit(0)


def summary(torch, name: str, value) -> str:
    """A line on a global variable that a program leaves behind: a tensor, a module, or a list of numbers."""
    if isinstance(value, torch.nn.Module):
        parameters = list(value.parameters())
        sizes = sum(parameter.detach().double().abs().sum().item() for parameter in parameters)
        return f"left: {name} {type(value).__name__} {len(parameters)} {sizes:.3g}\n"
    if isinstance(value, torch.Tensor):
        size = value.detach().double().abs().sum().item()
        flags = f"{value.dtype} {value.requires_grad} {value.is_leaf} {value.grad is None}"
        return f"left: {name} {tuple(value.shape)} {flags} {size:.3g}\n"
    if isinstance(value, list) and value and all(isinstance(part, float | torch.Tensor) for part in value):
        return f"left: {name} {len(value)} {float(value[-1]) if getattr(value[-1], 'ndim', 0) == 0 else ''}\n"
    return ""


def run_all(folder: Path, names: list[str], library: str, options) -> dict:
    """{name: (printed, error)} of the programs, at most `options.jobs` at a time, each forked off this process."""
    torch = importlib.import_module(library)
    pyplot = importlib.import_module("matplotlib.pyplot")
    pyplot.pause = pyplot.draw = pyplot.show = lambda *seconds, **options: None
    torch.optim.SGD([torch.zeros(1, requires_grad=True)], 0.1).step()  # PyTorch's first optimizer imports for seconds
    work = Path(options.work) / (library + ("64" if options.float64 else ""))
    unchanged = options.unchanged and library == "minigrad"
    if unchanged:
        importlib.import_module("minigrad._as_torch.programs")
    for path in [*folder.glob("*.py"), *(folder / "helpers").rglob("*.py")]:
        copy = work / "programs" / path.relative_to(folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        source = path.read_text("utf-8")
        copy.write_text(source if unchanged else rewritten(source, library), "utf-8")
    context = multiprocessing.get_context("fork")
    waiting, running, done = list(names), {}, {}
    while waiting or running:
        while waiting and len(running) < options.jobs:
            name = waiting.pop(0)
            program, helpers = work / "programs" / f"{name}.py", work / "programs/helpers"
            place = program, helpers, folder / "data", library, unchanged, options.float64, work / name
            process = context.Process(target=run_here, args=place)
            process.start()
            running[name] = process, time.monotonic()
        time.sleep(0.02)
        for name, (process, start) in list(running.items()):
            late = time.monotonic() - start > options.timeout
            if process.is_alive() and not late:
                continue
            process.kill()
            process.join()
            out = work / name
            error = "Timeout" if late else (out / "error").read_text("utf-8") if (out / "error").exists() else "Crash"
            done[name] = (out / "printed").read_text("utf-8", "replace"), error, time.monotonic() - start
            del running[name]
            print(f"{library:9}{name:45}{time.monotonic() - start:6.1f} s  {error[:80]}", file=sys.stderr, flush=True)
    return done


def near(found: str, expected: str) -> bool:
    """Whether two printed numbers agree to one unit of the last digit printed, or to 1e-4 of their size."""
    if found == expected:
        return True
    a, b = float(found), float(expected)
    if a != a or b != b:
        return a != a and b != b
    digits = [re.fullmatch(r"[-+]?\d+(?:\.(\d*))?(?:[eE]([-+]?\d+))?", text) for text in (found, expected)]
    if all(match is None or (match[1] is None and match[2] is None) for match in digits):
        return a == b
    unit = max((10.0 ** (int(match[2] or 0) - len(match[1] or "")) for match in digits if match), default=0)
    return abs(a - b) <= max(1.01 * unit, 1e-4 * max(abs(a), abs(b)))


def difference(found: str, expected: str) -> str | None:
    """The first line that differs, as "found | expected", or None."""
    found, expected = (UNEQUAL.sub("…", text.replace("minigrad", "torch")) for text in (found, expected))
    lines = found.rstrip().split("\n"), expected.rstrip().split("\n")
    for index in range(max(map(len, lines))):
        a, b = (text[index] if index < len(text) else "<no line>" for text in lines)
        words = [re.sub(r"\s+", "", NUMBER.sub("#", text)) for text in (a, b)]
        numbers = NUMBER.findall(a), NUMBER.findall(b)
        if words[0] != words[1] or len(numbers[0]) != len(numbers[1]) or not all(map(near, *numbers)):
            return f"line {index + 1}: {a.strip()[:150]!r} | {b.strip()[:150]!r}"
    return None


def verdict(ours, theirs) -> tuple[str, str]:
    """One of "same", "differs", "raises", "PyTorch raises", and the first thing that differs."""
    (printed, error, _), (expected, expected_error, _) = ours, theirs
    if expected_error in ("Timeout", "Crash"):
        return "PyTorch stops", expected_error
    if error != expected_error and difference(error, expected_error):
        if error and not expected_error:
            return "raises", error[:300]
        return "differs", f"error {error[:150]!r} | {expected_error[:150]!r}"
    first = difference(printed, expected)
    return ("differs", first) if first else ("same", "with the same error" if error else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--unchanged", action="store_true", help="run `python -m minigrad PROGRAM`")
    parser.add_argument("--float64", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--keep", type=Path, help="a file that keeps what PyTorch printed, from one run to the next")
    parser.add_argument("--json", type=Path, help="where to write what became of each program")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    parser.add_argument("--library", help=argparse.SUPPRESS)
    options = parser.parse_args()
    folder = options.folder.resolve()
    names = options.names or sorted(path.stem for path in folder.glob("*.py"))
    if options.library:
        json.dump(run_all(folder, names, options.library, options), sys.stdout)
        return
    with tempfile.TemporaryDirectory(prefix="programs.", ignore_cleanup_errors=True) as options.work:
        compare(folder, names, options)


def compare(folder, names, options):
    """Run the programs on both libraries, and print what became of each."""
    helpers = "".join(path.read_text("utf-8") for path in sorted((folder / "helpers").rglob("*.py")))
    keys = {
        name: hashlib.sha256(
            f"{helpers}{(folder / name).with_suffix('.py').read_text('utf-8')}{options.float64}".encode()
        )
        for name in names
    }
    kept = json.loads(options.keep.read_text("utf-8")) if options.keep and options.keep.exists() else {}
    results = {}
    for library in ("torch", "minigrad"):
        wanted = [name for name in names if library == "minigrad" or keys[name].hexdigest() not in kept]
        threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        environment = {**os.environ, **threads, "MPLBACKEND": "Agg", "PYTHONHASHSEED": "0", "COLUMNS": "80"}
        command = [sys.executable, __file__, str(folder), *wanted, "--library", library, "--work", options.work]
        command += ["--jobs", str(options.jobs), "--timeout", str(options.timeout)] + ["--float64"] * options.float64
        command += ["--unchanged"] * options.unchanged
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True).stdout if wanted else "{}"
        results[library] = json.loads(done)
        if library == "torch":
            kept |= {keys[name].hexdigest(): value for name, value in results["torch"].items()}
            results["torch"] = {name: kept[keys[name].hexdigest()] for name in names}
            if options.keep:
                options.keep.write_text(json.dumps(kept), "utf-8")

    verdicts = {name: verdict(results["minigrad"][name], results["torch"][name]) for name in names}
    for name, (word, detail) in verdicts.items():
        print(f"{word:15}{name}" + (f"\n{'':15}{detail}" if detail else ""))
    print({word: sum(v[0] == word for v in verdicts.values()) for word in sorted({v[0] for v in verdicts.values()})})
    if options.json:
        options.json.write_text(json.dumps(verdicts, indent=1), "utf-8")


if __name__ == "__main__":
    main()
