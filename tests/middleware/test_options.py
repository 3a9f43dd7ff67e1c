from gatecrash.middleware.options import Noting


def test_notes_go_to_the_named_collector_and_no_body_is_copied_unasked() -> None:
    plain = Noting(len)
    assert (plain.app, plain._body_limit) == (len, 0)
    assert plain.sender.usable
    assert Noting(len, "http://127.0.0.1:9", key="k", body_limit=64)._body_limit == 64
