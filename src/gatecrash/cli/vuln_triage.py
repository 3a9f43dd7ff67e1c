"""`gatecrash vuln …`: what people decide about a vulnerability, and testing one again."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import click

from gatecrash.cli.api import Api, segment
from gatecrash.cli.options import json_option, with_api
from gatecrash.cli.output import document, moment, say, table
from gatecrash.cli.shape import Command
from gatecrash.core.errors import UserError

SUPPRESSIONS = "/v1/suppressions"
STATES = ("open", "fixed", "accepted", "false_positive")
_CODE = re.compile(r"[sS][0-9]{4,}")


def end_of(_ctx: click.Context | None, _option: click.Parameter | None, given: str | None) -> int | None:
    """UNIX seconds of a day (its end in UTC is meant) or of a moment in ISO 8601, which is UTC where it has no zone.

    Raises BadParameter.
    """
    if given is None:
        return None
    try:
        read = datetime.fromisoformat(given)
    except ValueError as error:
        raise click.BadParameter(f"{given!r} is no day like 2030-01-31 nor a moment like 2030-01-31T12:00.") from error
    if len(given) <= len("2030-01-31"):
        read = read.replace(hour=23, minute=59, second=59)
    return int((read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp())


def end_to_come(context: click.Context | None, option: click.Parameter | None, given: str | None) -> int | None:
    """The same for a day or a moment that is not over. Raises BadParameter."""
    end = end_of(context, option, given)
    if end is not None and end <= datetime.now(UTC).timestamp():
        raise click.BadParameter(f"{given!r} is over; name a day or a moment to come.")
    return end


@click.command(
    "state",
    cls=Command,
    epilog="""
    gatecrash vuln state S0001 accepted --comment "behind the VPN until March"
    gatecrash vuln state vuln_c29e10 fixed
    """,
)
@click.argument("vulnerability", metavar="VULN")
@click.argument("state", type=click.Choice(STATES))
@click.option("--comment", default="", help="Why; it stays in the history.")
@json_option
@with_api
def set_state(api: Api, vulnerability: str, state: str, comment: str, as_json: bool) -> None:
    """Decide what is thought of a vulnerability; it holds for its code, in every run.

    What is called fixed opens again when it is found again. A state fails or passes no pipeline; a suppression does.
    """
    body = api.patch(f"/v1/vulns/{segment(named(api, vulnerability))}", {"state": state, "comment": comment})
    document(body) if as_json else say(f"{body['code']} is {body['state'].replace('_', ' ')} now.")


@click.command(
    "suppress",
    cls=Command,
    epilog="""
    gatecrash vuln suppress S0001 --reason "mended in release 4" --until 2030-01-31
    gatecrash vuln suppress vuln_c29e10 --reason "the test system has no logins"
    """,
)
@click.argument("vulnerability", metavar="VULN")
@click.option("--reason", required=True, help="Why it need not fail a pipeline.")
@click.option(
    "--until",
    "expires_at",
    callback=end_to_come,
    metavar="DAY",
    help="The last day it holds, or a moment; without, no end.",
)
@json_option
@with_api
def suppress(api: Api, vulnerability: str, reason: str, expires_at: int | None, as_json: bool) -> None:
    """Keep a code from failing pipelines, in every run; what a run found and its state stay as they are."""
    wish = {"code": code_of(api, vulnerability), "reason": reason, "expires_at": expires_at}
    body = api.post(SUPPRESSIONS, wish)
    if as_json:
        document(body)
        return
    click.echo(body["id"])
    say(f"{body['code']} fails no pipeline{f' until {moment(expires_at)}' if expires_at else ''}.")


@click.command("unsuppress", cls=Command, epilog="gatecrash vuln unsuppress S0001")
@click.argument("suppression", metavar="CODE-OR-ID")
@with_api
def unsuppress(api: Api, suppression: str) -> None:
    """Let a code fail pipelines again: all its suppressions go, or the one that is named by its identifier."""
    if not _CODE.fullmatch(suppression):
        api.delete(f"{SUPPRESSIONS}/{segment(suppression)}")
        say(f"Removed {suppression}.")
        return
    code = suppression.upper()
    gone = api.pages(SUPPRESSIONS, code=code)["objects"]
    for one in gone:
        api.delete(f"{SUPPRESSIONS}/{segment(one['id'])}")
    say(f"{code} fails pipelines again." if gone else f"{code} was not suppressed.")


@click.command("suppressions", cls=Command, epilog="gatecrash vuln suppressions --json")
@json_option
@with_api
def suppressions(api: Api, as_json: bool) -> None:
    """List the suppressed codes with their reasons and ends, the newest first."""
    body = api.pages(SUPPRESSIONS)
    if as_json:
        document(body)
        return
    rows = (
        (one["id"], one["code"], one["active"], moment(one["expires_at"]), one["actor"], one["reason"])
        for one in body["objects"]
    )
    table(("id", "code", "active", "ends", "by", "reason"), rows, empty="No code is suppressed.")


@click.command(
    "retest",
    cls=Command,
    epilog="""
    gatecrash vuln retest S0001
    gatecrash vuln retest vuln_c29e10 --wait
    """,
)
@click.argument("vulnerability", metavar="VULN")
@click.option("--wait", is_flag=True, help="Watch the run to its end; 1 where the vulnerability is still there.")
@json_option
@with_api
def retest(api: Api, vulnerability: str, wait: bool, as_json: bool) -> None:
    """Test one vulnerability again: a run over the request it was found at, for its type and point only.

    It runs on the client's default node and, as any new run there, interrupts the one before.
    """
    run = api.post(f"/v1/vulns/{segment(named(api, vulnerability))}/retest")
    if wait:
        _watched(api, run, as_json=as_json)
    elif as_json:
        document(run)
    else:
        click.echo(run["id"])
        say(f"  gatecrash run wait {run['id']}    watches it to its end")


COMMANDS = (set_state, suppress, unsuppress, suppressions, retest)


def named(api: Api, word: str) -> str:
    """The identifier that a word means: itself, or the newest finding of a code. Raises UserError for an unknown code."""
    return str(_newest(api, word.upper())["id"]) if _CODE.fullmatch(word) else word


def code_of(api: Api, word: str) -> str:
    """The code that a word means: itself, or that of an identifier."""
    return word.upper() if _CODE.fullmatch(word) else str(api.get(f"/v1/vulns/{segment(word)}")["code"])


def suppressed_in(api: Api, run: Mapping[str, Any]) -> frozenset[str]:
    """The codes of a run's vulnerabilities that fail no pipeline now."""
    found = {one["code"] for one in run.get("vulns") or ()}
    if not found:
        return frozenset()
    return frozenset(found & {one["code"] for one in api.pages(SUPPRESSIONS)["objects"] if one["active"]})


def shown_in(api: Api, run: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The findings of a run that has several vulnerabilities, which may have one cause."""
    several = len({one["code"] for one in run.get("vulns") or ()}) > 1
    shown: list[dict[str, Any]] = api.pages("/v1/vulns", test_run_id=run["id"])["objects"] if several else []
    return shown


def _newest(api: Api, code: str) -> dict[str, Any]:
    rows: list[dict[str, Any]] = api.get("/v1/vulns", code=code, limit=1)["objects"]
    if not rows:
        raise UserError(f"No vulnerability has the code {code}; `gatecrash vuln list` shows those that there are.")
    return rows[0]


def _watched(api: Api, run: Mapping[str, Any], *, as_json: bool) -> None:
    """Watch the retest and say what it means. Suppressed or not: who asks whether it is still there wants to know."""
    from gatecrash.cli.outcome import conclude, judge
    from gatecrash.cli.watch import watch

    ended = watch(api, str(run["id"]))
    if as_json:
        document(ended)
    conclude(ended, judge(ended))
