from gatecrash.control.accounts import actor


def test_who_acts_is_the_system_unless_said_and_again_afterwards() -> None:
    assert actor.current() == "system"
    with actor.acting("tok_1"):
        with actor.acting("usr_1"):
            assert actor.current() == "usr_1"
        assert actor.current() == "tok_1"
    assert actor.current() == "system"
