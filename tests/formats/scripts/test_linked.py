"""What a script imports is what another one exports."""

import pytest

from gatecrash.formats.scripts.calls import JSON, Called, called_in
from gatecrash.formats.scripts.linked import linked

API = "const a='/api';const b=e=>h.post(a+'/notes',e);class C{all(e){return h.get(a+'/'+e)}}const d=new C;export{b as x,d as y,a as z}"
SAVED = Called("POST", "/api/notes", '{"q":"x"}', JSON)


def found(page: str, api: str = API) -> list[Called]:
    return [each for code in linked({"/s/page.js": page, "/s/api.js": api}) for each in called_in(code)]


@pytest.mark.parametrize(
    ("page", "called"),
    [
        ("import{x as e}from'./api.js';e({q:'x'})", SAVED),
        ('import n,{y,x as e}from"/s/api.js";e({q:"x"})', SAVED),
        ("import{x}from`./api.js`;on(()=>x({q:'x'}))", SAVED),
        ("import{y as e}from'./api.js';e.all('tags')", Called("GET", "/api/tags")),
        ("import{y as e}from'./api.js';n(e).all('tags')", Called("GET", "/api/tags")),
        ("import{z as e}from'./api.js';fetch(e+'/tags')", Called("GET", "/api/tags")),
    ],
)
def test_calls_and_texts_cross_from_one_to_the_other(page: str, called: Called) -> None:
    assert called in found(page)


@pytest.mark.parametrize(
    "page",
    [
        "import{x as e}from'./other.js';e({q:'x'})",
        "import{w as e}from'./api.js';e({q:'x'})",
        "import{x as e}from'./api.js';function a(e){e({q:'x'})}",
        "import{x as e}from'./api.js';o.e({q:'x'});e(y)",
        "e({q:'x'})",
    ],
)
def test_what_is_another_thing_does_not(page: str) -> None:
    assert not [each for each in found(page) if each.body]


def test_what_is_made_of_an_imported_class_is_called_where_that_is_exported() -> None:
    api = "class N{constructor(e){this.at='/'+e}save(e){return h.post(this.at,e)}}export{N as c}"
    page = "import{c as l}from'./api.js';const s=new l('notes');function a(l,t){s.save({q:'x'})}"
    found = [each for code in linked({"/a/api.js": api, "/a/page.js": page}) for each in called_in(code)]
    assert Called("POST", "/notes", '{"q":"x"}', JSON) in found
    other = "import{c as l}from'./api.js';const s=new l('notes');function a(s){s.save({q:'x'})}"
    found = [each for code in linked({"/a/api.js": api, "/a/page.js": other}) for each in called_in(code)]
    assert not [each for each in found if each.body]


@pytest.mark.parametrize("kept", ["notes=p(l);", "constructor(t){this.notes=t}static{this.f=o=>new(o||P)(D(l))}"])
def test_what_a_framework_makes_of_an_imported_class_is_called_where_that_is_exported(kept: str) -> None:
    api = "class N{at='/notes';save(e){return h.post(this.at,e)}}export{N as c}"
    page = f"import{{c as l}}from'./api.js';class P{{{kept}save(){{this.notes.save({{q:'x'}})}}}}"
    saved = Called("POST", "/notes", '{"q":"x"}', JSON)
    assert saved in found(page, api)
    assert saved not in found(page.replace("(l)", "(m)"), api)


def test_scripts_without_imports_stay_as_they_are() -> None:
    assert linked({"/a.js": "fetch('/a')", "/b.js": API}) == ["fetch('/a')", API]
    assert linked({}) == []
