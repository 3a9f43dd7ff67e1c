"""Watching a test run to its end: one live line on a terminal, plain lines elsewhere, all on standard error."""

import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

import click
from rich.console import Console
from rich.live import Live
from rich.text import Text

from gatecrash.cli.api import Api, Refused, Unreachable, segment
from gatecrash.cli.outcome import ENDED, counted
from gatecrash.cli.output import coloured, printable, say, span
from gatecrash.core.reports.plural import plural

POLL_SECONDS = 0.5
PLAIN_SECONDS = 10.0
# A node asks for orders every 2 seconds.
RECORDING_SECONDS = 10.0
# A service that is being restarted comes back well within this; longer is worth an exit code of its own.
PATIENCE_SECONDS = 60.0
# Whether its node is heard is asked so often.
NODE_SECONDS = 10.0
# Without a limit of its own a run is slower than this because its target is; but not in the first seconds behind a
# recording, in which all was tested that had come: the speed is that of the last 10.
SLOW_RPS = 1.0
SPEED_SECONDS = 10.0


class StillRunning(click.ClickException):
    """The time given for waiting is over and the run is not."""

    exit_code = 1


def watch(
    api: Api, run_id: str, timeout: float | None = None, check: Callable[[], None] = lambda: None
) -> dict[str, Any]:
    """Read the run until it has ended, showing how far it is; its last state.

    check: called at each look while the run goes on; what it raises ends the watching.
    Raises StillRunning after `timeout` seconds, Unreachable where the service stays away, Refused where it says no.
    """
    deadline = None if timeout is None else time.monotonic() + timeout
    display = progress_display()
    path = f"/v1/test_run/{segment(run_id)}"
    run = api.get(path)  # a wrong address or identifier is told at once
    node = _Node(api, run.get("node_id"))
    busy_since = time.monotonic()
    with display:
        while True:
            if run.get("recording"):
                busy_since = time.monotonic()
            steady = time.monotonic() - busy_since >= SPEED_SECONDS
            display.show({**run, "node_silent": node.silent(), "steady": steady})
            if run["state"] in ENDED:
                return run
            if deadline is not None and time.monotonic() > deadline:
                raise StillRunning(f"{run_id} is still {run['state']} after {timeout:g} s; it goes on.")
            check()
            time.sleep(POLL_SECONDS)
            run = patiently(api, path)


def until_recording(api: Api, run: dict[str, Any]) -> dict[str, Any]:
    """The run when its node records it, or after some seconds as it is then: the node hears of it by its heartbeat."""
    deadline = time.monotonic() + RECORDING_SECONDS
    while not run["ready_for_recording"] and run["state"] not in ENDED and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)
        run = api.get(f"/v1/test_run/{segment(run['id'])}")
    return run


def patiently(api: Api, path: str) -> dict[str, Any]:
    """GET, tried again for a while where the service is away, answers 5xx or asks for patience."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return api.get(path)
        except (Unreachable, Refused) as error:
            passing = isinstance(error, Unreachable) or error.status >= 500 or error.status == 429
            if not passing or time.monotonic() > deadline:
                raise
            time.sleep(1.0)


class _Node:
    """Whether a run's node is heard: without it nothing goes on, and nothing else tells."""

    def __init__(self, api: Api, node_id: str | None) -> None:
        self._api = api
        self._path = f"/v1/nodes/{segment(node_id)}" if node_id else ""
        self._again_at = 0.0
        self._seconds: int | None = None

    def silent(self) -> int | None:
        """For how many seconds it has not been heard; None where it is, or nobody may know."""
        now = time.monotonic()
        if self._path and now >= self._again_at:
            self._again_at = now + NODE_SECONDS
            try:
                node = self._api.get(self._path)
            except (Unreachable, Refused):
                return self._seconds
            seen = node["last_seen"]
            self._seconds = None if node["connected"] or seen is None else max(0, int(time.time() - seen))
        return self._seconds


def line(run: Mapping[str, Any]) -> str:
    """The state of a run in one line. node_silent and steady are the watcher's: of its node, and whether the speed tells of its target.
    checks_wait: a scan's own, which a service does not hear.
    """
    parts = [str(run["state"])]
    if run.get("recording"):
        parts.append("recording" if run.get("ready_for_recording", True) else "waiting for its node")
    terminated = run.get("baseline_check_all_terminated_count") or 0
    to_check = (run.get("baseline_count") or 0) - (run.get("baseline_skipped_count") or 0)
    done = terminated - (run.get("baseline_check_interrupted_count") or 0)
    parts.append(f"{done} of {plural(to_check, 'baseline')} done")
    parts.append(f"{run.get('sended_requests_count') or 0} sent, {run.get('planing_requests_count') or 0} to go")
    if run["state"] == "running" and not run.get("recording") and 0 < to_check <= terminated:
        parts.append("waiting for what may come late")
    speed = run.get("current_rps")
    if speed is not None and run["state"] not in ENDED:
        parts.append(f"{speed:.1f} a second")
    parts += _remaining(run)
    silent = run.get("node_silent")
    if silent is not None and run["state"] not in ENDED:
        parts.append(f"its node was last heard {span(silent)} ago")
    if found := run.get("vulns"):
        parts.append(counted(found))
    return printable(" · ".join(parts))


def _remaining(run: Mapping[str, Any]) -> list[str]:
    """The time that is left; by the run's average where so little comes back that the last seconds tell nothing."""
    left, speed = run.get("estimated_time_to_completion"), run.get("current_rps")
    planned, average = run.get("planing_requests_count") or 0, run.get("avg_rps")
    told = [] if left is None else [f"{span(left)} left"]
    limited = run.get("rps") or run.get("rps_per_baseline")
    if (
        run["state"] != "running"
        or run.get("recording")
        or limited
        or not planned
        or speed is None
        or speed >= SLOW_RPS
        or not run.get("steady", True)
    ):
        return told
    if left is None and average:
        told.append(f"some {span(planned / average)} left")
    if run.get("checks_wait"):
        return [*told, "few answers come: a check waits on purpose before it asks again"]
    return [
        *told,
        "few answers come: the target is slow, or limits how often it is asked, or checks wait before they ask again",
    ]


def progress_display() -> "_LiveLine | _PlainLines":
    """What shows a run while it goes on, on standard error; a context manager with `show(run)`."""
    return _LiveLine() if coloured(sys.stderr) else _PlainLines()


class _LiveLine:
    """One line that is drawn again and again."""

    def __init__(self) -> None:
        self._live = Live(console=Console(stderr=True), refresh_per_second=4)

    def __enter__(self) -> "_LiveLine":
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def show(self, run: Mapping[str, Any]) -> None:
        """Draw the line."""
        colour = "red" if run.get("vulns") else "cyan"
        self._live.update(Text(line(run), style=colour, no_wrap=True, overflow="ellipsis"))


class _PlainLines:
    """A line at every change of state or of what was found, else every few seconds."""

    def __init__(self) -> None:
        self._last: tuple[object, ...] = ()
        self._said = 0.0

    def __enter__(self) -> "_PlainLines":
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def show(self, run: Mapping[str, Any]) -> None:
        """Say the line where it is due."""
        now = time.monotonic()
        key = (run["state"], run.get("recording"), len(run.get("vulns") or ()))
        if key != self._last or now - self._said >= PLAIN_SECONDS:
            say(line(run))
            self._last, self._said = key, now
