"""The same weakness has the same fingerprint wherever it is found, and no other has it."""

from gatecrash.core.message import Request
from gatecrash.core.testing.fingerprint import code_of, digest, endpoint_of, fingerprint


def of(target: bytes, type_: str = "sqli", point: tuple[str, ...] = ("get", "q"), **more: object) -> str:
    return fingerprint(type_, endpoint_of(Request("GET", target, host="h", **more)), point)  # type: ignore[arg-type]


def test_identifiers_and_values_do_not_count() -> None:
    assert of(b"/items/5?q=1") == of(b"/items/77?q=2")


def test_type_endpoint_host_and_point_do() -> None:
    same = of(b"/items/5")
    others = [
        of(b"/items/5", "xss"),
        of(b"/orders/5"),
        of(b"/items/5", point=("get", "p")),
        of(b"/items/5", port=8080),
    ]
    assert len({same, *others}) == 5


def test_parts_do_not_run_together() -> None:
    assert digest(("ab", "c")) != digest(("a", "bc"))


def test_codes_grow_beyond_four_digits() -> None:
    assert (code_of(1), code_of(12345)) == ("S0001", "S12345")
