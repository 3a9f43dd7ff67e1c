"""`gatecrash scan`: from captured traffic to a verdict in one command, with no service."""

import asyncio
import secrets
import sys
import time
from collections.abc import Iterable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import click
import msgspec
import uvloop

from gatecrash import __version__
from gatecrash.cli.accepted_file import accepted_from
from gatecrash.cli.interruption import INTERRUPTED, term_interrupts, undisturbed
from gatecrash.cli.observation import custom_points
from gatecrash.cli.oob_options import oob_options, oob_settings
from gatecrash.cli.outcome import TOLERABLE, Outcome, judge
from gatecrash.cli.output import document, printable, say
from gatecrash.cli.profile_file import profile_from
from gatecrash.cli.scan.arguments import first_of, hosts_of, policy_of, target_of, the_one
from gatecrash.cli.scan.capture import ScanCapture
from gatecrash.cli.scan.capture_url import is_url, origin_of
from gatecrash.cli.scan.deleted import to_be_made
from gatecrash.cli.scan.notes import notes_of, tell_gone, warn_of
from gatecrash.cli.scan.plan import Pace, plan_document, show_plan
from gatecrash.cli.scan.reports import unwritten, wanted_reports
from gatecrash.cli.scan.sessions import Found, ask_first, ask_signed_in, who_is_who
from gatecrash.cli.scan.sign_in import announce, ask_endpoints, enrolment_of, find_operations, sign_in
from gatecrash.cli.scan.sources import Reading, capture_of, signed_in, sources_of
from gatecrash.cli.shape import Command
from gatecrash.cli.upstream_proxy_option import upstream_proxy_option
from gatecrash.cli.watch import progress_display
from gatecrash.core.reports.accepted import Accepted, accepting
from gatecrash.core.reports.json import document as report_document
from gatecrash.core.reports.left_out import left_out
from gatecrash.core.reports.report import Report
from gatecrash.core.reports.text import summary
from gatecrash.core.testing.policy import Policy
from gatecrash.core.testing.profiles.planning import masked_points
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.node.scan.accounts.enrolment import Enrolment
from gatecrash.node.scan.crawling import MOST_PAGES
from gatecrash.node.scan.engine import GENERATION, Engine
from gatecrash.node.scan.ledger import Facts, Ledger
from gatecrash.node.scan.outgoing import Way
from gatecrash.node.scan.planned import Planned, Planner
from gatecrash.node.test.connections.traffic import Tally
from gatecrash.node.test.recorder import new_id
from gatecrash.node.upstream_proxy import read_upstream_proxy
from gatecrash.wire.session import RunOrder

UNREACHED = 3


@click.command(
    cls=Command,
    epilog="""
    gatecrash scan session.har
    gatecrash scan session.har --allow-host staging.example.com --rps 20 --report json=scan.json
    gatecrash scan anna.har bert.har
    gatecrash scan session.har --target http://127.0.0.1:3000 --plan
    gatecrash scan openapi.yaml --target http://127.0.0.1:3000
    gatecrash scan http://127.0.0.1:3000/openapi.json
    gatecrash scan http://127.0.0.1:3000/ --auth-profile profile.yaml
    gatecrash scan http://127.0.0.1:3000/ openapi.yaml --target http://127.0.0.1:3000
    zcat traffic.jsonl.gz | gatecrash scan - --types sqli,auth --json
    """,
)
@click.argument("files", nargs=-1, required=True, metavar="FILE-OR-URL…")
@click.option("--target", multiple=True, callback=the_one, metavar="URL", help="Send to this origin instead of the captured one.")  # fmt: skip
@click.option(
    "--from-host", "from_hosts", multiple=True, metavar="HOST", help="Captured host that --target stands for."
)
@click.option(
    "--allow-host", "allow_hosts", multiple=True, metavar="HOST", help="Host that may be tested; only loopback without."
)
@click.option(
    "--policy",
    "policy_name",
    default="default",
    show_default=True,
    metavar="NAME-OR-FILE",
    help="default, quick, thorough, or a YAML or JSON file.",
)
@click.option(
    "--auth-profile",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="How to sign in: YAML or JSON; ${env:NAME} in it is an environment variable.",
)
@click.option(
    "--sign-up/--no-sign-up",
    default=True,
    help="Of a description without an auth profile: make two accounts by its registration and sign in by its login.",
)
@click.option("--types", metavar="TYPES", help="Only these vulnerability types: sqli,auth.")
@click.option(
    "--crawl-pages",
    type=click.IntRange(0, 5000),
    default=MOST_PAGES,
    show_default=True,
    metavar="N",
    help="Of an address that nothing describes: read this many pages of the site; 0 for none.",
)
@click.option("--param", "parameters", multiple=True, metavar="POINT", help="Another parameter that counts as authentication: header:X-NAME, or as JSON.")  # fmt: skip
@click.option("--exclude-extensions", default="", metavar="PATTERN", help="Skip requests for such files: 'js|css|png'.")
@click.option("--skip-duplicates/--no-skip-duplicates", default=True, help="Test only the first of identical requests.")
@click.option("--rps", type=click.IntRange(1, 1000), metavar="N", help="Test requests a second, 1 to 1000.")
@click.option(
    "--rps-per-baseline",
    type=click.IntRange(1, 500),
    metavar="N",
    help="Test requests a second and baseline, 1 to 500.",
)
@click.option("--workers", type=click.IntRange(1, 100), default=10, show_default=True, help="Baselines tested at once.")
@click.option("--stop-on-first-fail", is_flag=True, help="End at the first vulnerability.")
@oob_options
@upstream_proxy_option
@click.option("--no-verify-tls", is_flag=True, help="Do not check the target's certificate.")
@click.option(
    "--accepted",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Accepted findings, which do not fail the scan: a list in YAML (type, endpoint, reason; point, until), or an earlier scan's JSON report.",
)
@click.option("--allow", multiple=True, type=click.Choice(TOLERABLE), help="Do not fail for this.")
@click.option("--plan", "plan_only", is_flag=True, help="Show what would be sent, and send nothing.")
@click.option(
    "--report",
    "reports",
    multiple=True,
    metavar="FORMAT=FILE",
    help="Write a report; FORMAT is sarif, junit, html, json, txt, csv or md.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def command(files: tuple[str, ...], plan_only: bool, as_json: bool, **options: Any) -> None:
    """Test an API: by captured traffic (HAR, JSON lines, a proxy's XML), its description (OpenAPI, Swagger, GraphQL,
    WSDL, OData, Postman), or requests as text (.http, curl).

    A file, gzipped or not; '-' for standard input; or an address at which the API describes itself, or where a site
    begins: its pages are read then, and its forms are each sent once, beside the description that is given as well or
    found there. Several files of captured traffic, of one user each for example, are read as one. Each request
    becomes a baseline; test requests derived from it are sent to its host, if that is allowed. A description's
    requests are each sent once first, to learn their answers. Ends with 1 when vulnerabilities were found, when
    checks failed or could not decide, or when nothing was tested; with 3 when the target was not reached.
    """
    policy = policy_of(options["policy_name"], options["types"])
    options["oob"] = oob_settings(options)
    profile = profile_from(options["auth_profile"]) if options["auth_profile"] else None
    reports = wanted_reports(options["reports"])
    options["accepted"] = accepted_from(options["accepted"]) if options["accepted"] else None
    allowed = hosts_of("--allow-host", options["allow_hosts"])
    target = target_of(options["target"], allowed)
    from_hosts = hosts_of("--from-host", options["from_hosts"]) if options["from_hosts"] else None
    if from_hosts is not None and target is None:
        raise click.UsageError("--from-host says which requests --target stands for; give --target too.")
    proxy = read_upstream_proxy(options["upstream_proxy"]) if options["upstream_proxy"] else None
    file = first_of(files)
    way = Way(allowed, not options["no_verify_tls"], proxy)
    order, tally = _order(policy, options), Tally(GENERATION)
    with ExitStack() as opened:
        reading = Reading(order, way, profile, options["crawl_pages"], submits=not plan_only)
        sources = sources_of(files, reading, opened)
        read = partial(
            capture_of,
            allowed=allowed,
            target=target,
            from_hosts=from_hosts,
            custom=custom_points(options["parameters"]),
            home=next((origin_of(name) for name in files if is_url(name)), None),
        )
        capture = read(sources)
        if capture.drafts and not plan_only:
            _find_operations(capture, order, way, tally)
        enrolment = enrolment_of(capture, profile) if options["sign_up"] else None
        profile = profile if enrolment is None else _let_in(enrolment, order, way, tally, plan_only=plan_only)
        if enrolment is not None and profile is not None and not plan_only:
            capture = signed_in(capture, sources, reading._replace(profile=profile), read, opened)
        if capture.drafts and not plan_only:
            _ask_endpoints(capture, msgspec.structs.replace(order, profile=profile), way, tally)
        first = ask_first(capture, order, way) if profile is None and not plan_only else Found()
        planning = partial(
            Planner,
            policy,
            capture.learned,
            exclude_extensions=options["exclude_extensions"],
            skip_duplicates=options["skip_duplicates"],
            profile=profile,
            dead=first.dead,
            ask=lambda asked: [] if plan_only else who_is_who(asked, order, way),
        )
        planner, exchanges = planning(), capture.exchanges()
        planned = planner.plan(first.completed(exchanges) if enrolment is None else map(enrolment.filled_in, exchanges))
        order = msgspec.structs.replace(order, profile=planner.profile)
        if planner.signs_in_again and not plan_only and ask_signed_in(capture, first, order, way):
            planner = planning()
            planned = planner.plan(first.completed(capture.exchanges()))
            order = msgspec.structs.replace(order, profile=planner.profile)
        options["deleted"] = None if plan_only else to_be_made(capture, order, dead=bool(first.dead))
    warn_of(capture, planner, allowed, dead=bool(first.dead))
    if plan_only:
        pace = Pace(options["rps"], options["rps_per_baseline"], options["workers"])
        shown = plan_document(planned, dict(planner.passed_over), dict(capture.not_allowed), pace)
        document(shown) if as_json else show_plan(shown)
        return
    nobody = enrolment.trouble if enrolment is not None and profile is None else ""
    options["signed_in"] = first.signed_in
    options["notes"] = notes_of(capture, planner, first, nobody)
    scan = _Scan(file, capture, planned, order, (way, tally), {**options, "again": planner.signed_in_again})
    interrupted = scan.run()
    sys.exit(scan.conclude(reports, options["allow"], interrupted=interrupted, as_json=as_json))


class _Scan:
    """One scan, from its plan to its exit code."""

    def __init__(
        self,
        file: str,
        capture: ScanCapture,
        planned: list[Planned],
        order: RunOrder,
        sending: tuple[Way, Tally],
        options: dict[str, Any],
    ) -> None:
        """order: with who is signed in. sending: where tests may go, and what was sent already. options: with `notes`, and
        `again`: how users sign in whose sessions end.
        """
        now, (way, tally) = time.time(), sending
        name = "standard input" if file == "-" else Path(file).name
        policy = order.policy
        facts = Facts(
            id=order.run_id,
            record_id=order.record_id,
            name=name,
            test_record_name=name,
            policy_id=policy.id,
            created_at=int(now),
            updated_at=now,
            target_url=options["target"],
            file_extensions_to_exclude=options["exclude_extensions"],
            skip_duplicated_baselines=options["skip_duplicates"],
            types_left_out=left_out(policy.types, only_custom=policy.only_custom),
            user_count=len(order.profile.identities) if order.profile else 1,
            notes=options["notes"],
            **_limits(options),
        )
        self._file = file
        self._capture = capture
        self._accepted: list[Accepted] | None = options["accepted"]
        self._ledger = Ledger(facts, planned, now, masked_points(order.profile))
        self._display = progress_display()
        self._engine = Engine(
            self._ledger,
            order,
            capture.learned,
            way.allowed,
            workers=options["workers"],
            verify_tls=way.verify_tls,
            proxy=way.proxy,
            tally=tally,
            oob=options["oob"],
            on_change=lambda: self._display.show(self.shown_run()),
            again=options["again"],
            deleted=options["deleted"],
            signed_in=options["signed_in"],
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

    def shown_run(self) -> dict[str, Any]:
        """The run object as it is now."""
        return self._ledger.shown_run(self._engine.tally.recent(), time.time())

    def conclude(
        self, reports: Iterable[tuple[str, Path]], allow: Iterable[str], *, interrupted: bool, as_json: bool
    ) -> int:
        """Print and write what came of it; the exit code."""
        run = self.shown_run()
        vulnerabilities = self._ledger.shown_vulnerabilities(self._capture.recogniser)
        if self._accepted is not None:
            vulnerabilities, gone = accepting(vulnerabilities, self._accepted, time.time())
            tell_gone([] if interrupted else gone)
        baselines = self._ledger.shown_baselines(self._capture.recogniser)
        report = Report(run=run, vulnerabilities=vulnerabilities, baselines=baselines, version=__version__)
        with undisturbed():
            missing = unwritten(report, reports)
        if as_json:
            document(report_document(run, vulnerabilities, baselines))
        else:
            click.echo(printable(summary(run, vulnerabilities, baselines)))
        # A pipeline that goes on to read a report must not go on without it.
        counted = {one["code"] for one in vulnerabilities if not one.get("suppressed")}
        suppressed = {one["code"] for one in vulnerabilities} - counted
        outcome = judge(run, tuple(allow), suppressed, vulnerabilities)
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
            statements = (f"NOTHING WAS TESTED: {self._file} holds no request, or none that may be tested.",)
        if interrupted:
            code = INTERRUPTED
        elif self._engine.tally.sent and not self._engine.tally.answered:
            code = UNREACHED
            asked = ", ".join(dict.fromkeys(str(origin_of(one["url"])) for one in baselines))
            statements = (f"TARGET NOT REACHED: {asked} gave no answer at all.", *statements)
        for statement in statements:
            say(statement, colour="red" if code else "green")
        return code


def _order(policy: Policy, options: dict[str, Any]) -> RunOrder:
    """The run as an engine wants it, before anybody is signed in."""
    return RunOrder(
        run_id=new_id("tr_"),
        generation=GENERATION,
        record_id=new_id("rec_"),
        recording=False,
        sending=True,
        policy=policy,
        marker_key=secrets.token_bytes(32),
        **_limits(options),
    )


def _limits(options: dict[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in ("rps", "rps_per_baseline", "stop_on_first_fail")}


def _find_operations(capture: ScanCapture, order: RunOrder, way: Way, tally: Tally) -> None:
    try:
        find_operations(capture, order, way, tally)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _ask_endpoints(capture: ScanCapture, order: RunOrder, way: Way, tally: Tally) -> None:
    try:
        ask_endpoints(capture, order, way, tally)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _let_in(enrolment: Enrolment, order: RunOrder, way: Way, tally: Tally, *, plan_only: bool) -> AuthProfile | None:
    """Who the scan is signed in as by the description's own login; what a plan foresees of it."""
    if plan_only:
        announce(enrolment)
        return enrolment.foreseen()
    try:
        sign_in(enrolment, order, way, tally)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    return enrolment.profile
