"""The probe auth_password, driven against the range's guards by name and password."""

from tests.core.testing.driving import credentials_of, drive, record
from tests.core.testing.probes.at_range import AtRange
from tests.range.basic import signed, told
from tests.range.place import respond

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.auth_password import MOST_TRIES, PROBE
from gatecrash.core.testing.verdict import Outcome


class TestProbe(AtRange):
    name = "auth_password"
    probe = PROBE


def check_of(request: Request):
    checks = plan(record(respond, request), DEFAULT, credentials_of(request), (PROBE,))
    return checks[0] if checks else None


def test_a_sound_endpoint_costs_one_wrong_password():
    run = drive(check_of(signed("/basic/compared")), respond)
    assert (run.verdict.outcome, len(run.sent)) == (Outcome.SAFE, run.check.forecast)
    assert [told(asked.request)[0] for asked in run.sent] == ["ann", "ann"]
    assert len({told(asked.request)[1] for asked in run.sent}) == 2


def test_a_finding_names_the_user_and_no_password():
    verdict = drive(check_of(signed("/basic/by-name")), respond).verdict
    assert (verdict.title, verdict.cwe, verdict.detail) == (
        "Any password is accepted",
        (287,),
        "the user 'ann' with any password",
    )


def test_one_account_sees_three_wrong_passwords_at_the_most():
    asked = [signed(f"/part{number}/x") for number in range(50)]
    assert len({PROBE.collected(request) for request in asked}) == MOST_TRIES


def test_only_names_with_passwords_on_safe_requests_are_tried():
    token = Request("GET", b"/basic/compared", ((b"Authorization", b"Bearer 3f9a0c77de114b02"),))
    assert check_of(token) is None
    key_alone = Request("GET", b"/basic/compared", ((b"Authorization", b"Basic a2V5MTIzNDo="),))
    assert check_of(key_alone) is None
    changing = signed("/basic/compared")
    assert (
        plan(
            record(lambda _: Response(200, (), b"{}"), Request("POST", changing.target, changing.headers)),
            DEFAULT,
            credentials_of(changing),
            (PROBE,),
        )
        == []
    )
