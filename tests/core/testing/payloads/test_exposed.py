"""The names are relative, each stands once, and none of them can do anything."""

import re

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.effects.destruction import _DELETES
from gatecrash.core.testing.effects.sign_out import signs_out
from gatecrash.core.testing.payloads.exposed import BESIDE, FILES, FOLDERS, TELLING


@pytest.mark.parametrize("names", [FILES, FOLDERS, BESIDE])
def test_names_are_relative_and_stand_once(names):
    assert len(set(names)) == len(names)
    assert not any(name.startswith("/") or ".." in name for name in names)


@pytest.mark.parametrize("name", [*FILES, *FOLDERS, *BESIDE])
def test_no_name_is_one_of_something_that_acts(name):
    request = Request("GET", b"/" + name.encode())
    assert not signs_out(request)
    assert not _DELETES.search(name.replace("dump", ""))


@pytest.mark.parametrize("name", ["users.sql", "app.conf", ".env.old", "id_rsa.pub", "a.bak"])
def test_telling_names_are_known(name):
    assert re.search(TELLING, name)


@pytest.mark.parametrize("name", ["letter.pdf", "logo.png", "readme.md"])
def test_other_names_are_not(name):
    assert not re.search(TELLING, name)
