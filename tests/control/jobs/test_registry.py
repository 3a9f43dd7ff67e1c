import pytest

from gatecrash.control.jobs import registry


def test_the_jobs_of_every_app_are_known() -> None:
    known = registry.handlers()
    assert known["roll_window"].every == 60
    assert all(handler.name == name for name, handler in known.items())


def test_a_name_stands_for_one_function() -> None:
    with pytest.raises(AssertionError, match="roll_window"):
        registry.handlers() and registry.job("roll_window")(lambda _key: None)
