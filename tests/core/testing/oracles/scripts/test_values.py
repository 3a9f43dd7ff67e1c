"""What expressions put together."""

import pytest

from gatecrash.core.testing.oracles.scripts.scopes import Scopes
from gatecrash.core.testing.oracles.scripts.tokens import tokens_of
from gatecrash.core.testing.oracles.scripts.values import Member, Values


def read(code):
    """What is written behind `out =`: texts, the names of members, and None for what nobody knows."""
    tokens = tokens_of(code)
    values = Values(tokens, Scopes(tokens))
    begin = (
        next(place for place, text in enumerate(tokens.texts) if text == "out" and tokens.is_sign(place + 1, "=")) + 2
    )
    return [
        [".".join(part.names) if isinstance(part, Member) else part for part in whole] for whole in values.read(begin)
    ]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("out = '<b>' + n.title + 2", [["<b>", "title", "2"]]),
        ("out = (n.title)", [["title"]]),
        ("out = n?.user.name", [["user.name"]]),
        ("out = n[0].title", [["title"]]),
        ("out = n().title", [["title"]]),
        ("out = n['title']", [["title"]]),
        ("out = n.title || ''", [["title"], [""]]),
        ("out = n && n.title", [["title"]]),
        ("out = a ? n.title : b ? '1' : n.text", [["title"], ["1"], ["text"]]),
        ("out = x = n.title", [["title"]]),
        ("out = (a(), n.title)", [["title"]]),
        ("out = await n.title", [["title"]]),
        ("out = String(n.title)", [["title"]]),
        ("const t = n.title; out = t", [["title"]]),
        ("const { title: t } = n; out = t", [["title"]]),
        ("function f(m) { return '<i>' + m } out = f(n.title)", [["<i>", "title"]]),
        ("const f = (m) => '<i>' + m; out = f(n.title)", [["<i>", "title"]]),
        ("out = ns.map((n) => n.title).join('')", [["title"]]),
        ("out = ns.map(f).join(''); function f(n) { return n.title }", [["title"]]),
        ("out = ['<b>', n.title].join('')", [["<b>", "title"]]),
        ("let a = ''; a += n.title; out = a", [[""], ["title"]]),
        ("out = this.note.title", [["note.title"]]),
    ],
)
def test_what_is_put_together(code, told):
    assert read(code) == told


@pytest.mark.parametrize(
    "code",
    [
        "out = clean(n.title)",
        "out = n.title.trim()",
        "out = n.title - 1",
        "out = n.title === 'a'",
        "out = !n.title",
        "out = n",
        "out = n.list.length",
        "out = document.title",
        "out = error.message",
        "out = this.title",
        "out = () => n.title",
        "let t = n.title; t = clean(t); out = t",
        "let t = n.title; t = t.replace(a, b); out = t",
        "function f(m) { m = clean(m); return m } out = f(n.title)",
        "function f(m) { return clean(m) } out = f(n.title)",
        "out = ns.map((n) => clean(n.title)).join('')",
        "out = props.__html",
        "out = html`<b>${n.title}</b>`",
        "out = new Note(n.title)",
    ],
)
def test_what_nobody_knows(code):
    assert all(whole == [None] or "title" not in whole for whole in read(code))


def test_letters_of_other_functions_are_other_variables():
    assert read("function a(e) { out = e } function b(n) { let e = n.detail; return e }") == [[None]]


def test_the_object_of_a_member():
    tokens = tokens_of("e.note.title; e.note.body; t.note.body; e.body")
    values = Values(tokens, Scopes(tokens))
    owners = [values.member_at(place)[0].owner for place, text in enumerate(tokens.texts) if text in ("e", "t")]
    assert owners[0] == owners[1]
    assert len(set(owners)) == 3


def test_what_names_itself_for_ever_is_read_once():
    assert read("let a = b, b = a; out = a") == [[None]]
    assert read("function f(n) { return f(n) + f(n) } out = f(1)")[0][-1] is None
