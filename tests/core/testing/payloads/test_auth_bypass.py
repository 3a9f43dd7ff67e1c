"""Other spellings: each differs from the path, stays one request target, and leads to the same place for somebody."""

import posixpath
import re
from urllib.parse import unquote

import pytest

from gatecrash.core.testing.payloads.auth_bypass import ADDRESSES, INSIDE, METHODS, older_versions, spellings

PATH = b"/admin/users/7"


@pytest.mark.parametrize("path", [PATH, b"/ADMIN/x/", b"/a", b"/7/8"])
@pytest.mark.parametrize("thorough", [True, False])
def test_a_spelling_differs_and_can_stand_in_a_request_line(path, thorough):
    made = {told: spell(path) for told, spell in spellings(path, thorough=thorough).items()}
    assert path not in made.values()
    assert all(re.fullmatch(rb"/[!-~]*", each) for each in made.values())


def test_each_leads_to_the_place_for_a_lenient_router():
    for told, spell in spellings(PATH, thorough=True).items():
        plain = unquote(spell(PATH).decode()).strip().lower().removesuffix(".json")
        plain = posixpath.normpath("/" + re.sub(r";[^/]*", "", plain).lstrip("/"))
        assert plain == PATH.decode(), told


def test_the_likeliest_come_first_and_few_are_enough_where_requests_are_spared():
    assert list(spellings(PATH, thorough=True))[:5] == list(spellings(PATH, thorough=False))
    assert len(spellings(PATH, thorough=True)) >= 12


def test_the_root_has_no_other_spelling():
    assert spellings(b"/", thorough=True) == {}


def test_headers_are_named_once():
    assert len({name.lower() for name in (*ADDRESSES, *INSIDE, *METHODS)}) == len((*ADDRESSES, *INSIDE, *METHODS))


@pytest.mark.parametrize(
    ("path", "older"),
    [
        (b"/api/v2/users/7", [b"/api/v1/users/7"]),
        (b"/v12/users", [b"/v11/users", b"/v1/users"]),
        (b"/api/v1/users", []),
        (b"/api/v2", []),
        (b"/devices/v2x/7", []),
    ],
)
def test_older_versions_are_the_one_before_and_the_first(path, older):
    assert [spell(path) for spell in older_versions(path).values()] == older
