"""What a run did not look for, told beside what it found: silence about the rest is no good news.

Two things are easily missed by who runs the default for the first time: that it is no run for every type, and that access
to what is another user's takes two users.
"""

from collections.abc import Collection, Mapping
from typing import Any

from gatecrash.core.testing.policy import BUILT_IN, THOROUGH, TYPES

_FEW = 3


def left_out(types: Collection[str], *, only_custom: bool = False) -> list[str]:
    """The vulnerability types that a policy of these types does not look for."""
    return [each for each in TYPES if only_custom or each not in types]


def remarks(run: Mapping[str, Any]) -> list[str]:
    """What was noted of its record, and sentences about what the run could not find by its settings. run: the run
    object; an older service's says nothing.
    """
    missing = run.get("types_left_out") or []
    told = list(run.get("notes") or ())
    if missing:
        told.append(_types(run, missing))
    users = run.get("user_count")
    if users == 0 and run["baseline_count"]:
        told.append(
            "No request carries credentials, so what is behind a login was not tested: record from the login on, or give an auth"
            " profile."
        )
    elif users is not None and users < 2 and "idor" not in missing and run["baseline_count"]:
        told.append(
            "No second user is known, so access to other users' data (idor) was tested in few cases only: record the requests"
            " of two users, or give an auth profile with two identities."
        )
    return told


def _types(run: Mapping[str, Any], missing: Collection[str]) -> str:
    kept = [each for each in TYPES if each not in missing]
    if len(kept) <= _FEW:
        return f"Looked for: {', '.join(kept) or 'only the custom tests of the policy'}; nothing else."
    own, name = run["policy_id"], THOROUGH.id
    more = "" if own == name else f" The policy {name} looks for every type, and into headers and cookies."
    under = f"the policy {own}" if own in BUILT_IN else "its policy"
    return f"Not looked for under {under}: {', '.join(missing)}.{more}"
