"""The page that makes a record from an address: of a site, whose pages a node reads, or of a description."""

from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from gatecrash.control.api.roles import RUN
from gatecrash.control.profiles import queries as profiles
from gatecrash.control.testruns import services, starting
from gatecrash.control.testruns.models import TestRecord
from gatecrash.control.testruns.record_bodies import NewRecord
from gatecrash.control.ui.forms import Field, Form, sent
from gatecrash.control.ui.page import page
from gatecrash.control.ui.run_forms import nodes
from gatecrash.control.ui.visitor import visitor

MOST_NAME = 255


def _fields() -> Iterable[Field]:
    yield Field(
        "start_url",
        "Start address",
        required=True,
        hint="Where the site begins, as https://shop.example.com/, or where its description is, as "
        "https://shop.example.com/openapi.json.",
    )
    yield Field("name", "Name of the test record", help="record", hint="The address where this is empty.")
    yield Field(
        "auth_profile_id",
        "Read as",
        "choice",
        help="auth_profile",
        hint="With a profile: as its first identity, and as a visitor. Without one: as a visitor, and as two accounts made by the site's own forms.",
        choices=[
            ("", "a visitor, and who signs up"),
            *((row.id, row.name) for row in profiles.rows()),
        ],
    )
    yield Field(
        "pages",
        "Pages at most",
        "number",
        required=True,
        low=1,
        high=starting.MOST_PAGES,
        initial=starting.USUAL_PAGES,
        hint="For each who reads.",
    )
    yield Field("node_id", "Test node", "choice", choices=nodes())


@page(RUN, "GET", "POST")
def read_record(request: HttpRequest) -> HttpResponse:
    """Have a node make a record from an address."""
    form = Form(tuple(_fields()), sent(request))
    record = _begun(request, form) if request.method == "POST" else None
    if record is not None:
        return redirect("record", test_record_id=record.id)
    return render(request, "testruns/read.html", {"form": form}, status=400 if form.problems else 200)


def _begun(request: HttpRequest, form: Form) -> TestRecord | None:
    given = form.document()
    name = given.get("name") or str(given.get("start_url", "")).partition("://")[2][:MOST_NAME]
    order = form.checked(NewRecord, name=name or "read")
    return None if order is None else services.create_record(order, visitor(request).caller)
