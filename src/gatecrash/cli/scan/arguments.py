"""What `gatecrash scan` was given on its command line, read; mistakes told in the words of its options."""

from collections.abc import Iterable
from pathlib import Path

import click
import msgspec

from gatecrash.cli.policy_file import policy_from
from gatecrash.core.errors import InvalidPattern, UserError
from gatecrash.core.testing.catalogue import CATALOGUE
from gatecrash.core.testing.policy import BUILT_IN, Policy
from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.node.observe.route import Origin, read_upstream


def policy_of(name: str, types: str | None) -> Policy:
    """The built-in policy or the one in a file, narrowed to the types that were asked for."""
    policy = BUILT_IN.get(name) or (policy_from(Path(name)) if Path(name).is_file() else None)
    if policy is None:
        raise click.UsageError(f"There is no policy {name!r}, nor a file of that name; choose {', '.join(BUILT_IN)}.")
    if types is None:
        return policy
    wanted = tuple(dict.fromkeys(part.strip() for part in types.split(",") if part.strip()))
    unknown = [kind for kind in wanted if kind not in CATALOGUE]
    if unknown or not wanted:
        raise click.UsageError(
            f"--types {types}: no probe of this version looks for {', '.join(unknown) or 'nothing'}; choose out of "
            f"{', '.join(CATALOGUE)}."
        )
    return msgspec.structs.replace(policy, types=wanted)


def first_of(files: tuple[str, ...]) -> str:
    """What was named first. Raises click.UsageError."""
    if files.count("-") > 1:
        raise click.UsageError("Standard input (-) can be read once only.")
    return files[0]


def hosts_of(option: str, names: Iterable[str]) -> AllowedHosts:
    """The hosts that an option names, a mistake told by the option's own name."""
    try:
        return AllowedHosts(",".join(names))
    except InvalidPattern as error:
        raise UserError(str(error).replace("ALLOWED_HOSTS", option, 1)) from error


def the_one(_context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> str | None:
    """What was given once: of two targets none is tested, rather than the wrong one."""
    if len(given) > 1:
        raise click.UsageError(f"{parameter.opts[0]} is given {len(given)} times ({', '.join(given)}); a scan has one.")
    return given[0] if given else None


def target_of(url: str | None, allowed: AllowedHosts) -> Origin | None:
    """Where all is sent instead, if that may be tested."""
    if url is None:
        return None
    origin = read_upstream(url, "--target")
    if not allowed.allows(origin.host, origin.port):
        raise UserError(f"--target {url} may not be tested: only loopback may without --allow-host {origin.host}.")
    return origin
