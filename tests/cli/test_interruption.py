"""SIGTERM is taken for Ctrl-C, and neither disturbs the writing of a result."""

import signal

import pytest

from gatecrash.cli.interruption import term_interrupts, undisturbed


def test_term_is_the_users_interruption_and_only_within() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), term_interrupts():
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is before


def test_it_is_heard_where_a_shell_has_put_us_into_the_background() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with pytest.raises(KeyboardInterrupt), term_interrupts():
            signal.raise_signal(signal.SIGTERM)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_what_must_be_written_is_written_to_its_end() -> None:
    before = [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)]
    written = []
    with undisturbed():
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGTERM)
        written.append("the report")
    assert written == ["the report"]
    assert [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)] == before
