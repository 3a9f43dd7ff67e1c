"""The three verdicts, and what each carries."""

import msgspec

from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.verdict import (
    NOTHING_FITS,
    Inconclusive,
    Outcome,
    Proof,
    Verdict,
    explained,
    inconclusive,
    is_untested,
    nothing_there,
    safe,
    vulnerable,
)

POINT = Point.of("get", "q")


def test_there_is_no_fourth_verdict():
    assert list(Outcome) == ["vulnerable", "safe", "inconclusive"]


def test_an_inconclusive_verdict_always_has_its_reason_and_no_threat():
    verdict = inconclusive("sqli", POINT, Inconclusive.BLOCKED, "403")
    assert (verdict.outcome, verdict.reason, verdict.threat) == (Outcome.INCONCLUSIVE, Inconclusive.BLOCKED, 0)


def test_a_safe_verdict_names_what_was_looked_for_and_where():
    verdict = safe("sqli", POINT)
    assert (verdict.type, verdict.point, verdict.reason) == ("sqli", ("get", "q"), None)


def test_a_verdict_travels_unchanged():
    verdict = inconclusive("sqli", POINT, Inconclusive.SESSION)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(verdict), type=Verdict) == verdict


def test_what_breaks_where_a_flaw_has_a_name_is_no_anomaly_besides():
    proven = [Verdict(outcome=Outcome.VULNERABLE, type="sqli", point=("get", "q"))]
    assert explained("anomaly", POINT, proven)
    assert not explained("anomaly", Point.of("get", "other"), proven)
    inside = [msgspec.structs.replace(proven[0], point=(*POINT, "list", "0"))]
    assert explained("anomaly", POINT, inside)
    assert not explained("anomaly", Point.of("get", "q", "list", "1"), inside)
    assert not explained("xss", POINT, proven)
    assert not explained("anomaly", POINT, [safe("sqli", POINT)])
    assert explained("anomaly", POINT, [safe("xss", POINT), *proven])


def test_a_flaw_at_a_point_explains_nothing_about_the_request_as_a_whole() -> None:
    proven = Verdict(outcome=Outcome.VULNERABLE, type="sqli", point=tuple(POINT), threat=80)
    assert not explained("anomaly", Point(()), [proven])


def test_only_what_passed_for_lack_of_anything_to_test_is_untested() -> None:
    assert is_untested("passed", NOTHING_FITS)
    assert is_untested("passed", nothing_there(404))
    assert is_untested("passed", nothing_there(410))
    assert not is_untested("passed", nothing_there(200))
    assert not is_untested("passed", "")
    assert not is_untested("failed", NOTHING_FITS)


def test_a_finding_elsewhere_belongs_to_what_its_proof_asks():
    baseline, hidden = Request("GET", b"/start"), Request("GET", b"/.env")
    found = Verdict(
        outcome=Outcome.VULNERABLE,
        type="info",
        elsewhere=True,
        proof=Proof(test=Exchange(hidden), verified_by="It was handed out."),
    )
    assert (found.broken(baseline), found.place) == (hidden, ("/.env",))
    here = msgspec.structs.replace(found, elsewhere=False)
    assert (here.broken(baseline), here.place) == (baseline, ())


def test_a_finding_has_the_words_of_its_class_unless_it_has_narrower_ones() -> None:
    entry = Entry(type="auth", title="Broken", cwe=(306, 287), owasp=(), owasp_api=(), why="", remediation="")
    test = Exchange(Request("GET", b"/"))
    wide = vulnerable(entry, POINT, threat=75, test=test, verified_by="It let in.")
    assert (wide.outcome, wide.type, wide.title, wide.cwe) == (Outcome.VULNERABLE, "auth", "Broken", (306, 287))
    narrow = vulnerable(entry, POINT, threat=75, test=test, verified_by="It let in.", cwe=(347,), title="Forged")
    assert (narrow.title, narrow.cwe) == ("Forged", (347,))
