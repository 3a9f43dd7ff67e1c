"""Where scripts write markup."""

import pytest

from gatecrash.core.testing.oracles.scripts.scopes import Scopes
from gatecrash.core.testing.oracles.scripts.sinks import Sinks
from gatecrash.core.testing.oracles.scripts.tokens import tokens_of


def written(code, *, packed=False):
    """The expressions that are written."""
    tokens = tokens_of(code)
    found = Sinks(tokens, Scopes(tokens), packed=packed).found()
    return {"".join(tokens.texts[each.begin : tokens.end_of(each.begin)]) for each in found}


@pytest.mark.parametrize(
    "code",
    [
        "box.innerHTML = XX",
        "box.outerHTML += XX",
        "a && (box.innerHTML = XX)",
        "box.insertAdjacentHTML('beforeend', XX)",
        "h('div', { innerHTML: XX })",
        "h('div', { dangerouslySetInnerHTML: { __html: XX } })",
        "this.s.bypassSecurityTrustHtml(XX)",
        "$('#box').html(XX)",
        "$('<p>').addClass('a').append(XX)",
        "$list.append(XX)",
        "function draw(box, text) { box.innerHTML = text } draw(a, XX)",
        "const draw = (box, text) => { box.innerHTML = text }; draw(a, XX)",
    ],
)
def test_places_that_people_write(code):
    assert "XX" in written(code)


def test_what_is_made_of_markup():
    assert "<li>+XX" in written("$('<li>' + XX)")
    assert "(<li>+(XX)+)" in written("$(`<li>${XX}`)")


@pytest.mark.parametrize(
    "code",
    [
        't("<div></div>").html(XX)',
        't("#box").append(XX),t("#box").on("a",b)',
        '(0,n.A)("<div></div>").addClass("c").html(XX)',
        'let e=t("<div></div>").addClass("c");e.html(XX);t("#a").text(1)',
        'function M(e,t,n=!1){var l="";q(()=>{if(l!==(l=t()??"")){n.innerHTML=l}})}M(i,XX)',
        'class C{render(e){return e}}C.directiveName="unsafeHTML";const u=w(C);h`${u(XX)}`',
        'class C{static directiveName="unsafeHTML"}const u=(e=>()=>e)(C);u(XX)',
        "(function(e,t){e.innerHTML=t})(a,XX)",
    ],
)
def test_places_of_bundles(code):
    assert "XX" in written(code, packed=True)


@pytest.mark.parametrize(
    "code",
    [
        "box.textContent = XX",
        "if (box.innerHTML == XX) {}",
        "const area = document.createElement('textarea'); area.innerHTML = XX",
        "const page = document.implementation.createHTMLDocument(''); page.body.innerHTML = XX",
        "list.append(XX)",
        "chart.html(XX)",
        "function draw(box, text) { box.textContent = text } draw(a, XX)",
        "function draw(box, text, raw) { if (raw) box.innerHTML = text; else box.textContent = text } draw(a, XX)",
        "function draw(box, text) { text = clean(text); box.innerHTML = text } draw(a, XX)",
        "a ? innerHTML : XX",
    ],
)
@pytest.mark.parametrize("packed", [True, False])
def test_others_are_none(code, packed):
    assert "XX" not in written(code, packed=packed)


@pytest.mark.parametrize("code", ["e.html(XX)", 't("<p>").html(XX)'.replace('t("<p>")', 't("p q")'), "t(e).append(XX)"])
def test_a_bundle_must_show_that_it_is_jquery(code):
    assert "XX" not in written(code, packed=True)
