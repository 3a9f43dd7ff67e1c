"""Things that are made of a script's own classes ask for what they are given."""

import pytest

from gatecrash.formats.scripts.calls import JSON, Called, called_in

LISTED, SAVED = Called("GET", "/api/notes/1"), Called("POST", "/api/notes", '{"q":"x"}', JSON)
CLASS = (
    "{constructor(e){this.path='/api/'+e}one(e){return h.get(`${this.path}/${e}`)}save(e){return h.post(this.path,e)}}"
)


@pytest.mark.parametrize(
    "code",
    [
        f"class N{CLASS} const n=new N('notes');n.save({{q:'x'}})",
        f"const N=class{CLASS},n=new N('notes');function a(e){{n.save({{q:'x'}})}}",
        f"var N,n;run(()=>{{N=class{CLASS},n=new N(`notes`)}});n.save({{q:'x'}})",
    ],
)
def test_a_thing_is_read_with_what_it_is_made_with_and_given(code: str) -> None:
    assert [each for each in called_in(code) if each.address.startswith("/api")] == [LISTED, SAVED]


def test_each_thing_is_one_of_its_own() -> None:
    found = called_in(f"class N{CLASS} new N('notes');new N('tags');new N(other)")
    assert [each.address for each in found if each.method == "GET"] == ["/1", "/api/notes/1", "/api/tags/1"]


def test_a_class_may_be_built_upon_another() -> None:
    assert LISTED in called_in(f"class N{CLASS} class T extends N{{constructor(){{super('notes')}}}}")


def test_parameters_are_taken_apart_and_fields_are_those_of_the_class() -> None:
    code = "class N{base='/api';save({to:e,what:t}){return h.post(this.base+e,t)}} const n=new N;n.save({to:'/notes',what:{q:'x'}})"
    assert SAVED in called_in(code)


@pytest.mark.parametrize(
    "code",
    [
        f"class N{CLASS} function a(N){{return new N('notes')}}",  # another one
        f"class N{CLASS} const n=new N(x);function a(n){{n.save({{q:'x'}})}}",  # another thing
        "class N{constructor(e){this.path='/api/'+e}} new N('notes')",  # asks nobody
        "class N{",
    ],
)
def test_what_is_not_made_or_given_is_left(code: str) -> None:
    assert not [each for each in called_in(code) if each in (LISTED, SAVED)]


@pytest.mark.parametrize("define", ["d", "i.default", "__publicField", "_defineProperty"])
def test_what_a_class_has_of_its_own_may_be_set_as_compilers_have_it(define: str) -> None:
    code = f"class N{{constructor(){{{define}(this,'path','/api/notes')}}save(e){{return h.post(this.path,e)}}}}"
    assert called_in(code + "const n=new N;n.save({q:'x'})") == [SAVED]
    assert not called_in(code.replace("'path'", "'other'") + "const n=new N;n.save({q:'x'})")


SERVICE = "var N=(()=>{class n{constructor(t){this.h=t,this.path='/api/notes'}save(e){return this.h.post(this.path,e)}}return n})();"


@pytest.mark.parametrize(
    "page",
    [
        "class P{notes=p(N);save(){this.notes.save({q:'x'})}}",
        "class P{notes=p(N);save(){this.form={},this.form.q='x',this.notes.save(this.form)}}",
        "class P{constructor(t){this.notes=t}save(){this.notes.save({q:'x'})}static{this.f=o=>new(o||P)(D(N))}}",
    ],
)
def test_what_a_framework_hands_to_others_is_given_what_they_give_it(page: str) -> None:
    assert SAVED in called_in(SERVICE + page)
    assert SAVED not in called_in(SERVICE + page.replace("(N)", "(M)"))
    assert SAVED not in called_in(SERVICE + f"function a(N){{return {page}}}")
