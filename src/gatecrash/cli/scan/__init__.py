"""`gatecrash scan`: from captured traffic to a verdict in one command, with no service."""

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from gatecrash.cli.browser_option import browser_option
from gatecrash.cli.oob_options import oob_options
from gatecrash.cli.outcome import TOLERABLE
from gatecrash.cli.output import document
from gatecrash.cli.scan.arguments import the_one
from gatecrash.cli.scan.execution import Execution
from gatecrash.cli.scan.notes import warn_of
from gatecrash.cli.scan.plan import Pace, plan_document, show_plan
from gatecrash.cli.scan.preparation import Prepared, prepare
from gatecrash.cli.scan.settings import ScanSettings, settings_of
from gatecrash.cli.shape import Command
from gatecrash.cli.upstream_proxy_option import upstream_proxy_option
from gatecrash.node.scan.crawling import MOST_PAGES
from gatecrash.node.scan.engine import GENERATION
from gatecrash.node.test.connections.traffic import Tally


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
@browser_option
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
def command(files: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Test an API: by captured traffic (HAR, JSON lines, a proxy's XML), its description (OpenAPI, Swagger, GraphQL,
    WSDL, OData, Postman), or requests as text (.http, curl).

    A file, gzipped or not; '-' for standard input; or an address at which the API describes itself, or where a site
    begins: its pages are read then, and its forms are each sent once, beside the description that is given as well or
    found there. Several files of captured traffic, of one user each for example, are read as one. Each request
    becomes a baseline; test requests derived from it are sent to its host, if that is allowed. A description's
    requests are each sent once first, to learn their answers. Ends with 1 when vulnerabilities were found, when
    checks failed or could not decide, or when nothing was tested; with 3 when the target was not reached.
    """
    settings = settings_of(files, options)
    tally = Tally(GENERATION)
    with ExitStack() as opened:
        prepared = prepare(settings, tally, opened)
    warn_of(prepared.capture, prepared.planner, settings.way.allowed, dead=bool(prepared.first.dead))
    if settings.plan_only:
        _show(settings, prepared, as_json=as_json)
        return
    execution = Execution(settings, prepared, tally)
    interrupted = execution.run()
    sys.exit(execution.conclude(interrupted=interrupted, as_json=as_json))


def _show(settings: ScanSettings, prepared: Prepared, *, as_json: bool) -> None:
    pace = Pace(settings.rps, settings.rps_per_baseline, settings.workers)
    left_out, hosts = dict(prepared.planner.passed_over), dict(prepared.capture.not_allowed)
    shown = plan_document(prepared.planned, left_out, hosts, pace)
    document(shown) if as_json else show_plan(shown)
