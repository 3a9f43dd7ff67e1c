"""The words of the pages: names of types and states, what each term of the contract means, and what is wrong with a field."""

from collections.abc import Mapping
from typing import Any

from gatecrash.core.auth.scheme import DISPLAY_NAMES
from gatecrash.core.reports.report import none_decided

TYPES: dict[str, str] = {type_.value: name for type_, name in DISPLAY_NAMES.items()}
TYPE_MEANINGS = {
    "api_key": "An API key in a header or in a query parameter.",
    "aws_sigv4": "Request signing with HMAC-SHA256, version 4, as cloud providers ask for it.",
    "basic": "HTTP Basic authentication: user and password in the Authorization header.",
    "bearer": "A bearer token in the Authorization header.",
    "cookie": "A session held by a cookie.",
    "digest": "HTTP Digest authentication.",
    "hawk": "The Hawk authentication scheme.",
    "hmac": "Requests signed with an HMAC.",
    "negotiate": "SPNEGO or Kerberos authentication.",
    "ntlm": "NTLM authentication.",
    "scram": "The salted challenge response mechanism.",
}
# Status, the words for it, and the tone in which it is shown.
STATUSES = {
    "consistent": ("Consistent", "good"),
    "partial": ("Partial", "warn"),
    "missing": ("Missing", "bad"),
    "no_traffic": ("No traffic", "idle"),
}
STATES = {
    "cloning": ("Cloning", "busy"),
    "running": ("Running", "busy"),
    "paused": ("Paused", "warn"),
    "interrupted": ("Interrupted", "idle"),
    "passed": ("Passed", "good"),
    "failed": ("Failed", "bad"),
}
BASELINES = {
    "waiting": ("Waiting", "idle"),
    "in_progress": ("In progress", "busy"),
    "passed": ("Passed", "good"),
    "failed": ("Failed", "bad"),
    "error": ("Error", "warn"),
    "interrupted": ("Interrupted", "idle"),
    "skipped": ("Skipped", "idle"),
}
TRIAGE = {
    "open": ("Open", "bad"),
    "fixed": ("Fixed", "good"),
    "accepted": ("Accepted", "idle"),
    "false_positive": ("False positive", "idle"),
}
EVENTS = {
    "test_run.ended": "A test run ended",
    "vulnerability.found": "A vulnerability was found for the first time, or again though it was called fixed",
    "endpoint.status": "An endpoint's authentication became Missing or Partial",
    "schedule.paused": "A schedule paused itself, as its runs came to nothing",
}
SHORT_EVENTS = {
    "test_run.ended": "test run ended",
    "vulnerability.found": "vulnerability found",
    "endpoint.status": "endpoint status",
    "schedule.paused": "schedule paused",
    "webhook.test": "test",
}
DELIVERIES = {
    "waiting": ("Waiting", "busy"),
    "delivered": ("Delivered", "good"),
    "given_up": ("Given up", "bad"),
}
REASONS = {
    "connection_failed": (
        "Connection failed",
        "A network error: the target was not reached, or gave no usable answers.",
    ),
    "auth_failed": ("Auth failed", "Authentication parameters are missing or wrong; the recorded session may be over."),
    "invalid_policies": ("Invalid policies", "The configured test policy could not be applied."),
    "internal_exception": (
        "Internal exception",
        "The security testing is configured incorrectly, or failed by itself.",
    ),
    "recording_error": ("Recording error", "Request parameters are incorrect or missing."),
}
NONE_DECIDED = ("Could not decide", "The target answered, and none of the checks could decide; the detail says why.")
INTERRUPTIONS = {
    "requested": "Somebody interrupted it.",
    "another_test_run": "Another test run was started on the same test node.",
    "node_lost": "Its node was silent for too long.",
}
ACTIONS = {
    "stop": "Stop recording",
    "pause": "Pause",
    "resume": "Resume",
    "interrupt": "Interrupt testing",
}
UNDECIDED = {
    "blocked": "Blocked: something in front of the application refused the test itself.",
    "rate_limited": "Slowed down: the target answered that there were too many requests.",
    "unstable": "Unstable: the same request is answered differently each time, so a difference says nothing.",
    "connection": "No answer came.",
    "session": "The credentials of the recorded request no longer work.",
    "budget": "The policy's most test requests for one baseline were used up.",
    "no_control": "The request may not be repeated, and no address is known to check by.",
}
READINGS = {
    "waiting": ("Waiting for the test node", "busy"),
    "reading": ("Being read", "busy"),
    "closing": ("Handing over what was read", "busy"),
    "read": ("Read to its end", "good"),
    "stopped": ("Stopped before its end", "idle"),
    "failed": ("Not read", "bad"),
}
NOT_IMPORTED = {
    "malformed": "Entries that could not be read",
    "duplicate": "Requests that the file holds more than once",
    "preflight": "Browsers' own questions (CORS preflights)",
    "unanswered": "Requests that change something and have no answer",
    "incomplete": "Requests without their body",
    "no_http": "Tunnels and WebSockets",
}
LOCATIONS = {
    "header": "HTTP header",
    "cookie": "Cookie",
    "get": "Query string",
    "form": "Form-encoded body field",
    "json": "JSON body field",
}
ROLES = {
    "admin": "All of a client: users, tokens and settings too.",
    "analyst": "Runs tests, edits authentication parameters and policies.",
    "viewer": "Reads.",
    "ci": "For pipelines: creates, reads and stops runs, and acts as a node.",
    "node": "The node protocol only.",
}
TERMS = {
    "status": "From the share of requests in the last 7 days that carried an authentication parameter with a valid value: "
    "Consistent from 95%, Partial above 0%, Missing at 0%.",
    "coverage": "Percent of the requests in the last 7 days where this parameter held a valid value. "
    "Each parameter is counted by itself, so the values need not add up to 100%.",
    "type": "How a request proves who sent it. An endpoint can have several types.",
    "key": "The parameter's name and where it stands.",
    "path": "The way to the parameter through the structure of the request.",
    "refused": "Requests answered with 401 or 403.",
    "unproven": "A session cookie that every visitor is handed, or whose value looks like none. It is listed and not counted until a "
    "sign-in issues it.",
    "baseline": "A recorded request that test requests are made of.",
    "record": "The recorded requests of a test run. Other runs can reuse them once recording has stopped.",
    "policy": "Which vulnerability types are looked for, and at which points of a request.",
    "auth_profile": "Identities of your application, and how a run signs in as each of them. Without one, a run sends "
    "the credentials that were recorded.",
    "inconclusive": "Checks that could not decide. They are never counted as passed silently.",
    "threat": "From 1 to 100; higher is more severe.",
    "point": "One place in a request, named by the steps that lead to it.",
    "rps": "At most this many test requests a second for the whole run.",
    "rps_per_baseline": "At most this many test requests a second for one baseline request.",
    "inactivity_timeout": "Recording stops when the node has waited so long for a new baseline request. "
    "Tests of what is recorded go on.",
    "stop_on_first_fail": "The run ends at the first vulnerability. Otherwise every baseline request is tested.",
    "skip_duplicated_baselines": "Test requests are made for the first of identical baseline requests only.",
    "file_extensions_to_exclude": "Baseline requests for matching files are skipped: one extension, or several separated "
    "by commas or vertical bars; . stands for any character, x* and x? for repetition.",
    "sent": "Test requests sent to the target.",
    "planned": "Test requests still to be sent.",
    "waiting": "Waiting for their next turn: what tells most for least is asked of all baseline requests before any of them is "
    "asked more, so that few are over before the run nearly is.",
    "time_left": "Requests still to be sent, divided by the present speed; it may rise and fall.",
    "token": "Programs prove themselves by it in the header X-Service-API-Token. Shown once.",
}

NONE = "\u2013"  # a dash where there is no value

_PROBLEMS = {
    "required": "Fill this in.",
    "invalid_type": "This is not of the right kind; a whole number is wanted.",
    "unknown_field": "This field does not exist.",
    "not_found": "There is none with this identifier.",
    "already_exists": "This exists already.",
    "not_ready_for_cloning": "This record is still being recorded. Stop the recording first.",
    "empty_test_record": "This record holds no baseline request, so there is nothing to test.",
    "not_allowed_with_test_record_id": "A copy keeps its record's name.",
}


def reason_of(baseline: Mapping[str, Any]) -> tuple[str, str] | None:
    """Why a baseline is in error, in short and in a sentence; None where it is not."""
    return NONE_DECIDED if none_decided(baseline) else REASONS.get(baseline["reason"] or "")


def detail_of(baseline: Mapping[str, Any]) -> str:
    """What is told of a baseline's tests, an error that came behind a finding in words, too (`connection_failed: …`)."""
    detail = str(baseline["detail"])
    for code, (short, _) in REASONS.items():
        detail = detail.replace(f"{code}: ", f"{short}: ")
    return detail


def problem(found: Mapping[str, Any]) -> str:
    """One sentence for a field error of decisions 1."""
    code = found["error"]
    if code == "out_of_range":
        return _range(found)
    if code == "too_long":
        return f"At most {found['max']} are allowed." if "max" in found else "This is too long."
    reason = found.get("message") or found.get("reason")
    if reason:
        return _as_sentence(str(reason))
    is_blank = isinstance(value := found.get("value"), str) and not value.strip()
    return _PROBLEMS.get(code) or ("Fill this in." if is_blank else "This value cannot be used.")


def _range(found: Mapping[str, Any]) -> str:
    low, high = found.get("min"), found.get("max")
    if low is not None and high is not None:
        return f"Must be from {low} to {high}."
    return f"Must be at least {low}." if low is not None else f"Must be at most {high}."


def _as_sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def count(value: int | None) -> str:
    """A number with thin spaces between its thousands; a dash for none."""
    return NONE if value is None else f"{value:,}".replace(",", "\u202f")


def percent(value: float | None) -> str:
    """A share as the API's number shows it, without needless zeros; a dash for none."""
    return NONE if value is None else f"{value:.2f}".rstrip("0").removesuffix(".") + "%"


def duration(seconds: float | None) -> str:
    """How long, in the two largest units: `1 h 5 min`."""
    if seconds is None:
        return NONE
    whole = max(0, int(seconds))
    parts = [(whole // 86400, "d"), (whole // 3600 % 24, "h"), (whole // 60 % 60, "min"), (whole % 60, "s")]
    first = next((place for place, (number, _) in enumerate(parts) if number), len(parts) - 1)
    shown = [f"{number} {unit}" for number, unit in parts[first : first + 2] if number]
    return " ".join(shown) or "0 s"


def ago(then: float | None, now: float) -> str:
    """A time as people say it: `3 min ago`, `in 2 d`."""
    if then is None:
        return "never"
    distance = now - then
    if abs(distance) < 5:
        return "just now"
    largest = duration(abs(distance)).split(" ")
    text = " ".join(largest[:2])
    return f"{text} ago" if distance > 0 else f"in {text}"


def threat(value: int) -> tuple[str, str]:
    """A threat level in words and tone: the bands of the reports."""
    if value >= 90:
        return "Critical", "bad"
    if value >= 70:
        return "High", "bad"
    return ("Medium", "warn") if value >= 40 else ("Low", "idle")
