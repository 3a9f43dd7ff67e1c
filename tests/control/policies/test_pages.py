"""Pages of policies: the editor saves what its boxes and rows say, and works without a script."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.control.browsing import Person
from tests.control.calling import Api

Sign = Callable[..., Person]
DOCS = Path(__file__).resolve().parents[3] / "docs" / "extensions"
SENT: dict[str, Any] = {
    "name": "mine",
    "types": ["sqli", "xss"],
    "locations": ["get", "post"],
    "include_kind": ["header", "get"],
    "include_text": ["x-a", ""],
    "exclude_kind": ["json"],
    "exclude_text": ["note"],
    "methods_excluded": ["DELETE"],
    "budget": "300",
}


def policies(api: Api) -> list[dict[str, Any]]:
    return [one for one in api.get("/v1/policy")[1]["objects"] if not one["built_in"]]


def test_a_policy_is_made_changed_and_deleted(person: Sign, api: Api) -> None:
    somebody = person("analyst")
    assert somebody.post("/policies/new/", **SENT).status_code == 302
    (made,) = policies(api)
    told = ("name", "types", "include", "exclude", "methods_excluded", "budget")
    assert [made[name] for name in told] == [
        "mine",
        ["sqli", "xss"],
        [["header", "X-A"]],
        [["post", "json_doc", "json_obj", "note"]],
        ["DELETE"],
        300,
    ]
    path = f"/policies/{made['id']}/change/"
    text = somebody.text(path)
    assert 'value="X-A"' in text
    assert "Whoever controls part of a statement" in text
    changed = {**SENT, "name": "other", "budget": "", "include_kind": [], "include_text": []}
    assert somebody.post(path, **changed).status_code == 302
    (now,) = policies(api)
    assert (now["name"], now["budget"], now["include"]) == ("other", None, [])
    assert "other" in somebody.text(f"/policies/{made['id']}/")
    assert somebody.post(f"/policies/{made['id']}/delete/").status_code == 302
    assert policies(api) == []


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ({"include_kind": ["get", "get"], "include_text": ["a", "("]}, "is no regular expression"),
        ({"types": []}, "types-error"),
        ({"name": ""}, "Fill this in"),
        ({"budget": "0"}, "Must be"),
        ({"methods_excluded": ["A B"]}, "This value cannot be used"),
    ],
)
def test_what_is_wrong_is_marked_and_nothing_is_kept(person: Sign, api: Api, fault: dict[str, Any], told: str) -> None:
    answer = person("admin").post("/policies/new/", **{**SENT, **fault})
    assert answer.status_code == 400
    assert told in answer.content.decode()
    assert policies(api) == []


def test_a_button_of_the_rows_saves_nothing(person: Sign, api: Api) -> None:
    answer = person("admin").post("/policies/new/", **SENT, edit="remove:exclude:0")
    assert answer.status_code == 200
    text = answer.content.decode()
    assert 'value="note"' not in text
    assert 'value="x-a"' in text
    assert 'value="mine"' in text
    assert policies(api) == []


def test_a_new_one_begins_as_a_copy(person: Sign) -> None:
    text = person("analyst").text("/policies/new/?from=thorough")
    assert text.count("checked") > person("analyst", email="b@example.com").text("/policies/new/").count("checked")


def test_a_viewer_reads_and_changes_nothing(person: Sign, api: Api) -> None:
    viewer = person("viewer")
    assert "New policy" not in viewer.text("/policies/")
    assert "SQL injection" in viewer.text("/policies/default/")
    assert viewer.post("/policies/new/", **SENT).status_code == 403
    assert person("admin").get("/policies/default/change/").status_code == 403
    assert policies(api) == []


def test_extensions_are_kept_shown_and_refused_by_line(person: Sign, api: Api) -> None:
    somebody = person("analyst")
    text = (DOCS / "forwarded-host.yaml").read_text()
    rows = {"extension_name": ["forwarded-host.yaml", ""], "extension_text": [text, ""], "only_custom": "on"}
    assert somebody.post("/policies/new/", **SENT, **rows).status_code == 302
    (made,) = policies(api)
    assert (made["extensions"], made["only_custom"]) == ([{"name": "forwarded-host.yaml", "text": text}], True)
    assert "nothing else is tried" in somebody.text(f"/policies/{made['id']}/")
    assert "forwarded-host.yaml" in somebody.text(f"/policies/{made['id']}/change/")
    wrong = {"extension_name": ["wrong.yaml"], "extension_text": ["meta: [\n"]}
    answer = somebody.post(f"/policies/{made['id']}/change/", **SENT, **wrong)
    assert answer.status_code == 400
    assert "Line " in answer.content.decode()
