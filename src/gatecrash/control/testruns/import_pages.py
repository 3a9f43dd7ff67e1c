"""The page that makes a record of a file: captured traffic, or a description of an API."""

from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from gatecrash.control.api import fields
from gatecrash.control.api.errors import ApiError, FieldErrors
from gatecrash.control.api.roles import RUN
from gatecrash.control.api.upload import MOST_BYTES
from gatecrash.control.testruns import imports, queries, services
from gatecrash.control.testruns.mapping import shown_record
from gatecrash.control.testruns.models import TestRecord
from gatecrash.control.testruns.record_bodies import ImportWanted, NewRecord
from gatecrash.control.ui import words
from gatecrash.control.ui.forms import Field, Form, sent
from gatecrash.control.ui.page import page
from gatecrash.control.ui.visitor import visitor
from gatecrash.formats.draft import server_of

FIELDS = (
    Field("name", "Name of the test record", help="record", hint="The file's name where this is empty."),
    Field(
        "target_url",
        "Origin of the API",
        hint="Where the requests of a description go instead of where it says, as in https://shop.example.com. "
        "Captured traffic keeps its own.",
    ),
)
MOST_NAME = 255


@page(RUN, "GET", "POST")
def import_record(request: HttpRequest) -> HttpResponse:
    """Make a record of a file, and tell what of it was not taken, and why."""
    form = Form(FIELDS, sent(request))
    context: dict[str, Any] = {"form": form, "file_problem": "", "done": None}
    if request.method == "POST":
        file = request.FILES.get("file")
        if not isinstance(file, UploadedFile) or not file.size:
            context["file_problem"] = "Choose a file that holds something."
        elif file.size > MOST_BYTES:
            context["file_problem"] = (
                f"At most {MOST_BYTES >> 20} MiB; `gatecrash observe` and `scan` read larger ones."
            )
        else:
            context["done"] = done = _imported(request, form, file)
            if done and "record" not in done:
                context["file_problem"], context["done"] = done["broken"], None
    refused = bool(form.problems or context["file_problem"])
    return render(request, "testruns/import.html", context, status=400 if refused else 200)


def _imported(request: HttpRequest, form: Form, file: UploadedFile) -> dict[str, Any] | None:
    """What came of it; None where the form was refused, and nothing was made. A file that holds nothing leaves no record."""
    given = form.document()
    name = (given.pop("name", "") or file.name or "imported")[:MOST_NAME]
    try:
        wanted = fields.validate(ImportWanted, given)
        record = services.create_record(fields.validate(NewRecord, {"name": name}), visitor(request).caller)
    except FieldErrors as error:
        form.refuse(error)
        return None
    try:
        told = imports.take(record.id, file.file, server_of(wanted.target_url) if wanted.target_url else None)
    except ApiError as error:
        told = {"imported": 0, "skipped": {}, "problems": [], "broken": error.message}
    finally:
        services.stop_record(record.id)
    if "broken" in told and _discarded(record.id):
        return told
    skipped = [(words.NOT_IMPORTED[reason], count) for reason, count in told["skipped"].items() if count]
    return {**told, "skipped": skipped, "record": shown_record(TestRecord.objects.get(id=record.id))}


def _discarded(record_id: str) -> bool:
    """Whether the record held nothing and is gone: one of a file that could not be read would only be in the way."""
    record = queries.settled_record(record_id)
    if record is None or record.baseline_count:
        return record is None
    try:
        services.delete_record(record_id)
    except FieldErrors:  # its node has not said yet that it stopped
        return False
    return True
