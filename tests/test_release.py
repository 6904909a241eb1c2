"""What is published: one version, absolute links, a checklist that names commands which are there.

`.ci/release.py` builds and tries the files; CI runs it (the step "release, a dry run").
"""

from __future__ import annotations

import importlib.util
import re
import subprocess
import tomllib
import zipfile
from pathlib import Path

import pytest

import minigrad

ROOT = Path(__file__).parent.parent
SPEC = importlib.util.spec_from_file_location("release", ROOT / ".ci" / "release.py")
release = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(release)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_all_places_name_the_same_version():
    assert not [*release.agree()]
    assert minigrad.__version__ == minigrad.version.__version__ == release.version()


@pytest.mark.parametrize(
    "file, old, new",
    [
        ("CITATION.cff", "version: 1", "version: 9"),
        ("CHANGELOG.md", "## [1", "## [9"),
        ("pyproject.toml", 'version = "1', 'version = "9'),
    ],
)
def test_another_version_in_one_place_is_named(tmp_path, monkeypatch, file, old, new):
    for name in ("CITATION.cff", "CHANGELOG.md", "pyproject.toml", "minigrad/version.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text((ROOT / name).read_text("utf-8"), encoding="utf-8")
    text = (tmp_path / file).read_text("utf-8")
    (tmp_path / file).write_text(text.replace(f"\n{old}", f"\n{new}"), encoding="utf-8")
    monkeypatch.setattr(release, "ROOT", tmp_path)
    assert any(told.startswith(file) for told in release.agree())


def test_what_must_not_be_published_is_refused(tmp_path, monkeypatch):
    def git(*arguments):
        name = ["-c", "user.name=A", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *name, *arguments], cwd=tmp_path, check=True, capture_output=True)

    for name in ("pyproject.toml", "minigrad/version.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        text = (ROOT / name).read_text("utf-8").replace("/OWNER/", "/somebody/")
        (tmp_path / name).write_text(text, encoding="utf-8")
    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "--message", "all")
    monkeypatch.setattr(release, "ROOT", tmp_path)
    assert [*release.unready()] == []
    git("tag", f"v{release.version()}")
    assert [*release.unready()] == []
    (tmp_path / "minigrad" / "中 文.txt").write_text("x", encoding="utf-8")
    (told,) = release.unready()
    assert told.startswith("Not committed: ") and "中 文.txt" in told
    text = (tmp_path / "pyproject.toml").read_text("utf-8").replace("/somebody/", "/OWNER/")
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    git("add", ".")
    git("commit", "--quiet", "--message", "more")
    address, tag = release.unready()
    assert "course.py address" in address and "marks another commit" in tag


def test_on_the_index_the_package_is_installed_by_its_name():
    assert "type `pip install minigrad-course`" in published() and "in this folder: it" not in published()
    assert '`pip install "minigrad-course[viz]"`' in published()


def test_a_file_that_git_does_not_know_is_not_packed(tmp_path, monkeypatch):
    for name in ("minigrad/known.py", "minigrad/private.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x", encoding="utf-8")
    copied = []

    def build(command, **options):
        copied.extend(path.name for path in command[-1].rglob("*.*"))

    monkeypatch.setattr(release, "ROOT", tmp_path)
    monkeypatch.setattr(release, "git", lambda *arguments: "minigrad/known.py\0minigrad/deleted.py\0")
    monkeypatch.setattr(release.subprocess, "run", build)
    release.build(tmp_path / "out")
    assert copied == ["known.py"]


def published() -> str:
    """README.md as the metadata has it."""
    text = (ROOT / "README.md").read_text("utf-8")
    for each in PROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]["substitutions"]:
        text = re.sub(each["pattern"], each["replacement"], text)
    return text


def test_links_on_the_index_are_absolute_and_lead_to_files_that_are_there():
    links = re.findall(r'\]\(([^)\s]*)|(?:src|href)="([^"]*)"', published())
    assert len(links) > 30
    source = PROJECT["project"]["urls"]["Source"]
    raw = source.replace("github.com", "raw.githubusercontent.com")
    for link in map("".join, links):
        assert link.startswith("https://"), link
        for start in (f"{source}/blob/main/", f"{raw}/main/"):
            if link.startswith(start):
                assert (ROOT / link.removeprefix(start).partition("#")[0]).exists(), link


def test_a_wheel_that_lacks_something_is_refused(tmp_path):
    import tarfile

    wheel, sdist = tmp_path / "a.whl", tmp_path / "a.tar.gz"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("minigrad/__init__.py", "")
        archive.writestr("tests/x.py", "")
        archive.writestr("minigrad_course-1.dist-info/METADATA", "Name: x\n\n[a](README.md)\n")
    tarfile.open(sdist, "w:gz").close()
    told = "\n".join(release.contents(wheel, sdist))
    assert "holds" in told and "lacks minigrad/py.typed" in told and "'README.md' in its description" in told
    assert "a.tar.gz lacks LICENSE" in told


def test_the_checklist_names_what_is_there():
    text = (ROOT / "RELEASING.md").read_text("utf-8")
    for path in re.findall(r"`((?:\.ci/|minigrad/|\.github/)?[\w./]+\.(?:py|md|toml|cff))`", text):
        assert (ROOT / path).exists(), path
    assert (ROOT / ".github" / "workflows" / "release.yml").is_file() and "release.py" in text
    assert ".ci/release.py" in (ROOT / ".ci" / "run").read_text("utf-8")


def test_what_is_stable_is_there():
    text = (ROOT / "STABLE.md").read_text("utf-8")
    course = (ROOT / "course.py").read_text("utf-8")
    for command in ("lab", "test", "hand-in", "grade"):
        assert f'"{command}"' in course and f"`{command}`" in text.replace("course.py lab", "lab")
    for variable in re.findall(r"MINIGRAD_\w+", text):
        found = [*ROOT.glob("viz/**/*.py"), ROOT / "course.py"]
        assert any(variable in file.read_text("utf-8") for file in found), variable


@pytest.mark.parametrize(
    "file", sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")), ids=lambda file: file.stem
)
def test_issue_templates_can_be_read(file):
    yaml = pytest.importorskip("yaml")
    form = yaml.safe_load(file.read_text("utf-8"))
    if file.stem == "config":
        return
    assert {"name", "description", "body"} <= form.keys()
    for part in form["body"]:
        assert (
            part["type"] in ("textarea", "input", "dropdown", "markdown", "checkboxes") and part["attributes"]["label"]
        )
