"""The build of the site as a whole: which folders it clears, and what a server finds there."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

BUILD = Path(__file__).parents[2] / "site" / "build.py"
pytestmark = pytest.mark.site


def build(*arguments):
    return subprocess.run([sys.executable, BUILD, *arguments], capture_output=True, encoding="utf-8", check=False)


def test_it_clears_no_folder_that_it_has_not_built(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work", encoding="utf-8")
    done = build("--out", tmp_path, "--part", "docs")
    assert done.returncode == 1 and "is not empty" in done.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.tex"]


def test_our_own_address_is_that_of_the_project_or_none(monkeypatch, tmp_path):
    spec = importlib.util.spec_from_file_location("site_build", BUILD)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert "OWNER" not in module.address()
    monkeypatch.setattr(module, "ROOT", tmp_path)
    for home, expected in (("https://a.org/b", "https://a.org/b/"), ("https://OWNER.org/", ""), ("", "")):
        (tmp_path / "pyproject.toml").write_text(f'[project]\n[project.urls]\nHomepage = "{home}"\n', encoding="utf-8")
        assert module.address() == expected


def test_the_built_site_has_a_first_page(site):
    assert (site / "index.html").is_file()


def test_nothing_outside_the_prefix_is_served(served, browser):
    page = browser.new_page()
    assert page.goto(served).status == 200
    assert page.goto(served.replace("/some/prefix/", "/")).status == 404
    page.close()
