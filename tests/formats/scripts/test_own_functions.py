"""Functions around a call are read where they are called."""

import pytest

from gatecrash.formats.scripts.calls import FORM, JSON, Called, called_in
from gatecrash.formats.scripts.literals import Script
from gatecrash.formats.scripts.own_functions import called_anew

SENT = Called("POST", "/a", '{"q":"x"}', JSON)
TAKEN = "function r(e,{method:s='GET',data:n}={}){return fetch(e,{method:s,body:n===void 0?void 0:JSON.stringify(n)})}"
BODY = "{const body = JSON.stringify(what); return fetch(to, {method: 'POST', body})}"


@pytest.mark.parametrize(
    "code",
    [
        f"function send(to, what) {BODY} send('/a', {{q: 'x'}})",
        f"async function send(to, what = null) {BODY} const m = {{q: 'x'}}; on('click', () => send('/a', m))",
        f"const send = async (to, what) => {BODY}; send('/a', {{q: 'x'}})",
        f"let send = function (to, what) {BODY}; send('/a', {{q: 'x'}})",
        "const p={a:'/a'},n=1,s=e=>c.post(p.a,e);s({q:'x'})",
        "const n=1, s = async (to, what) => c.post(to, what), m = 2; s('/a', {q: 'x'})",
        "const n=1,s=e=>{return c.post('/a',e)};s({q:'x'})",
        # What is given is taken apart, and called by names that the caller has for something else.
        f"{TAKEN} const t={{A:'/a'}},g=e=>{{let n=t.A;return r(n,{{method:'POST',data:{{q:'x'}}}})}}",
        "var r;run(()=>{r=async({to:e,what:t})=>c.post(e,t)});function n(e){return r({to:'/a',what:{q:'x'}})}",
    ],
)
def test_a_call_of_it_is_what_it_would_send(code: str) -> None:
    assert called_in(code) == [SENT]


def test_each_call_is_one_of_its_own_and_what_is_not_written_out_stands_for_itself() -> None:
    code = "function ask(to, id) { x.open('POST', to); x.send('q=' + id) } ask('/a', 7); ask('/b', row.id)"
    assert called_in(code) == [Called("POST", "/a", "q=1", FORM), Called("POST", "/b", "q=1", FORM)]


def test_what_is_not_given_is_not_sent() -> None:
    assert called_in(TAKEN + "r('/a');r('/b',{method:'POST'})") == [Called("GET", "/a"), Called("POST", "/b")]


@pytest.mark.parametrize(
    "code",
    [
        "function say(to) { console.log(to) } say('/a')",  # asks nobody
        "function send(to) { fetch(to) }",  # is never called
        "function send(to) { fetch(to) } api.send('/a')",  # another object's
        "function send(to) { fetch(to) } resend('/a'); $send('/a')",  # another name
    ],
)
def test_what_hands_on_nothing_that_is_written_out_is_left(code: str) -> None:
    assert list(called_anew(Script(code))) == []
    assert called_in(code) == []


def test_their_number_is_bounded() -> None:
    code = "function send(to) { fetch(to) }" + "send('/a');" * 1_000
    assert len(list(called_anew(Script(code)))) == 200
