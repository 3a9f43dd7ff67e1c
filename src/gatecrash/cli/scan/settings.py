"""What a scan was asked for on its command line, read and checked before anything is opened or sent."""

import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import msgspec

from gatecrash.cli.accepted_file import accepted_from
from gatecrash.cli.observation import custom_points
from gatecrash.cli.oob_options import oob_settings
from gatecrash.cli.profile_file import profile_from
from gatecrash.cli.scan.arguments import first_of, hosts_of, policy_of, target_of
from gatecrash.cli.scan.reports import wanted_reports
from gatecrash.core.point import Point
from gatecrash.core.reports.accepted import Accepted
from gatecrash.core.testing.policy import Policy
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.node.browser.finding import browser_at
from gatecrash.node.observe.route import Origin
from gatecrash.node.oob.settings import OobSettings
from gatecrash.node.scan.engine import GENERATION
from gatecrash.node.scan.outgoing import Way
from gatecrash.node.test.recorder import new_id
from gatecrash.node.upstream_proxy import read_upstream_proxy
from gatecrash.wire.session import RunOrder

# What means the same here as on the command line, where it is checked by itself.
_AS_GIVEN = frozenset(
    {"crawl_pages", "sign_up", "exclude_extensions", "skip_duplicates", "rps", "rps_per_baseline", "workers"}
    | {"stop_on_first_fail", "allow", "plan_only"}
)


class ScanSettings(msgspec.Struct, frozen=True, kw_only=True):
    """first: what was named first of the files. target, target_url: where all is sent instead, read and as it was written.
    custom: points that count as credentials beside the usual ones. accepted: None without such a list. allow: what fails nothing.
    """

    files: tuple[str, ...]
    first: str
    policy: Policy
    profile: AuthProfile | None
    way: Way
    target: Origin | None
    target_url: str | None
    from_hosts: AllowedHosts | None
    custom: list[Point]
    oob: OobSettings | None
    accepted: list[Accepted] | None
    reports: list[tuple[str, Path]]
    crawl_pages: int
    sign_up: bool
    exclude_extensions: str
    skip_duplicates: bool
    rps: int | None
    rps_per_baseline: int | None
    workers: int
    stop_on_first_fail: bool
    allow: tuple[str, ...]
    plan_only: bool

    def order(self) -> RunOrder:
        """The run as an engine wants it, with nobody signed in yet."""
        return RunOrder(
            run_id=new_id("tr_"),
            generation=GENERATION,
            record_id=new_id("rec_"),
            recording=False,
            sending=True,
            policy=self.policy,
            marker_key=secrets.token_bytes(32),
            rps=self.rps,
            rps_per_baseline=self.rps_per_baseline,
            stop_on_first_fail=self.stop_on_first_fail,
        )


def settings_of(files: tuple[str, ...], options: Mapping[str, Any]) -> ScanSettings:
    """Read them. options: of the command, by their names. Raises click.UsageError, UserError."""
    policy = policy_of(options["policy_name"], options["types"])
    oob = oob_settings(dict(options))
    profile = profile_from(options["auth_profile"]) if options["auth_profile"] else None
    reports = wanted_reports(options["reports"])
    accepted = accepted_from(options["accepted"]) if options["accepted"] else None
    allowed = hosts_of("--allow-host", options["allow_hosts"])
    target = target_of(options["target"], allowed)
    from_hosts = hosts_of("--from-host", options["from_hosts"]) if options["from_hosts"] else None
    if from_hosts is not None and target is None:
        raise click.UsageError("--from-host says which requests --target stands for; give --target too.")
    proxy = read_upstream_proxy(options["upstream_proxy"]) if options["upstream_proxy"] else None
    return ScanSettings(
        files=files,
        first=first_of(files),
        policy=policy,
        profile=profile,
        way=Way(allowed, not options["no_verify_tls"], proxy, browser_at(options["browser"])),
        target=target,
        target_url=options["target"],
        from_hosts=from_hosts,
        custom=custom_points(options["parameters"]),
        oob=oob,
        accepted=accepted,
        reports=reports,
        **{name: value for name, value in options.items() if name in _AS_GIVEN},
    )
