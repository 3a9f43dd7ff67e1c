"""Functions that stand in an object are read where they are called."""

import pytest

from gatecrash.formats.scripts.calls import JSON, Called, called_in
from gatecrash.formats.scripts.literals import Script
from gatecrash.formats.scripts.own_methods import methods_called_anew

SAVED = Called("POST", "/notes", '{"q":"x"}', JSON)


@pytest.mark.parametrize(
    "method",
    [
        "save:e=>h.post('/notes',e)",
        "save:async(e)=>{return h.post('/notes',e)}",
        "save:function(e){return h.post('/notes',e)}",
        "save(e){return h.post('/notes',e)}",
        "async save(e){return h.post('/notes',e)}",
        "all:()=>h.get('/notes'),save:({q:t})=>h.post('/notes',{q:t})",
    ],
)
@pytest.mark.parametrize("call", ["api.save({q:'x'})", "function a(t){api . save({q:'x'})}"])
def test_what_it_is_given_is_what_it_sends(method: str, call: str) -> None:
    assert SAVED in called_in(f"const api={{{method}}};{call}")


@pytest.mark.parametrize(
    "call",
    [
        "other.save({q:'x'})",
        "const other={save:e=>1};other.save({q:'x'})",
        "function a(api){api.save({q:'x'})}",
        "api.save()",
        "api.find({q:'x'})",
    ],
)
def test_what_another_thing_is_given_it_does_not_send(call: str) -> None:
    assert not [each for each in called_in(f"const api={{save:e=>h.post('/notes',e)}};{call}") if each.body]


def test_what_reads_takes_what_it_is_given_into_its_address() -> None:
    code = "const api={one:(e,t)=>h.get('/notes/'+e,{params:t})};api.one(7,{q:'x'})"
    assert Called("GET", "/notes/1?q=x") in called_in(code)


def test_a_word_of_the_language_is_no_name_of_a_function() -> None:
    assert not list(methods_called_anew(Script("const a={b(){if(c){fetch(d)}}};a.if({q:'x'})")))


@pytest.mark.parametrize("piece", ["a.b(", "{a(", "x={a:e=>h.post(e),", "a={a(b){post(b)},", "a.a({a(a){post("])
def test_long_scripts_are_read_in_bounds(piece: str) -> None:
    assert len(list(methods_called_anew(Script(piece * 3_000)))) <= 200
