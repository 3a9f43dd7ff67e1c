"""What refuses a path: the place itself, or something in front of it."""

import re
from urllib.parse import unquote

import pytest
from tests.core.testing.driving import drive, record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.ptrav import PROBE
from gatecrash.core.testing.verdict import Inconclusive, Outcome, Verdict

UP = re.compile(r"\.\.[/\\\\]")
FILES = {"/": b"shop", "/look/site.css": b"body {}"}


def by_path(request: Request) -> Response:
    """A server of files that refuses what would leave its folder."""
    path = request.path.decode("latin-1")
    if UP.search(unquote(unquote(path))):
        return Response(403, (), b"Forbidden")
    return Response(200, (), FILES[path]) if path in FILES else Response(404, (), b"Not Found")


def leaves(request: Request) -> bool:
    return UP.search(unquote(unquote(request.target.decode("latin-1")))) is not None


def behind_a_firewall(request: Request) -> Response:
    """It reads the whole address."""
    return Response(403, (), b"Forbidden") if leaves(request) else by_path(request)


def verdict(application, target: str) -> Verdict:
    (check, *_) = plan(record(application, Request("GET", target.encode())), DEFAULT, (), (PROBE,))
    return drive(check, application).verdict


@pytest.mark.parametrize("target", FILES)
def test_a_server_of_files_that_refuses_to_leave_its_folder_is_sound(target: str):
    assert verdict(by_path, target).outcome is Outcome.SAFE


@pytest.mark.parametrize("target", FILES)
def test_what_a_firewall_refuses_is_undecided(target: str):
    assert verdict(behind_a_firewall, target).reason is Inconclusive.BLOCKED


def test_a_ban_that_came_meanwhile_is_no_word_of_the_place():
    banned = []

    def banning(request: Request) -> Response:
        banned.extend([1] if leaves(request) else [])
        return Response(403, (), b"Forbidden") if banned else by_path(request)

    assert verdict(banning, "/look/site.css").outcome is Outcome.INCONCLUSIVE


@pytest.mark.parametrize(("application", "told"), [(by_path, None), (behind_a_firewall, Inconclusive.BLOCKED)])
def test_a_file_that_is_no_longer_there_is_compared_with_itself(application, told):
    asked: list[Request] = []

    def emptied(request: Request) -> Response:
        asked.append(request)
        answer = application(request)
        return Response(404, (), b"Not Found") if asked[1:] and answer.status < 400 else answer

    assert verdict(emptied, "/look/site.css").reason is told
