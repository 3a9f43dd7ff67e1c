"""What every report is made from, and the few words that all of them share."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from gatecrash.core.point import Point
from gatecrash.core.reports.cause import cause_of
from gatecrash.core.testing.verdict import Inconclusive, is_untested

_MOST_PLACES = 5
# Why a check could not decide although it was answered.
_ANSWERED = frozenset(str(why) for why in Inconclusive if why is not Inconclusive.CONNECTION)
# What `grouped` writes behind a place of another endpoint.
_OTHER_CODE = re.compile(r"\(S\d+\)$")


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """One test run, ready to be written down. Everything is as the API shows it, credentials masked.

    run: the run object of the contract. vulnerabilities: with their evidence. baselines: with status and reason.
    version: of the software that writes.
    """

    run: Mapping[str, Any]
    vulnerabilities: Sequence[Mapping[str, Any]]
    baselines: Sequence[Mapping[str, Any]]
    version: str

    @property
    def untested(self) -> list[Mapping[str, Any]]:
        """The baselines that no check came to an end for: no part of a good result."""
        return [one for one in self.baselines if one["status"] not in ("passed", "failed") or had_no_check(one)]


def verdict(report: Report) -> str:
    """What a reader may take home: `vulnerable`, `passed`, or that a passed run proves less than that."""
    run = report.run
    if run["state"] != "passed":
        return "vulnerable" if run["state"] == "failed" else str(run["state"])
    if run["baseline_check_passed_count"] == nothing_fitted(run):
        return "nothing was tested"
    return "passed in part" if unproven(report.baselines) else "passed"


def unproven(baselines: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Those of which a silence says nothing: in error, interrupted, or passed with no check at all."""
    return [one for one in baselines if one["status"] in ("error", "interrupted") or had_no_check(one)]


def undecided(baselines: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Those that were tested, but for some checks which could not decide; `detail` says which and why. What was not there
    when it was recorded is none: its checks had nothing to compare with, and it is told as not tested.
    """
    listed = (one for one in baselines if one.get("inconclusive") and one["status"] in ("passed", "failed"))
    return [one for one in listed if not had_no_check(one)]


def doubts(baselines: Iterable[Mapping[str, Any]], most: int) -> Iterator[tuple[str, list[str]]]:
    """What is no part of a good result, under a title each: a line for a baseline with its reason, so many at most. No
    reason is left out for the sake of one that was told: of a target that went away, most rows say only that it is gone,
    and one or two what they had asked.
    """
    listed = list(baselines)
    for title, rows in (("Not tested", unproven(listed)), ("Could not decide", undecided(listed))):
        lines = [f"{_asked(one)}: {why_untested(one)}" for one in _each_reason_first(rows)[:most]]
        if len(rows) > most:
            lines.append(f"and {len(rows) - most} more")
        if lines:
            yield title, lines


def _each_reason_first(rows: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The first row of every reason, in order, and then the others."""
    told: set[str] = set()
    firsts: list[Mapping[str, Any]] = []
    others: list[Mapping[str, Any]] = []
    for row in rows:
        why = why_untested(row)
        (others if why in told else firsts).append(row)
        told.add(why)
    return firsts + others


def _asked(baseline: Mapping[str, Any]) -> str:
    """A baseline's method and address, and what is called there: of GraphQL all have the same address. A service's rows do not tell it."""
    return f"{baseline['method']} {baseline['url']} {baseline.get('operation') or ''}".rstrip()


def had_no_check(baseline: Mapping[str, Any]) -> bool:
    """Whether it passed because no check of the policy fits it, or because nothing is there to test."""
    return is_untested(baseline["status"], baseline.get("detail") or "")


def none_decided(baseline: Mapping[str, Any]) -> bool:
    """Whether the target answered and no check could decide. Contract 2.10 has no reason of its own for that: it is
    `connection_failed`, with why as the first word of its detail (decisions 7).
    """
    why, _, _ = (baseline.get("detail") or "").partition(":")
    return baseline["reason"] == "connection_failed" and why in _ANSWERED


def nothing_fitted(run: Mapping[str, Any]) -> int:
    """How many of the passed baselines had no check; a run of an older service does not say."""
    return int(run.get("baseline_untested_count") or 0)


def tally(run: Mapping[str, Any]) -> str:
    """What became of the baselines, in words: `3 passed, 1 not tested`."""
    unfit = nothing_fitted(run)
    parts = (
        ("passed", run["baseline_check_passed_count"] - unfit),
        ("passed with nothing to test", unfit),
        ("failed", run["baseline_check_fail_count"]),
        ("not tested", run["baseline_check_tech_fail_count"] + run["baseline_check_interrupted_count"]),
        ("skipped", run["baseline_skipped_count"]),
    )
    return ", ".join(f"{number} {name}" for name, number in parts if number) or "none"


def place(point: Sequence[Sequence[str]]) -> str:
    """A point in one word, like `post/json_doc/json_obj/q`; of the request as a whole, that."""
    return str(Point(point[0])) if point else "the whole request"


def by_code(found: Iterable[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """The findings of each vulnerability, which are those of one code, in the order of their first; one without a code is alone.

    A flaw is found at each recorded request of its endpoint, so once for each user who was recorded there.
    """
    same: dict[object, list[Mapping[str, Any]]] = {}
    for place, one in enumerate(found):
        same.setdefault(one.get("code") or place, []).append(one)
    return list(same.values())


def grouped(found: Iterable[Mapping[str, Any]]) -> list[tuple[Mapping[str, Any], list[str]]]:
    """Each flaw once, by its cause, the worst first, and where else it was found: `POST http://…/login` for every other
    recorded request.

    Three users who sign in show one flaw of the login three times; what an endpoint calls by another code has it behind.
    """
    first: dict[tuple[str, ...], tuple[Mapping[str, Any], list[str]]] = {}
    for one in sorted(found, key=lambda one: -one["threat"]):
        told, others = first.setdefault(cause_of(one), (one, []))
        if told is not one:
            other = f"{one['method']} {one['url']}"
            others.append(other if one["code"] == told["code"] else f"{other} ({one['code']})")
    return list(first.values())


def told_at(found: Sequence[Mapping[str, Any]]) -> list[str]:
    """For each finding the code that its flaw is told under in `grouped`, where that is another than its own; else nothing."""
    lead: dict[tuple[str, ...], str] = {}
    for one in sorted(found, key=lambda one: one["threat"], reverse=True):
        lead.setdefault(cause_of(one), one["code"])
    return ["" if (code := lead[cause_of(one)]) == one["code"] else code for one in found]


def merged(found: int, told: int) -> str:
    """In words, where fewer flaws are told than were found: `19 findings have 3 causes; each is told once`; else nothing."""
    if found == told:
        return ""
    return (
        f"{found} findings have {told} cause{'' if told == 1 else 's'}; each is told once, with where else it was found"
    )


def at(one: Mapping[str, Any], others: Iterable[str]) -> str:
    """A flaw's endpoint, and how many others it was found at: `GET /users and 18 more`."""
    more = len({code[0] for other in others if (code := _OTHER_CODE.search(other))})
    return f"{one['endpoint']} and {more} more" if more else str(one["endpoint"])


def elsewhere(places: Iterable[str]) -> str:
    """The other places of a flaw in one line, each once with how often it was found there."""
    shown = [place if times == 1 else f"{place} ({times} times)" for place, times in Counter(places).items()]
    more = f" and {len(shown) - _MOST_PLACES} more" if len(shown) > _MOST_PLACES else ""
    return ", ".join(shown[:_MOST_PLACES]) + more


def suppression(one: Mapping[str, Any]) -> str | None:
    """Why a vulnerability fails no pipeline; None for one that does. A scan knows those of its `--accepted` alone."""
    return str(one.get("suppression_reason") or "suppressed") if one.get("suppressed") else None


def weaknesses(one: Mapping[str, Any]) -> str:
    """The weakness' numbers in the lists that people sort by."""
    return ", ".join([*(f"CWE-{number}" for number in one["cwe"]), *one["owasp_api"], *one["owasp"]])


def why_untested(baseline: Mapping[str, Any]) -> str:
    """The reason that a baseline was not tested, or was not in all, in words."""
    if baseline["status"] in ("passed", "failed"):
        return str(baseline.get("detail") or "no detail")
    known = "no check could decide" if none_decided(baseline) else str(baseline["reason"] or baseline["status"])
    reason, detail = known.replace("_", " "), baseline.get("detail")
    return f"{reason} ({detail})" if detail else reason


def severity(threat: int) -> str:
    """The threat (1 to 100) as a word: the bands of CVSS v3.1, section 5, at ten times the score."""
    for least, word in ((90, "critical"), (70, "high"), (40, "medium")):
        if threat >= least:
            return word
    return "low"
