"""The shapes that the OpenAPI document tells are those of the answers, and questions are checked field by field."""

from typing import Any, get_args

import pytest
from pydantic import BaseModel, ValidationError
from tests.control.inventory.traffic import BEARER, NOW, count, observe

from gatecrash.control import wall
from gatecrash.control.inventory import filters, mapping, marks, queries, schemas, views
from gatecrash.control.inventory.models import Endpoint, PublicMark
from gatecrash.core.auth.scheme import AuthType
from gatecrash.wire.counts import NoteCount, WithoutCount


def test_the_written_out_names_are_those_of_the_core() -> None:
    assert list(get_args(schemas.TypeName)) == [kind.value for kind in AuthType]
    assert set(get_args(schemas.Status)) == set(mapping.STATUSES) - {None}
    assert {*get_args(schemas.Status), "no_traffic"} == set(get_args(filters.Status))


def unknown(shape: type[BaseModel], given: dict[str, Any]) -> set[str]:
    """Names on one side only, aliases seen."""
    return {field.alias or name for name, field in shape.model_fields.items()} ^ set(given)


@pytest.mark.database
@pytest.mark.django_db
def test_an_endpoint_with_all_that_can_be_told_fits_its_shape(client_id: str) -> None:
    without, note = WithoutCount("curl", 2, 1, NOW, NOW), NoteCount("jwt_alg_none", BEARER, 1, NOW, NOW)
    observe(client_id, count(requests=1, valid=0))
    observe(client_id, count(without=(without,), notes=(note,)))
    with wall.client(client_id):
        marks.mark_public(Endpoint.objects.get().public_id, "r", "o", None)
        [listed] = queries.list_endpoints(filters.Filters(), limit=1, at=NOW).objects
        whole = queries.read_endpoint(listed["id"], at=NOW)
        mark = views.public_mark(PublicMark.objects.get(), listed["id"])
    assert whole is not None
    for shape, given in (
        (schemas.EndpointView, listed),
        (schemas.EndpointDetail, whole),
        (schemas.ParameterView, whole["parameters"][0]),
        (schemas.HourView, whole["series"][0]),
        (schemas.ChangeView, whole["history"][0]),
        (schemas.WithoutView, whole["without"]),
        (schemas.UnauthenticatedClients, whole["without"]["clients"][0]),
        (schemas.NoteView, whole["notes"][0]),
        (schemas.MarkView, whole["public_mark"]),
        (schemas.PublicMarkView, mark),
    ):
        assert unknown(shape, given) == set(), shape.__name__
        shape.model_validate(given, strict=True)


@pytest.mark.parametrize(
    ("shape", "given"),
    [
        (schemas.SettingsChange, {"leave_refused_out": 1}),
        (schemas.SettingsChange, {}),
        (schemas.NewPublicMark, {"endpoint_id": "ep_1", "reason": "", "owner": "o"}),
        (schemas.NewPublicMark, {"endpoint_id": "ep_1", "reason": "r", "owner": "o", "expires_at": True}),
        (schemas.NewPublicMark, {"endpoint_id": "ep_1", "reason": "r", "owner": "o", "colour": "red"}),
        (schemas.NewTemplateRule, {"kind": "merge", "template": "/a"}),
        (schemas.NewTemplateRule, {"kind": "pin", "template": ""}),
        (schemas.EndpointFilters, {"limit": "1001"}),
        (schemas.EndpointFilters, {"seen_since": "-1"}),
        (schemas.EndpointFilters, {"seen_since": "1.0"}),
        (schemas.EndpointExport, {}),
        (schemas.EndpointExport, {"format": "xlsx"}),
    ],
)
def test_a_question_that_cannot_be_is_refused(shape: type[BaseModel], given: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        shape.model_validate(given)


def test_a_moment_may_be_later_than_any_offset() -> None:
    wanted = schemas.EndpointFilters.model_validate({"seen_since": "1800000000"})
    assert wanted.seen_since == 1_800_000_000
