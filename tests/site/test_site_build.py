"""The build of the site as a whole: which folders it clears, and what a server finds there."""

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

BUILD = Path(__file__).parents[2] / "site" / "build.py"
pytestmark = pytest.mark.site


def load(path):
    spec = importlib.util.spec_from_file_location(f"of_the_site_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def build(*arguments):
    return subprocess.run([sys.executable, BUILD, *arguments], capture_output=True, encoding="utf-8", check=False)


def test_it_clears_no_folder_that_it_has_not_built(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work", encoding="utf-8")
    done = build("--out", tmp_path, "--part", "docs")
    assert done.returncode == 1 and "is not empty" in done.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.tex"]


def test_our_own_address_is_that_of_the_project_or_none(monkeypatch, tmp_path):
    module = load(BUILD)
    assert "OWNER" not in module.address()
    monkeypatch.setattr(module, "ROOT", tmp_path)
    for home, expected in (("https://a.org/b", "https://a.org/b/"), ("https://OWNER.org/", ""), ("", "")):
        (tmp_path / "pyproject.toml").write_text(f'[project]\n[project.urls]\nHomepage = "{home}"\n', encoding="utf-8")
        assert module.address() == expected


def test_while_the_address_is_a_placeholder_no_page_links_to_it_and_the_build_says_so(site):
    placeholder = load(BUILD.parent / "placeholder.py")
    if placeholder.is_set():
        pytest.skip("the project has an address")
    for page in [*site.glob("*.html"), *(site / "gallery").glob("*.html"), *(site / "docs").rglob("*.html")]:
        assert not re.findall(r'(?:href|src|content)="[^"]*/OWNER/[^"]*"', page.read_text("utf-8")), page.name
    for lesson in (site / "lab" / "files").glob("*.ipynb"):
        for cell in json.loads(lesson.read_text("utf-8"))["cells"]:
            assert cell["cell_type"] == "code" or "/OWNER/" not in cell["source"], lesson.name
    if (printed := site.parent / "left_out.txt").exists():
        assert "the project's address is not set" in printed.read_text("utf-8")


@pytest.mark.parametrize("owner", ["OWNER", "ada"])
def test_the_one_setting_of_the_address(monkeypatch, tmp_path, owner):
    placeholder = load(BUILD.parent / "placeholder.py")
    monkeypatch.setattr(placeholder, "ROOT", tmp_path)
    text = f'[project.urls]\nHomepage = "https://{owner}.github.io/minigrad/"\nSource = "https://github.com/ada/minigrad"\n'
    (tmp_path / "pyproject.toml").write_text(f"[project]\n{text}", encoding="utf-8")
    assert placeholder.is_set() == (owner == "ada") and bool(placeholder.unset()) == (owner == "OWNER")


def test_links_to_a_placeholder_become_words():
    placeholder = load(BUILD.parent / "placeholder.py")
    unlinked, owner = placeholder.unlinked, placeholder.OWNER
    elsewhere = f"[Colab](https://colab.research.google.com/github/{owner}/a.ipynb) · [Binder](https://mybinder.org/v2/gh/{owner}/a)"
    assert unlinked(f"# T\n\n[Run it](x) · {elsewhere}") == "# T\n\n[Run it](x)"
    assert unlinked(f"# T\n\n{elsewhere}").rstrip() == "# T"
    assert unlinked(f"[this\nlist](https://github.com/{owner}/m#a), [x](y)") == "this\nlist, [x](y)"
    kept = elsewhere.replace(owner, "ada")
    assert unlinked(kept) == kept


def test_without_an_address_a_page_names_no_preview_picture():
    code = "from gallery.pages import head; print([head('t', 'told', a, 'p', 'x.png').count('og:image') for a in ('', 'https://a.b/')])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=BUILD.parent, capture_output=True, encoding="utf-8", check=False
    )
    assert done.stdout.strip() == "[0, 4]", done.stderr


def test_every_link_of_the_built_pages_leads_to_a_page(site, tmp_path):
    dangling = load(BUILD).dangling
    assert dangling(site) == []
    (tmp_path / "a.html").write_text(
        '<a class="x" href="b/?q=1#c">b</a> <a href="https://x.org">x</a>', encoding="utf-8"
    )
    assert dangling(tmp_path) == ["a.html: b/"]
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "index.html").touch()
    assert dangling(tmp_path) == []


def test_the_built_site_has_a_first_page(site):
    assert (site / "index.html").is_file()


def test_nothing_outside_the_prefix_is_served(served, browser):
    page = browser.new_page()
    assert page.goto(served).status == 200
    assert page.goto(served.replace("/some/prefix/", "/")).status == 404
    page.close()
