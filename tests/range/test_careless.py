"""No check makes a careless application do more than what was recorded, whichever way in and function it is sent to."""

from pathlib import Path

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from tests.core.testing.careless import FUNCTIONS, Careless, of_resources, requests
from tests.core.testing.driving import runs

POLICIES = {"default": DEFAULT, "thorough": THOROUGH}
ASKED = {f"{name} {way}": request for name in FUNCTIONS for way, request in requests(name)}
ASKED |= {f"{way} {request.target.decode()}": request for way, request in of_resources()}
# Of each of the ways to do more than was meant.
FEW = {
    "default": (
        "rmtree query",
        "visit path",
        "tee path",
        "item-any form",
        "item-any JSON",
        "items-several query",
        "item-price query",
        "items-between form",
        "rm query",
        "queue query",
    ),
    "thorough": ("rmtree query", "rmtree path", "clean query", "transfer form", "mail JSON"),
}


def done_beyond(request: Request, policy: str, folder: Path) -> list[str]:
    application = Careless(folder)
    sent = runs(application, request, policy=POLICIES[policy])
    application.rows.close()
    assert any(run.sent for run in sent)
    return application.beyond


@pytest.mark.soak
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", ASKED)
def test_nothing_is_done_beyond_what_was_recorded(name: str, policy: str, tmp_path: Path) -> None:
    assert done_beyond(ASKED[name], policy, tmp_path) == []


@pytest.mark.parametrize(("policy", "name"), [(policy, name) for policy, names in FEW.items() for name in names])
def test_nothing_is_done_beyond_it_by_few_of_them(policy: str, name: str, tmp_path: Path) -> None:
    assert done_beyond(ASKED[name], policy, tmp_path) == []


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("rmtree query", Request("GET", b"/rmtree?folder[$eq]=deep")),
        ("rmtree query", Request("GET", b"/rmtree?folder=.")),
        ("visit path", Request("GET", b"/visit/..%2f..%2f..%2fetc/passwd")),
        ("item-any JSON", Request("POST", b"/item-any", ((b"Content-Type", b"application/xml"),), b"<name>tea</name>")),
        ("items-several query", Request("GET", b"/items-several?id=2")),
        ("item-price query", Request("GET", b"/item-price?price=3;&name=tea")),
        ("rm query", Request("GET", b"/rm?file=CASE+WHEN+1=1+THEN+tea+END")),
        ("transfer form", Request("POST", b"/transfer", ASKED["transfer form"].headers, b"to=ben&amount=99")),
        ("mail form", Request("POST", b"/mail", ASKED["mail form"].headers, b"to=ann@example.com,eve@example.org&text=")),
    ],
)  # fmt: skip
def test_what_goes_beyond_it_would_be_seen(name: str, asked: Request, tmp_path: Path) -> None:
    application = Careless(tmp_path)
    for each in (ASKED[name], ASKED[name], asked):
        application(each)
    application.rows.close()
    assert len(application.beyond) == 1
