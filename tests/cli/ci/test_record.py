"""What goes through the step's proxy is recorded whole, until it is told to stop or nothing comes any more."""

from pathlib import Path

import httpx
import pytest
from tests.cli.ci.pipeline import recording, step, variables
from tests.cli.running import Up
from tests.plain_http import PLAIN


def test_what_was_sent_is_in_the_record_when_the_step_is_told_to_stop(up: Up, shop: str, tmp_path: Path) -> None:
    known = up.known()
    with recording(variables(up, TEST_RECORD_NAME="from ci", BUILD_ID="b1"), tmp_path) as made:
        with httpx.Client(proxy=made.proxy, **PLAIN) as shopper:
            for number in range(7):
                assert shopper.get(f"{shop}/teas?page={number}").status_code == 200
        assert made.stop() == 0, made.said()
    shown = httpx.get(
        f"{known['api']}/v1/test_record/{made.record_id}",
        headers={"X-Service-API-Token": known["token"]},
        **PLAIN,
    ).json()["body"]
    assert (shown["name"], shown["baseline_count"], shown["ready_for_cloning"]) == ("from ci", 7, True)
    assert "7 baseline requests recorded" in made.said()


def test_silence_ends_the_recording_and_an_empty_one_fails_the_step(up: Up, tmp_path: Path) -> None:
    with recording(variables(up, INACTIVITY_TIMEOUT="1"), tmp_path) as made:
        assert made.wait() == 1
    assert "NOTHING WAS RECORDED" in made.said()


@pytest.mark.parametrize(
    ("name", "value"), [("INACTIVITY_TIMEOUT", "0"), ("INACTIVITY_TIMEOUT", "691201"), ("WORKERS", "many")]
)
def test_a_wrong_setting_is_named_before_anything_starts(up: Up, name: str, value: str) -> None:
    done = step(variables(up, **{name: value}), "record")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{name}={value}" in done.stderr
