"""Tags and filters of the templates: what strangers wrote stays text, and numbers are said as the API says them."""

import pytest
from django.template import engines
from django.test import RequestFactory

from gatecrash.control.ui import words
from gatecrash.control.ui.reads import baselines

HOSTILE = '"><script>alert(1)</script>'


def rendered(source: str, path: str = "/", **context: object) -> str:
    """A template's text on the page of an address."""
    request = RequestFactory().get(path)
    request.visitor = None  # type: ignore[attr-defined]
    return str(engines["django"].from_string(source).render(context, request))


@pytest.mark.parametrize(
    "source",
    [
        '{% badge "status" x %}',
        '{% badge "state" x %}',
        "{% type_chip x %}",
        "{% breadcrumb p %}",
        '{% sort_head x "-a" x "k" %}',
        "{{ x|plain_words }}",
        "{{ p|notation }}",
        "{{ p|key_of }}",
    ],
)
def test_what_strangers_wrote_stays_text(source: str) -> None:
    text = rendered(source, x=HOSTILE, p=[["header", HOSTILE]])
    assert "<script>" not in text
    assert "alert(1)" in text


@pytest.mark.parametrize(
    ("source", "value", "text"),
    [
        ("{{ x|percent }}", 94.9, "94.9%"),
        ("{{ x|detail }}", "as it is", "as it is"),
        ("{{ x|detail }}", None, words.NONE),
        ("{{ x|detail }}", True, "true"),
        ("{{ x|detail|safe }}", ["get", "café"], '["get", "café"]'),
        ("{{ x|share }}", 0.949, "94.9%"),
        ("{{ x|share }}", None, words.NONE),
        ("{{ x|count }}", 1234567, "1\u202f234\u202f567"),
        ("{{ x|count }}", None, words.NONE),
        ("{{ x|speed }}", 12.0, "12/s"),
        ("{{ x|duration }}", 3900, "1 h 5 min"),
        ("{{ x|type_words }}", "scram", "SCRAM"),
        ("{{ x|action_words }}", "stop", "Stop recording"),
        ("{{ x|plain_words }}", "jwt_alg_none", "Jwt alg none"),
        ("{{ x|share_of:8 }}", 2, "25%"),
        ("{{ x|share_of:0 }}", 2, words.NONE),
        ("{% moment x %}", None, '<span class="quiet">never</span>'),
        ("{{ x|key_of }} {{ x|context_of }}", [["header", "COOKIE", "cookie", "sid"]], "sid cookie"),
    ],
)
def test_values_are_said_as_people_say_them(source: str, value: object, text: str) -> None:
    assert rendered(source, x=value) == text


def test_a_time_is_exact_for_machines() -> None:
    text = rendered("{% moment x %}", x=0.0)
    assert 'datetime="1970-01-01T00:00:00Z"' in text
    assert 'title="1970-01-01 00:00:00 UTC"' in text


def test_a_filter_begins_at_page_one_and_keeps_the_others() -> None:
    at = "/inventory/?status=missing&page=3&type=bearer"
    assert rendered("{% with_query type='basic' %}", at) == "?status=missing&amp;type=basic"
    assert rendered("{% without 'status' %}", at) == "?type=bearer"
    assert rendered("{% with_query page=4 %}", at) == "?status=missing&amp;page=4&amp;type=bearer"


@pytest.mark.parametrize(
    ("sort", "aria", "link"),
    [
        ("-requests", 'aria-sort="descending"', "?sort=requests"),
        ("requests", 'aria-sort="ascending"', "?sort=-requests"),
        (None, "", "?sort=-requests"),
    ],
)
def test_a_column_sorts_and_turns_round(sort: str | None, aria: str, link: str) -> None:
    text = rendered('{% sort_head "Requests" "-requests" s %}', s=sort)
    assert (aria in text, f'href="{link}"' in text) == (True, True)
    assert ("aria-sort" in text) == bool(aria)


@pytest.mark.parametrize(
    ("path", "is_here"), [("/runs/", True), ("/runs/tr_1/", True), ("/", False), ("/records/", False)]
)
def test_the_navigation_marks_the_page(path: str, is_here: bool) -> None:
    assert (rendered("{% current 'runs' %}", path) == ' aria-current="page"') is is_here
    assert (rendered("{% current 'dashboard' %}", path) == ' aria-current="page"') is (path == "/")


@pytest.mark.parametrize("name", sorted(words.TERMS))
def test_every_term_has_its_help(name: str) -> None:
    text = rendered(f'{{% term "{name}" %}}')
    assert text.count('data-tip="') == text.count('aria-label="') == 1


def test_threats_types_and_assets() -> None:
    assert "Critical 90" in rendered("{% threat 90 %}")
    assert words.TYPE_MEANINGS["hawk"] in rendered('{% type_chip "hawk" %}')
    assert rendered('{% asset "gatecrash/frame.css" %}').startswith("/static/gatecrash/frame.css?v=")
    assert rendered('{{ x|entry:"a" }}', x={"a": 7}) == "7"
    assert rendered("{% for w in x|split_words %}[{{ w }}]{% endfor %}", x="a b") == "[a][b]"


@pytest.mark.parametrize(
    ("counts", "words_said"),
    [
        ({}, "No baseline request to test yet"),
        ({"baseline_check_waiting_count": 3}, "Waiting 3"),
        ({"baseline_check_passed_count": 1, "baseline_check_fail_count": 2}, "Passed 1, Failed 2"),
    ],
)
def test_a_runs_bar_always_says_something(counts: dict[str, int], words_said: str) -> None:
    run = {name: counts.get(name, 0) for name, _, _ in baselines.SEGMENTS}
    text = rendered('{% include "testruns/bar.html" %}', progress=baselines.progress(run))
    assert f'role="img" aria-label="{words_said}"' in text


def test_a_path_may_be_broken_behind_its_slashes_alone() -> None:
    assert rendered("{{ x|breakable }}", x="/a-b/{c}/<d>") == "/a-b/<wbr>{c}/<wbr>&lt;d&gt;"
    assert rendered("{{ x|breakable }}", x="plain") == "plain"
    assert rendered("{{ x|breakable }}", x="/") == "/"
