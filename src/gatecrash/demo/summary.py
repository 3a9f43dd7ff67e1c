"""The end of the demo: both halves as tables, and where to look next."""

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from gatecrash.core.auth.scheme import DISPLAY_NAMES, AuthType
from gatecrash.demo.comparison import planted
from gatecrash.demo.launch import Service
from gatecrash.demo.target.expectations import FLAWS, TWINS
from gatecrash.demo.target.store import USERS

Shown = Mapping[str, Any]
STATUS_COLOURS = {"consistent": "green", "partial": "yellow", "missing": "red"}


def heading(console: Console, text: str) -> None:
    """A line that parts what comes from what was."""
    console.print()
    console.print(Text(text, style="bold"))


def inventory(console: Console, endpoints: Sequence[Shown]) -> None:
    """The first half: who asks for what, and how much of the traffic has it."""
    heading(console, "1. Authentication, as the traffic shows it (7 days)")
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in ("Endpoint", "Status", "Seen", "Authenticated by"):
        table.add_column(name, justify="right" if name == "Seen" else "left", no_wrap=name != "Authenticated by")
    for one in endpoints:
        status = one["status"] or "no traffic"
        share = "" if one["coverage"] is None else f" {int(one['coverage'] * 10) / 10:.1f}%"
        table.add_row(
            Text(f"{one['method']} {one['path']}"),
            Text(status + share, style=STATUS_COLOURS.get(status, "")),
            str(one["requests"]),
            Text(", ".join(map(_parameter, one["parameters"])) or "-"),
        )
    console.print(table)


def findings(console: Console, run: Shown, found: Sequence[Shown], baselines: Sequence[Shown]) -> None:
    """The second half: what was proven, how, and how to see it oneself; and where nothing could be decided."""
    tested = (
        f"{run['baseline_check_all_terminated_count']} baseline requests, {run['sended_requests_count']} test requests"
    )
    heading(console, f"2. Test run {run['id']}: {run['state']} ({tested})")
    for one in sorted(found, key=lambda one: -int(one["threat"])):
        console.print()
        mark = "planted" if planted(one) else "NOT planted"
        place = " ".join(one["point"][0] if one["point"] and isinstance(one["point"][0], list) else one["point"] or ())
        console.print(Text(f"{one['code']}  {one['type']}  threat {one['threat']}  ({mark})", style="bold red"))
        _fact(console, "where", f"{one['method']} {one['url']}" + (f"   at {place}" if place else ""))
        _fact(console, "proof", one["verified_by"])
        _fact(console, "curl", one["curl"])
    undecided = [one for one in baselines if one["inconclusive"]]
    if undecided:
        console.print(Text("\nUndecided, and counted neither way:", style="yellow"))
    for one in undecided:
        why = f": {one['detail']}" if one["detail"] else ""
        console.print(Text(f"  {one['method']} {one['url']} ({one['inconclusive']}){why}"), soft_wrap=True)


def verdict(console: Console, deviations: Sequence[str]) -> None:
    """Whether all that was planted was found, and nothing else."""
    heading(console, "3. Against what was planted")
    if not deviations:
        console.print(
            Text(
                f"All {len(FLAWS)} planted flaws found, none of {len(TWINS)} safe twins reported, every endpoint's status right.",
                style="green",
            )
        )
    for line in deviations:
        console.print(Text(f"DEVIATION: {line}", style="red"), soft_wrap=True)


def look_next(console: Console, service: Service, run: Shown, target: str, folder: Path, program: str) -> None:
    """Where to go from here, while everything still runs. program: how this command was called."""
    heading(console, "Still running. Type these in another terminal:")
    login, password = USERS[0]
    lines = (
        f"export GATECRASH_DATA_DIR={shlex.quote(str(folder / 'data'))} GATECRASH_KEY_DIR={shlex.quote(str(folder / 'keys'))}",
        f"{program} endpoints --auth missing          # the endpoints that nobody asks for anything",
        f"{program} endpoints --type cookie",
        f"{program} run show {run['id']}",
        f"{program} vuln list --run {run['id']}",
        *(f"{program} vuln show {one['id']}          # proof, and how to fix it" for one in run["vulns"][:1]),
        f"curl -x {service.proxy} {target}/health          # more traffic through the proxy, then:",
        f"{program} endpoints",
        f"{program} run copy again --record {run['test_record_id']}          # the same tests once more",
        "# the curl lines above want a token of the shop's:",
        f"export TOKEN=$(curl -s {target}/login -d '{json.dumps({'login': login, 'password': password})}' | cut -d'\"' -f4)",
    )
    for line in lines:
        console.print(Text(f"  {line}"), soft_wrap=True)
    console.print()
    for name, address in (
        ("in a browser", f"{service.api}/   sign in as {service.owner}, password {service.password}"),
        ("API document of the service", f"{service.api}/v1/openapi.json"),
        ("API document of the shop", f"{target}/openapi.json"),
        ("proxy", service.proxy),
        ("log", service.log),
    ):
        console.print(Text(f"  {name:<28} {address}"), soft_wrap=True)
    console.print("\nStop with Ctrl-C.")


def _parameter(one: Shown) -> str:
    """Type, context and key of a parameter; that it is a header goes without saying."""
    name = DISPLAY_NAMES[AuthType(one["type"])]
    return f"{name} in {'' if one['context'] == 'header' else one['context'] + ' '}{one['key']}"


def _fact(console: Console, name: str, value: str) -> None:
    console.print(Text(f"  {name:<6} {value}"), soft_wrap=True)
