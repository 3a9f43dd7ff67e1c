"""A record as a HAR file: every baseline in the order of recording, its credentials masked.

They are always masked, as in every view: a HAR file is made to be passed on. A copy that can be tested with its
credentials is the record itself.
"""

import tempfile
from collections.abc import Iterator
from typing import IO

import msgspec

from gatecrash import __version__
from gatecrash.control.accounts import audit
from gatecrash.control.findings.recognising import current_recogniser, hidden_points
from gatecrash.control.testruns import baseline_rows
from gatecrash.control.testruns.models import TestRecord
from gatecrash.core.auth.recogniser import Recogniser
from gatecrash.core.message import Exchange, Response, with_header
from gatecrash.core.point import Point
from gatecrash.core.reports.body_secrets import form_without_secrets, is_form, without_secrets
from gatecrash.core.reports.masking import mask_request, mask_response
from gatecrash.formats.traffic.har_writing import har

MEDIA_TYPE = "application/json"
AT_ONCE = 50
IN_MEMORY = 4 * 1024 * 1024


def write(row: TestRecord) -> IO[bytes]:
    """The file, at its beginning; small ones in memory, others on disk. The caller closes it."""
    recogniser, points = current_recogniser(), hidden_points(record_id=row.id)
    file = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - closed by who sends it
    masked = (mask(exchange, recogniser, points) for exchange in _exchanges(row))
    for piece in har(masked, __version__):
        file.write(piece)
    file.seek(0)
    audit.record("test_record.export", row.id)
    return file


def mask(exchange: Exchange, recogniser: Recogniser, points: tuple[Point, ...] = ()) -> Exchange:
    """The exchange without its credentials, those in bodies included."""
    request = mask_request(exchange.request, recogniser, points)
    body = form_without_secrets(request.body) if is_form(request) else without_secrets(request.body)
    headers = request.headers
    if request.first(b"Content-Length") is not None:
        headers = with_header(headers, b"Content-Length", str(len(body)).encode())
    request = msgspec.structs.replace(request, body=body, headers=headers)
    response = exchange.response
    if response is not None:
        answered: Response = mask_response(response)
        response = msgspec.structs.replace(answered, body=without_secrets(answered.body))
    masked: Exchange = msgspec.structs.replace(exchange, request=request, response=response, client="")
    return masked


def _exchanges(row: TestRecord) -> Iterator[Exchange]:
    """All of the record as it was when the export began."""
    sequence = -1
    while rows := baseline_rows.after(row.id, sequence, row.last_sequence, AT_ONCE):
        yield from (baseline.exchange for _, _, baseline in rows)
        sequence = rows[-1][0]
