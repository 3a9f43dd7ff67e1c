"""Which policies keep a script from running."""

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.pages.content_policy import (
    forbids_data,
    forbids_inline,
    forbids_markup_by_scripts,
    forbids_scripts,
)


def under(policy: bytes) -> Response:
    return Response(200, ((b"Content-Security-Policy", policy),))


@pytest.mark.parametrize("policy", [b"script-src 'self'", b"default-src 'none'; img-src *", b"Script-Src 'nonce-a'"])
def test_these_forbid_inline_scripts(policy):
    assert forbids_inline(under(policy))


@pytest.mark.parametrize("policy", [b"", b"img-src 'self'", b"script-src 'self' 'unsafe-inline'"])
def test_these_do_not(policy):
    assert not forbids_inline(under(policy))


@pytest.mark.parametrize(
    ("policy", "forbids"),
    [
        (b"", False),
        (b"img-src 'self'", False),
        (b"script-src *", True),
        (b"default-src 'self' data:", False),
        (b"script-src 'self'; img-src data:", True),
    ],
)
def test_scripts_from_data_must_be_listed(policy: bytes, forbids: bool):
    assert forbids_data(under(policy)) is forbids


def test_trusted_types_forbid_texts_as_markup():
    assert forbids_markup_by_scripts(under(b"require-trusted-types-for 'script'"))
    assert not forbids_markup_by_scripts(under(b"trusted-types one"))


@pytest.mark.parametrize(
    "policy", [b"sandbox", b"img-src *; Sandbox allow-forms", b"default-src 'none'; img-src *", b"script-src 'none'"]
)
def test_these_let_no_script_run(policy):
    assert forbids_scripts(
        Response(200, ((b"Content-Security-Policy", b"img-src *"), (b"Content-Security-Policy", policy)))
    )


@pytest.mark.parametrize(
    "policy",
    [
        b"",
        b"sandbox allow-scripts",
        b"default-src 'none'; script-src 'self'",
        b"default-src 'none'; script-src-elem 'self'",
        b"script-src 'nonce-a'",
    ],
)
def test_these_let_some_run(policy):
    assert not forbids_scripts(under(policy))
