"""Pages of auth profiles: the list, one, and the forms that take a document in. None shows a secret."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from gatecrash.control.api import fields
from gatecrash.control.api.errors import FieldErrors
from gatecrash.control.api.roles import EDIT, READ
from gatecrash.control.profiles import queries, services, usage
from gatecrash.control.profiles.bodies import NewProfile
from gatecrash.control.profiles.mapping import shown
from gatecrash.control.profiles.models import AuthProfileRow
from gatecrash.control.profiles.reading import MOST_BYTES, Unreadable, read_document
from gatecrash.control.ui import words
from gatecrash.control.ui.listing import listing
from gatecrash.control.ui.page import page
from gatecrash.control.ui.reads.runs import record_names, run_names

KINDS = {
    "values": "values set at points",
    "login": "a login",
    "refresh": "a refreshed session",
    "renew": "renewed by every answer",
    "once": "one-time values",
    "sign": "signed requests",
}
EXAMPLES = (
    (
        "A token that you have",
        "token",
        """identities:
  - name: alice
    rank: 1
    values:
      - point: [header, AUTHORIZATION]
        value: Bearer eyJhbGciOi…
""",
    ),
    (
        "A login that hands one out",
        "login",
        """base: https://api.example.com
identities:
  - name: alice
    variables: {password: …}
    login:
      - url: /login
        json:
          user: alice
          password: ${password}
        take: {token: {json: $.token}}
    values:
      - point: [header, AUTHORIZATION]
        value: Bearer ${token}
    check: {url: /me}
""",
    ),
    (
        "Two users of different rank",
        "two",
        """identities:
  - name: customer
    rank: 1
    values:
      - {point: [header, X-API-KEY], value: …}
  - name: administrator
    rank: 10
    values:
      - {point: [header, X-API-KEY], value: …}
""",
    ),
)


@page(READ)
def profiles(request: HttpRequest) -> HttpResponse:
    """The client's auth profiles."""
    found = listing(request, queries.rows())
    return render(request, "profiles/profiles.html", {"list": found, "profiles": [_shown(row) for row in found.rows]})


@page(READ)
def profile(request: HttpRequest, auth_profile_id: str) -> HttpResponse:
    """One profile: its identities, how each signs in and where its credentials stand."""
    row = find(auth_profile_id)
    runs, records = usage.runs_and_records(row.id)
    names = run_names(runs) | record_names(records)
    context = {"profile": _shown(row), "runs": runs, "records": records, "names": names}
    return render(request, "profiles/profile.html", context)


@page(EDIT, "GET", "POST")
def new_profile(request: HttpRequest) -> HttpResponse:
    """Make a profile of a document."""
    if request.method == "POST":
        row, given = _taken(request, None)
        if row is not None:
            messages.success(request, f"The auth profile “{row.name}” is made. Its secrets are sealed.")
            return redirect("auth_profile", auth_profile_id=row.id)
        return _form(request, None, given)
    return _form(request, None, {})


@page(EDIT, "GET", "POST")
def replace_profile(request: HttpRequest, auth_profile_id: str) -> HttpResponse:
    """Put another document in the place of a profile; the one before is not shown."""
    row = find(auth_profile_id)
    if request.method == "POST":
        changed, given = _taken(request, row)
        if changed is not None:
            messages.success(request, f"The auth profile “{changed.name}” is replaced.")
            return redirect("auth_profile", auth_profile_id=row.id)
        return _form(request, row, given)
    return _form(request, row, {"name": row.name})


@page(EDIT, "POST")
def delete_profile(request: HttpRequest, auth_profile_id: str) -> HttpResponse:
    """Destroy a profile's secrets."""
    row = find(auth_profile_id)
    services.delete(row)
    messages.success(request, f"The auth profile “{row.name}” is deleted.")
    return redirect("auth_profiles")


def find(auth_profile_id: str) -> AuthProfileRow:
    """The client's profile of this identifier. Raises Http404."""
    row = queries.find(auth_profile_id)
    if row is None:
        raise Http404
    return row


def _taken(request: HttpRequest, row: AuthProfileRow | None) -> tuple[AuthProfileRow | None, dict[str, Any]]:
    """What became of the form: the row, or what was given with the problem of each field."""
    given: dict[str, Any] = {name: request.POST.get(name, "") for name in ("name", "document")}
    file = request.FILES.get("file")
    try:
        content = file.read(MOST_BYTES + 1) if file is not None else given["document"].encode()
        document = read_document(content)
        named = {**document, "name": given["name"].strip()} if given["name"].strip() else document
        order = fields.validate(NewProfile, named).document()
        return (services.create(order) if row is None else services.replace(row, order)), given
    except Unreadable as error:
        return None, {**given, "problem": str(error)}
    except FieldErrors as error:
        problems = dict(error.problems)
        name = problems.pop("name", None)
        told = [
            f"{field}: {words.problem(one)}" if "message" not in one else words.problem(one)
            for field, one in problems.items()
        ]
        return None, {**given, "name_problem": words.problem(name) if name else "", "problem": " ".join(told)}


def _form(request: HttpRequest, row: AuthProfileRow | None, given: dict[str, Any]) -> HttpResponse:
    context = {"profile": row, "given": given, "examples": EXAMPLES}
    is_refused = bool(given.get("problem") or given.get("name_problem"))
    return render(request, "profiles/form.html", context, status=400 if is_refused else 200)


def _shown(row: AuthProfileRow) -> dict[str, Any]:
    """A profile as the API shows it, its means in words."""
    found = shown(row)
    for one in found["identities"]:
        one["means"] = [KINDS[kind] for kind in one["kinds"]]
    return found
