"""A planned scan, run to its end, and what its verdict, its reports and its exit code are."""

import asyncio
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
import uvloop

from gatecrash import __version__
from gatecrash.cli.interruption import INTERRUPTED, term_interrupts, undisturbed
from gatecrash.cli.outcome import Outcome, judge
from gatecrash.cli.output import document, printable, say
from gatecrash.cli.scan.notes import notes_of, tell_gone
from gatecrash.cli.scan.preparation import Prepared
from gatecrash.cli.scan.reports import unwritten
from gatecrash.cli.scan.settings import ScanSettings
from gatecrash.cli.watch import progress_display
from gatecrash.core.reports.accepted import accepting
from gatecrash.core.reports.json import document as report_document
from gatecrash.core.reports.left_out import left_out
from gatecrash.core.reports.report import Report
from gatecrash.core.reports.text import summary
from gatecrash.core.testing.profiles.planning import masked_points
from gatecrash.node.scan.engine import Engine, Known
from gatecrash.node.scan.fetching import origin_of
from gatecrash.node.scan.ledger import Facts, Ledger
from gatecrash.node.test.connections.traffic import Tally

UNREACHED = 3
"""The exit code where the target answered nothing at all."""


class Execution:
    """One scan, from its plan to its exit code."""

    def __init__(self, settings: ScanSettings, prepared: Prepared, tally: Tally) -> None:
        """tally: what was sent already."""
        now = time.time()
        self._settings = settings
        self._capture = prepared.capture
        self._ledger = Ledger(
            _facts(settings, prepared, now), prepared.planned, now, masked_points(prepared.order.profile)
        )
        self._display = progress_display()
        self._engine = Engine(
            self._ledger,
            prepared.order,
            prepared.capture.learned,
            settings.way,
            workers=settings.workers,
            tally=tally,
            oob=settings.oob,
            on_change=self._show,
            known=Known(prepared.planner.signed_in_again, prepared.deleted, prepared.first.signed_in),
        )

    def run(self) -> bool:
        """Test to the end; whether the user ended it before."""
        try:
            with (
                term_interrupts(),
                self._display,
                asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
            ):
                runner.run(self._engine.run())
        except KeyboardInterrupt:
            self._ledger.interrupt(time.time())  # a second Ctrl-C may come before the engine has said so
            return True
        return False

    def _show(self) -> None:
        self._display.show({**self.shown_run(), "checks_wait": self._engine.tally.waits.open > 0})

    def shown_run(self) -> dict[str, Any]:
        """The run object as it is now."""
        return self._ledger.shown_run(self._engine.tally.recent(), time.time())

    def conclude(self, *, interrupted: bool, as_json: bool) -> int:
        """Print and write what came of it; the exit code."""
        run = self.shown_run()
        vulnerabilities = self._ledger.shown_vulnerabilities(self._capture.recogniser)
        if self._settings.accepted is not None:
            vulnerabilities, gone = accepting(vulnerabilities, self._settings.accepted, time.time())
            tell_gone([] if interrupted else gone)
        baselines = self._ledger.shown_baselines(self._capture.recogniser)
        report = Report(run=run, vulnerabilities=vulnerabilities, baselines=baselines, version=__version__)
        with undisturbed():
            missing = unwritten(report, self._settings.reports)
        if as_json:
            document(report_document(run, vulnerabilities, baselines))
        else:
            click.echo(printable(summary(run, vulnerabilities, baselines)))
        # A pipeline that goes on to read a report must not go on without it.
        counted = {one["code"] for one in vulnerabilities if not one.get("suppressed")}
        suppressed = {one["code"] for one in vulnerabilities} - counted
        outcome = judge(run, self._settings.allow, suppressed, vulnerabilities)
        return self._judged(run, baselines, outcome, interrupted=interrupted) or (2 if missing else 0)

    def _judged(
        self,
        run: dict[str, Any],
        baselines: Iterable[dict[str, Any]],
        outcome: Outcome,
        *,
        interrupted: bool,
    ) -> int:
        statements, code = outcome.statements, outcome.exit_code
        if not run["baseline_count"] and code:
            first = self._settings.first
            statements = (f"NOTHING WAS TESTED: {first} holds no request, or none that may be tested.",)
        if interrupted:
            code = INTERRUPTED
        elif self._engine.tally.sent and not self._engine.tally.answered:
            code = UNREACHED
            asked = ", ".join(dict.fromkeys(str(origin_of(one["url"])) for one in baselines))
            statements = (f"TARGET NOT REACHED: {asked} gave no answer at all.", *statements)
        for statement in statements:
            say(statement, colour="red" if code else "green")
        return code


def _facts(settings: ScanSettings, prepared: Prepared, now: float) -> Facts:
    """What the run object says of the scan besides how far it is."""
    order, policy = prepared.order, settings.policy
    name = "standard input" if settings.first == "-" else Path(settings.first).name
    return Facts(
        id=order.run_id,
        record_id=order.record_id,
        name=name,
        test_record_name=name,
        policy_id=policy.id,
        created_at=int(now),
        updated_at=now,
        target_url=settings.target_url,
        file_extensions_to_exclude=settings.exclude_extensions,
        skip_duplicated_baselines=settings.skip_duplicates,
        types_left_out=left_out(policy.types, only_custom=policy.only_custom),
        user_count=len(order.profile.identities) if order.profile else 1,
        notes=notes_of(prepared.capture, prepared.planner, prepared.first, prepared.nobody),
        rps=settings.rps,
        rps_per_baseline=settings.rps_per_baseline,
        stop_on_first_fail=settings.stop_on_first_fail,
    )
