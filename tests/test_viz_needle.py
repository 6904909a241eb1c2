"""The needle on a curve: the slopes it calls fitting, a picture that stays where it is; a question with choices."""

import xml.etree.ElementTree as ET

import pytest

import viz


def relu(h):
    return max(h, 0.0)


@pytest.mark.parametrize(
    ("at", "fitting"), [(-1.0, {0.0}), (-0.25, {0.0}), (0.0, {0.0, 0.25, 0.5, 0.75, 1.0}), (0.25, {1.0}), (1.0, {1.0})]
)
def test_only_at_the_kink_more_than_one_needle_fits(at, fitting):
    slopes = [i / 4 for i in range(-2, 7)]
    assert {slope for slope in slopes if viz.needle(relu, at, {}).fits(slope)} == fitting


def test_nothing_but_the_needle_moves():
    pictures = [viz.needle(relu, 0.0, {"yours": slope}) for slope in (-0.5, 0.25, 1.5)]
    assert len({picture.size for picture in pictures}) == 1
    curves = [[e.get("d") for e in ET.fromstring(picture.svg) if e.get("stroke-width") == "4"] for picture in pictures]
    assert curves[0] == curves[1] == curves[2] != []


def test_a_picture_says_in_words_what_it_shows():
    picture = viz.needle(relu, 0.0, {"<mine>": 2.0})
    data, _ = picture._repr_mimebundle_()
    assert data["text/plain"] == picture.alt == "A curve, and needles on it at 0. <mine>: slope 2, cuts the curve."
    assert ET.fromstring(data["image/svg+xml"])[1].text == picture.alt
    assert data["image/png"].startswith(b"\x89PNG")


def test_a_choice_is_checked_when_it_is_made():
    question = viz.predict("Up or down?", lambda: "up", {"down": "Look again."}, choices=["up", "down"])
    assert question.field.value is None and question.feedback.value == "" and question.show.disabled
    question.field.value = "down"
    assert "✗ down. Look again." in question.feedback.value and not question.show.disabled
    question.field.value = "up"
    assert "✓ up." in question.feedback.value


def test_a_typed_word_may_have_an_article_and_a_number_no_zero():
    assert viz.predict("?", lambda: "error").check("An error.").startswith("✓")
    assert viz.predict("?", lambda: 0.5).check(".5").startswith("✓")
