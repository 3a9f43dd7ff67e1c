"""Sums are written so that an engine computes them, and tame ones so that none does."""

import html

import jinja2
import mako.template
import pytest
from django.template import Context, Engine

from gatecrash.core.testing.payloads.ssti import (
    ALONE,
    CURLY,
    DJANGO,
    DOLLAR,
    DOT,
    GO,
    LOOKUP,
    OTHERS,
    PRINT,
    SCREENS,
    SECTION,
    WAITING,
    Task,
    expected,
    fill,
    fill_wait,
    shows,
)

TASK = Task("mark", 12_345, 23_456)
ENGINES = {
    CURLY: lambda text: jinja2.Environment(autoescape=True).from_string(text).render(),
    DOLLAR: lambda text: mako.template.Template(text).render(),
    DJANGO: lambda text: Engine().from_string(text).render(Context()),
}


@pytest.mark.parametrize("sum_", list(ENGINES), ids=lambda sum_: sum_.engines)
def test_a_real_engine_computes_its_sum_and_leaves_the_tame_one(sum_):
    assert ENGINES[sum_](fill(sum_, TASK)) == expected(sum_, TASK)
    assert str(TASK.product) not in ENGINES[sum_](fill(sum_, TASK, tame=True))


@pytest.mark.parametrize("sum_", ALONE, ids=lambda sum_: sum_.engines)
def test_the_product_is_nowhere_in_the_request(sum_):
    assert expected(sum_, TASK) not in fill(sum_, TASK)
    assert fill(sum_, TASK).startswith("mark")
    assert fill(sum_, TASK) != fill(sum_, TASK, tame=True)


def test_every_way_is_asked_in_a_screen_or_with_the_others():
    """But for Jinja2's tag and doT's, over which most other engines break, and those two over the others."""
    assert {*ALONE} == {*SCREENS[0], *SCREENS[1], *OTHERS, PRINT, DOT}
    assert expected(GO, TASK) == f"mark{TASK.product:x}"


@pytest.mark.parametrize("told", ["mark289564320", "mark289,564,320", "mark289.564.320!", "mark289\u202f564\u202f320"])
def test_a_product_is_known_however_the_locale_groups_it(told):
    assert shows(CURLY, TASK, f"Hello {told}")


@pytest.mark.parametrize("told", ["mark 289564320", "mark28,9564320", "289,564,320", "mark12345*23456"])
def test_anything_else_is_none(told):
    assert not shows(CURLY, TASK, f"Hello {told}")


@pytest.mark.parametrize("sum_", [CURLY, GO])
def test_a_page_that_repeats_a_tame_sum_does_not_show_what_it_comes_to(sum_):
    assert not shows(sum_, TASK, f"Hello {fill(sum_, TASK, tame=True)}", apart=True)


def test_what_was_computed_away_from_the_letters_is_shown_apart():
    assert shows(CURLY, TASK, f"mark {TASK.product}", apart=True)
    assert shows(GO, TASK, f"mark {TASK.product:x}", apart=True)
    assert not shows(CURLY, TASK, f"mark {TASK.product}")


def test_a_section_shows_where_it_was_left_out_and_not_where_the_braces_were_stripped():
    assert shows(SECTION, TASK, "mark1234523456")
    assert not shows(SECTION, TASK, fill(SECTION, TASK))
    assert not shows(SECTION, TASK, "mark12345023456")


def test_letters_are_known_in_capitals():
    assert shows(CURLY, TASK, f"<P>HELLO ANNMARK{TASK.product}</P>")


def test_jinja_and_mako_wait_once_and_not_for_a_decoy(monkeypatch):
    asked = []
    monkeypatch.setattr("time.sleep", asked.append)
    jinja2.Environment().from_string(fill_wait(WAITING[0], 2)).render()
    mako.template.Template(fill_wait(WAITING[2], 3)).render()
    assert asked == [2, 3]
    with pytest.raises(AttributeError):
        mako.template.Template(fill_wait(WAITING[2], 3, decoy=True)).render()
    assert asked == [2, 3]


@pytest.mark.parametrize("pattern", WAITING)
def test_a_decoy_has_the_length_of_what_it_looks_like(pattern):
    assert len(fill_wait(pattern, 2)) == len(fill_wait(pattern, 2, decoy=True))
    assert "sleep" not in fill_wait(pattern, 2, decoy=True)


def test_a_lookup_shows_its_number_encoded():
    assert fill(LOOKUP, TASK) == "mark${base64Encoder:123450}"
    assert shows(LOOKUP, TASK, "Dear markMTIzNDUw,")
    assert not shows(LOOKUP, TASK, "Dear mark MTIzNDUw,")
    assert not shows(LOOKUP, TASK, "Dear mark${base64Encoder:123450}")


def test_go_s_sum_stays_one_behind_an_encoder_of_markup():
    asked = fill(GO, TASK)
    assert html.escape(asked, quote=True) == asked
