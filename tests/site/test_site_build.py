"""The build of the site as a whole: which folders it clears, and what a server finds there."""

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


def test_the_built_site_has_a_first_page(site):
    assert (site / "index.html").is_file()


def test_nothing_outside_the_prefix_is_served(served, browser):
    page = browser.new_page()
    assert page.goto(served).status == 200
    assert page.goto(served.replace("/some/prefix/", "/")).status == 404
    page.close()
