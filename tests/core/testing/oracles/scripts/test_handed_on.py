"""What is handed to a function of the script is written by it."""

import re
import time

import pytest

from gatecrash.core.testing.oracles.scripts.flow import flow, landing_flow
from gatecrash.core.testing.oracles.scripts.handed_on import handed_on

ASKED = "const q=new URLSearchParams(location.search).get('q');"


def test_a_function_stands_where_it_is_called() -> None:
    assert (
        handed_on("function show(x){box.innerHTML=x}show(q);", re.compile("HTML")) == "box.innerHTML=show$$x;show$$x=q;"
    )


@pytest.mark.parametrize(
    "code",
    [
        "function show(x){el.innerHTML=x}" + ASKED + "show(q);",
        ASKED + "if(q){show(q)}function show(text){document.getElementById('x').innerHTML='<b>'+text+'</b>';}",
        "const show=x=>{el.innerHTML=x};" + ASKED + "show(q)",
        "const show=(x)=>el.innerHTML=x;" + ASKED + "addEventListener('load',()=>{show(q)})",
        "var show=function(where,what){where.innerHTML=`<p>${what}`;};" + ASKED + "show(el,q);",
        "function show(x){el.innerHTML=x}show('Hello');" + ASKED + "show(q);",
        "function show(x){el.innerHTML=x}show(decodeURIComponent(location.hash.slice(1)));",
        "function show(x){el.innerHTML=x}" + ASKED + "a()\n  show(q)\n",
        "function put(x){el.innerHTML=x}function show(y){put('<b>'+y);}" + ASKED + "show(q);",
    ],
)
def test_a_flow_through_a_function(code: str) -> None:
    assert flow(code) is not None


@pytest.mark.parametrize(
    "code",
    [
        "function show(x){el.innerHTML=DOMPurify.sanitize(x)}" + ASKED + "show(q);",
        "function show(x){el.textContent=x}" + ASKED + "show(q);",
        "function show(x){el.innerHTML=x}" + ASKED + "show('Hello');",
        "function show(x){el.innerHTML=x}" + ASKED + "show(DOMPurify.sanitize(q));",
        "function show(x){el.innerHTML=x}" + ASKED + "show(escapeHtml(q));",
        "function show(x){x=clean(x);el.innerHTML=x}" + ASKED + "show(q);",
        "function show(x){if(!/^[a-z]+$/.test(x))return;el.innerHTML=x}" + ASKED + "show(q);",
        "function show(x){if(x!=='a')return;el.innerHTML=x}" + ASKED + "show(q);",
        "function show(x){el.innerHTML=x}" + ASKED + "if(ok(q))show(q);",
        "function show(x){el.innerHTML=x}" + ASKED + "show(rows[q]);",
        "function show(x,y){el.innerHTML=y}" + ASKED + "show(q,'Hello');",
        "function show(x){el.innerHTML=x}" + ASKED + "show(q);show(row.name);",  # more is given than is read
        "function show(x){el.innerHTML=x}show=other;" + ASKED + "show(q);",
        "function show(x){el.innerHTML=x}function show(x){el.textContent=x}" + ASKED + "show(q);",
        "function show(x){el.innerHTML=x}" + ASKED + "that.show(q);",
        "function show(x){el.innerHTML=x}" + ASKED + "function a(show){show(q);}",
        "function show(x){el.innerHTML=x}" + ASKED + "names.forEach(show);show(q);",
        "function show(x){el.innerHTML=x;show(x)}" + ASKED + "show(q);",
        "function show(x='a'){el.innerHTML=x}" + ASKED + "show(q);",
        "function show(x){el.innerHTML=x}" + ASKED + "var a = show(q);",
        "function show(x){el.innerHTML=x",
    ],
)
def test_no_flow_through_a_function(code: str) -> None:
    assert flow(code) is None


@pytest.mark.parametrize(
    ("body", "given", "goes"),
    [
        ("location.href=u", "q", True),
        ("location.assign(u)", "q", True),
        ("location.href='/a?'+u", "q", False),
        ("if(u.startsWith('/'))location.href=u", "q", False),
        ("location.href=u", "'/home'", False),
        ("location.href=u", "safe(q)", False),
    ],
)
def test_an_address_that_is_gone_to_by_a_function(body: str, given: str, goes: bool) -> None:
    assert (landing_flow(f"{ASKED}function go(u){{{body}}}go({given});") is not None) is goes


@pytest.mark.parametrize(
    "code",
    [
        "function a(x){" * 20_000,
        "".join(f"function f{each}(x){{el.innerHTML=x}}f{each}(f{each + 1});" for each in range(4_000)),
        "function f(x){el.innerHTML=x}" + "f(" * 30_000,
        "const f=x=>" * 20_000,
    ],
)
def test_hostile_scripts_end(code: str) -> None:
    begun = time.perf_counter()
    handed_on(code, re.compile("HTML"))
    assert time.perf_counter() - begun < 5
