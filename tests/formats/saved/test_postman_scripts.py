"""What the scripts of saved requests keep of their answers."""

import io
import json

import pytest

from gatecrash.core.message import Request
from gatecrash.formats.draft import Draft, Taught
from gatecrash.formats.saved import postman
from gatecrash.formats.saved.postman_scripts import taught_by
from gatecrash.node.scan.drafts.known_values import KnownValues
from tests.node.scan.drafts.test_known_values import answer, draft


def kept(*lines: str, listen: str = "test") -> dict[str, tuple[str, ...]]:
    found = taught_by({"event": [{"listen": listen, "script": {"exec": list(lines)}}]})
    return {each.name: each.steps for each in found}


@pytest.mark.parametrize(
    ("lines", "steps"),
    [
        (['pm.environment.set("x", pm.response.json().id);'], ("id",)),
        (["pm.collectionVariables.set('x', pm.response.json().rows[0].code)"], ("rows", "0", "code")),
        (["const j = pm.response.json();", 'pm.globals.set("x", j?.data?.["the id"]);'], ("data", "the id")),
        (["var data = JSON.parse(responseBody);", 'postman.setEnvironmentVariable("x", data.id);'], ("id",)),
        (
            ["let j = JSON.parse(pm.response.text())", "const first = j.items[0]", 'pm.variables.set("x", first.id)'],
            ("items", "0", "id"),
        ),
        (["const { order, total } = pm.response.json();", 'pm.environment.set("x", order.id);'], ("order", "id")),
        (['if (pm.response.json().length) pm.environment.set("x", pm.response.json()[0].uuid);'], ("0", "uuid")),
        (['pm.environment.set("x", String(pm.response.json().id));'], ("id",)),
        (['pm.environment.set("x", pm.response.json().id.toString());'], ("id",)),
        (['pm.environment.set("x", "word");'], None),
        (['pm.environment.set("x", Date.now());'], None),
        (['pm.environment.set("x", other.id);'], None),
        (['pm.environment.set("x", pm.response.json().rows.find(r => r.id).id);'], None),
        (['pm.environment.set("x", pm.response.json().body.match(/a/)[0]);'], None),
        (['pm.environment.set("x", pm.response.json());'], None),  # all of it names nothing
    ],
)
def test_statements_that_keep_a_part_of_the_answer_are_read(lines: list[str], steps: tuple[str, ...] | None) -> None:
    assert kept(*lines) == ({} if steps is None else {"x": steps})


def test_what_is_set_before_the_request_is_none_of_its_answer() -> None:
    assert kept('pm.environment.set("x", pm.response.json().id);', listen="prerequest") == {}


def test_a_script_may_be_one_text_or_none() -> None:
    text = 'pm.environment.set("x", pm.response.json().id);\npm.environment.set("y", pm.response.json().no);'
    found = taught_by({"event": [{"listen": "test", "script": {"exec": text}}, {"listen": "test"}, None]})
    assert found == (Taught("x", ("id",)), Taught("y", ("no",)))


def test_a_saved_request_brings_what_its_script_keeps() -> None:
    item = {
        "name": "n",
        "request": {"method": "GET", "url": "http://a.example/orders"},
        "event": [{"listen": "test", "script": {"exec": ['pm.environment.set("order", pm.response.json()[0].id);']}}],
    }
    document = json.dumps({"info": {"name": "n"}, "item": [item]}).encode()
    (draft,) = postman.read(io.BytesIO(document))
    assert isinstance(draft, Draft)
    assert draft.taught == (Taught("order", ("0", "id")),)


def test_what_a_script_keeps_comes_before_what_is_called_so_elsewhere() -> None:
    known, taught = KnownValues(["mechanic"]), (Taught("mechanic", ("rows", "0", "code")), Taught("absent", ("x",)))
    known.learn(Request("GET", b"/reports"), answer([{"mechanic": "brakes"}]))
    asked = draft("/contact?mechanic=1", ("mechanic", "mechanic"))
    known.keep(taught, answer({"rows": [{"code": "M-1"}]}, status=404))
    assert known.filled(asked).request.query == b"mechanic=brakes"
    for code in ("M-1", "M-2", "M-1"):
        known.keep(taught, answer({"rows": [{"code": code}]}))
    assert known.filled(asked).request.query == b"mechanic=M-1", "the newest"
