"""The listener's options: what is left out, what is passed on to another process, and what cannot be."""

import click
import pytest
from click.testing import CliRunner

from gatecrash.cli.oob_options import oob_arguments, oob_options, oob_settings, with_a_services_grace
from gatecrash.core.errors import UserError


def asked(*words: str, service: bool = False):
    """The settings and the words for another process."""
    seen = {}

    @click.command()
    @oob_options
    def command(**given):
        if service:
            given = with_a_services_grace(given)
        seen["words"] = oob_arguments(given)
        seen["settings"] = oob_settings(given)
        assert given == {}

    done = CliRunner().invoke(command, list(words), standalone_mode=False)
    if done.exception:
        raise done.exception
    return seen["settings"], seen["words"]


@pytest.mark.parametrize(("service", "grace"), [(False, 2.0), (True, 30.0)])
def test_by_default_it_listens_for_its_own_machine_and_a_service_for_longer(service, grace):
    settings, _ = asked(service=service)
    assert (settings.host, settings.port, settings.grace) == ("127.0.0.1", 0, grace)


def test_a_service_has_the_grace_that_it_is_given():
    assert asked("--oob-grace", "5", service=True)[0].grace == 5.0


def test_one_process_hands_the_same_to_another():
    words = ["--oob-listen", "0.0.0.0:81", "--oob-address", "192.0.2.1", "--oob-zone", "oob.example.com"]
    settings, handed = asked(*words)
    assert handed == words
    assert asked(*handed)[0] == settings
    assert settings.grace == 30.0


def test_nowhere_can_be_asked_for():
    assert asked("--oob-listen", "")[0] is None


def test_a_grace_out_of_range_is_wrong_usage():
    with pytest.raises(click.UsageError):
        asked("--oob-grace", "601")


def test_a_mistake_is_told_with_its_option():
    with pytest.raises(UserError, match="--oob-listen"):
        asked("--oob-listen", "nowhere")
