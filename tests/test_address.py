"""The project's address stands in one place, and `course.py address` changes all its repetitions."""

import importlib.util
import re
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SPEC = importlib.util.spec_from_file_location("address", ROOT / ".ci" / "address.py")
command = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(command)

# Every address that names a repository or a site of ours in any text of the project, in whatever place
SERVICES = re.compile(
    r"(?:colab\.research\.google\.com/github/|mybinder\.org/v2/gh/)([\w.-]+/[\w.-]+)"
    r"|github\.com(?:/|%2F)([\w.-]+(?:/|%2F)minigrad)\b|([\w.-]+\.github\.io)/"
)


@pytest.fixture
def copy(tmp_path):
    """The files that repeat the address."""
    for file in command.files():
        target = tmp_path / file.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
    return tmp_path


def texts(root):
    return {file.relative_to(root): file.read_bytes() for file in command.files(root)}


def test_all_repetitions_agree_with_pyproject():
    repository, site = command.address()
    for file in command.files():
        for found in SERVICES.finditer(file.read_text("utf-8")):
            link, source, host = found.groups()
            if host:
                assert host == site.split("/")[2], f"{file.name}: {found[0]}"
            else:
                assert (link or source).replace("%2F", "/").removesuffix(".git") == repository, f"{file}: {found[0]}"


@pytest.mark.parametrize("new", ["ada/learn-autograd", "minigrad/minigrad", "ada/ada.github.io"])
def test_a_new_address_arrives_everywhere_and_can_be_taken_back(copy, new):
    before, old = texts(copy), command.address(copy)
    changed = [*command.change(old, (new, command.pages(new)), copy)]
    assert command.address(copy) == (new, command.pages(new))
    for file in changed:
        text = file.read_text("utf-8")
        assert old[0] not in text and old[0].replace("/", "%2F") not in text and old[1] not in text, file
    [*command.change((new, command.pages(new)), old, copy)]
    assert texts(copy) == before


def test_no_other_file_names_the_address(copy):
    """A file outside the command's list would keep the old address."""
    owner = command.address()[0].partition("/")[0]
    ours = re.compile(rf"github\.com(/|%2F){owner}(/|%2F)|{re.escape(command.address()[1])}")
    listed = {*command.files()}
    for file in sorted(ROOT.rglob("*")):
        parts = file.relative_to(ROOT).parts
        if file.suffix in (".py", ".md", ".txt", ".yml", ".toml", ".ipynb", ".html", ".js") and file not in listed:
            others = {"build", "dist", "node_modules", *(each for each in parts[:-1] if each.startswith("."))}
            if not (others - {".ci", ".github"}) & {*parts}:  # JupyterLab's copies of open notebooks, too
                assert not ours.search(file.read_text("utf-8", errors="replace")), f"{file} is not in .ci/address.py"


def test_it_refuses_what_is_no_repository(capsys):
    assert command.main(["no repository"]) == 2
    assert "OWNER/REPO" in capsys.readouterr().err
