"""The moving picture of the steps: at each moment it shows one step, whole; without motion the last; and it is safe."""

import re
import xml.etree.ElementTree as ET

import pytest

import minigrad as torch
import viz
from viz.drawing.letters import text_width
from viz.stepper.animation import OWN_ID, SIZE, TITLE, wrapped

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def steps():
    w, x = (torch.tensor([number], requires_grad=True) for number in (2.0, 5.0))
    return viz.step((w + x) * (w + 1), names={"w": w, "x": x})


def parts(svg):
    """Each part of a moving picture, without its class, and the steps that show it (None: all)."""
    for part in ET.fromstring(svg).findall(f"{SVG}g"):
        window = part.attrib.pop("class", None)
        first, end = map(int, window[1:].split("-")) if window else (0, None)
        yield first, end, ET.tostring(part[0], encoding="unicode")


def test_each_moment_shows_the_picture_of_its_step(steps):
    moving = list(parts(steps.animation()))
    for step, event in enumerate(steps.events):
        shown = {text for first, end, text in moving if first <= step and (end is None or step < end)}
        for part in steps._stage.still(step):
            plain = TITLE.sub("", OWN_ID.sub("", part, count=1))
            wanted = ET.fromstring(f'<svg xmlns="{SVG[1:-1]}">{plain}</svg>')[0]
            assert ET.tostring(wanted, encoding="unicode") in shown, (step, plain)
        told = " ".join("".join(ET.fromstring(text).itertext()) for text in sorted(shown))
        assert all(word in told for word in event["words"].split())


def test_each_part_lasts_as_long_as_its_steps(steps):
    svg, count = steps.animation(seconds=2), len(steps.events)
    total = 2 * (count - 1 + 3)
    for first, end, _ in parts(svg):
        if end is None:
            continue
        duration, begin = re.search(rf" \.s{first}-{end}\{{animation:\S+ (\S+)s (\S+)s step-end infinite", svg).groups()
        assert float(duration) == total and float(begin) == 2 * first - total  # it began a round ago: no waiting
        stays = re.search(rf"@keyframes \S+-s{first}-{end}\{{0%\{{visibility:visible\}}([\d.]+)%", svg).group(1)
        lasts = total - 2 * first if end == count else 2 * (end - first)
        assert float(stays) == pytest.approx(100 * lasts / total, abs=0.001)


def test_where_nothing_moves_the_last_step_is_seen(steps):
    rules = ET.fromstring(steps.animation()).find(f"{SVG}style").text
    still, moving = rules.split("@media (prefers-reduced-motion:no-preference)")
    assert "animation" not in still and "animation" in moving
    last = {f"s{first}-{end}" for first, end, _ in parts(steps.animation()) if end == len(steps.events)}
    assert last == set(re.findall(r" \.(s\d+-\d+)\{visibility:visible\}", still))


def test_it_says_in_words_what_it_shows(steps):
    svg = ET.fromstring(steps.animation())
    assert svg.get("role") == "img"
    assert all(event["words"] in svg.find(f"{SVG}desc").text for event in steps.events)


def test_ids_stay_out_and_names_are_escaped():
    w = torch.tensor([2.0], requires_grad=True)
    svg = viz.step(w * 3, names={"<script>": w}, lang="zh").animation()
    assert "<script" not in svg and "&lt;script&gt;" in svg and " id=" not in svg
    assert "第 0 步" in svg


def test_the_name_of_the_file_says_what_is_saved(steps, tmp_path):
    steps.save(tmp_path / "steps.svg", seconds=1)
    assert (tmp_path / "steps.svg").read_text(encoding="utf-8") == steps.animation(1)
    steps.save(tmp_path / "steps.html")
    assert "<html" in (tmp_path / "steps.html").read_text(encoding="utf-8")
    for name in ("steps.gif", "steps"):
        with pytest.raises(ValueError, match=f"^steps are saved as .html, to press through, .* not as {name}$"):
            steps.save(tmp_path / name)
        assert not (tmp_path / name).exists()


def test_words_are_broken_where_the_picture_ends():
    assert wrapped("one two three", 1) == ["one", "two", "three"]
    assert wrapped("one two three", 1e9) == ["one two three"]
    assert wrapped("these are some five words", text_width("these are some five", SIZE)) == [
        "these are some",
        "five words",
    ]
