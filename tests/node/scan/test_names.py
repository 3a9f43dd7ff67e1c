"""Names are compared without case and signs."""

from gatecrash.node.scan.names import plain


def test_one_name_in_three_spellings_is_one() -> None:
    assert {plain(one) for one in ("user_id", "userId", "User-ID")} == {"userid"}
