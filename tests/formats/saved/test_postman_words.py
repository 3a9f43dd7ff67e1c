"""Whom the requests of a collection are for, by their names, their descriptions and their folders."""

import io
import json
from typing import Any

import pytest

from gatecrash.formats.draft import Draft
from gatecrash.formats.saved import postman

BEARER = {"type": "bearer", "bearer": [{"key": "token", "value": "{{token}}"}]}


def roles(item: dict[str, Any], folder: str = "", auth: dict[str, Any] = BEARER) -> tuple[str, ...]:
    """Those who are meant by an item that stands beside three others."""
    others = [saved("others") for _ in range(3)]
    items = [{"name": folder, "item": [item]}, *others] if folder else [item, *others]
    document = {"info": {"name": "n"}, "item": items, "auth": auth}
    first = next(iter(postman.read(io.BytesIO(json.dumps(document).encode()))))
    assert isinstance(first, Draft)
    return first.meant.roles if first.meant is not None else ()


def saved(name: str, description: Any = None, path: str = "loans", **more: Any) -> dict[str, Any]:
    return {
        "name": name,
        "request": {"method": "POST", "url": f"http://a.example/{path}", "description": description, **more},
    }


@pytest.mark.parametrize(
    ("item", "folder", "meant"),
    [
        (saved("Approve a loan", "Managers only."), "", ("manager",)),
        (saved("Approve a loan", {"content": "Approves it. Admin only.", "type": "text/markdown"}), "", ("admin",)),
        (saved("Approve (admin)"), "", ("admin",)),
        (saved("Approve a loan"), "Admin", ("admin",)),
        (saved("Approve a loan", "Also for admins"), "", ()),
        (saved("Approve a loan"), "Loans", ()),
        (saved("Approve a loan", "Admin only", "teams/3/loans"), "", ()),
    ],
)
def test_who_is_meant(item: dict[str, Any], folder: str, meant: tuple[str, ...]) -> None:
    assert roles(item, folder) == meant


def test_what_brings_credentials_of_its_own_may_be_theirs() -> None:
    own = {"type": "bearer", "bearer": [{"key": "token", "value": "an-admins-own-token"}]}
    assert roles(saved("Approve a loan", "Admin only"), auth=own) == ()
