"""HTML is divided as browsers divide it."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.testing.oracles.pages.markup import COMMENT, END, RAW, START, TEXT, tokens


def told(text: str) -> list[tuple[str, str]]:
    return [(token.kind, text[token.begin : token.end]) for token in tokens(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a<b>c</b>", [(TEXT, "a"), (START, "<b>"), (TEXT, "c"), (END, "</b>")]),
        ("1 < 2 <3", [(TEXT, "1 "), (TEXT, "<"), (TEXT, " 2 "), (TEXT, "<"), (TEXT, "3")]),
        ("&lt;i onclick=x()&gt;", [(TEXT, "&lt;i onclick=x()&gt;")]),
        ("<!--<b>--><b>", [(COMMENT, "<!--<b>-->"), (START, "<b>")]),
        ("<!--><b>", [(COMMENT, "<!-->"), (START, "<b>")]),
        ("</ b><?x?>", [(COMMENT, "</ b>"), (COMMENT, "<?x?>")]),
        ("<title><b></title>", [(START, "<title>"), (RAW, "<b>"), (END, "</title>")]),
        ("<script>'</b>'</SCRIPT >", [(START, "<script>"), (RAW, "'</b>'"), (END, "</SCRIPT >")]),
        ("<script></scripty>", [(START, "<script>"), (RAW, "</scripty>")]),
        ('<a b="c', []),
        ('x<a b=">">y', [(TEXT, "x"), (START, '<a b=">">'), (TEXT, "y")]),
    ],
)
def test_tokens(text, expected):
    assert told(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<i a=1 b='2 ' c=\"&quot;\" d>", [("a", "1", ""), ("b", "2 ", "'"), ("c", '"', '"'), ("d", "", "")]),
        ("<i a=1 a=2>", [("a", "1", "")]),
        ("<i/a/b=c>", [("a", "", ""), ("b", "c", "")]),
        ("<i a = 'x'y>", [("a", "x", "'"), ("y", "", "")]),
        ("<i ='a'>", [("='a'", "", "")]),
        ("<i a=x/>", [("a", "x/", "")]),
    ],
)
def test_attributes(text, expected):
    (token,) = tokens(text)
    assert [(each.name, each.value, each.quote) for each in token.attributes] == expected


@given(st.text(alphabet="<>!-/ab ='\"scriptle?\n", max_size=80))
def test_tokens_are_in_order_and_never_overlap(text):
    position = 0
    for token in tokens(text):
        assert position == token.begin < token.end <= len(text)
        position = token.end


@pytest.mark.parametrize("piece", ["<", "<a ", "<!--", "</", "<script>", "<a b='", "<title>", "=", "<a b=c "])
def test_hostile_pages_cost_linear_time(piece):
    begun = time.process_time()
    for _ in tokens(piece * 200_000):
        pass
    assert time.process_time() - begun < 10
