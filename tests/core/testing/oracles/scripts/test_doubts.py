"""What else scripts do with members of data."""

import pytest

from gatecrash.core.testing.oracles.scripts.doubts import Uses
from gatecrash.core.testing.oracles.scripts.scopes import Scopes
from gatecrash.core.testing.oracles.scripts.tokens import tokens_of
from gatecrash.core.testing.oracles.scripts.values import Values


def doubtful(code, *, packed):
    tokens = tokens_of(code)
    scopes = Scopes(tokens)
    uses = Uses(tokens, scopes, Values(tokens, scopes), packed=packed)
    return {each.name for each in uses.read(frozenset())}


@pytest.mark.parametrize(
    "code",
    [
        "el.textContent = n.title",
        "el.innerText += 'by ' + n.title",
        "el.append(document.createTextNode(n.title))",
        "$('#a').text(n.title)",
        "escapeHtml(n.title)",
        "clean('a' + n.title)",
        "n.title = 'a'",
        "const t = n.title; el.textContent = t",
        "const { title } = n; escape(title)",
        "const { title: t } = n; el.textContent = t",
    ],
)
@pytest.mark.parametrize("packed", [True, False])
def test_what_is_shown_as_text_or_treated(code, packed):
    assert "title" in doubtful(code, packed=packed)


@pytest.mark.parametrize(
    "code",
    [
        'j("p",{children:n.title})',
        'j("p",{children:[x,n.title]})',
        'j("p",{children:["by ",n.title]})',
        'h("p",null,n.title)',
        "m(n.title)",
        "v`<p>${n.title}</p>`",
        "(p(t()),f(()=>n.title))",
        "c=()=>n.title",
        "function c(){return n.title}",
        'var t=n.title+"";w(t)',
        "x=[n.title]",
    ],
)
def test_in_bundles_whatever_is_handed_it(code):
    assert "title" in doubtful(code, packed=True)


@pytest.mark.parametrize(
    "code",
    [
        "n.title&&m(1)",
        "n.title?m(1):0",
        "m(n.title===a)",
        "if(n.title){}",
        "console.log(n.title)",
        "f({title:n.title})",
        "n.title.trim()",
    ],
)
def test_others_say_nothing(code):
    assert doubtful(code, packed=True) == set()


def test_what_is_asked_of_one_object():
    tokens = tokens_of("function a(e) { e.title; e.body; e.user.name } function b(e) { e.flags }")
    scopes = Scopes(tokens)
    uses = Uses(tokens, scopes, Values(tokens, scopes), packed=True)
    uses.read(frozenset())
    assert sorted(map(sorted, uses.shapes.values())) == [["body", "title", "user"], ["flags"], ["name"]]
