from django.test import RequestFactory

from gatecrash.control.api import service


def test_every_app_with_operations_is_on_the_one_api() -> None:
    assert service.api() is service.api()
    paths = service.api().get_openapi_schema(path_prefix="v1/")["paths"]
    tags = {tag for item in paths.values() for operation in item.values() for tag in operation.get("tags", ())}
    assert {"accounts", "inventory", "test runs", "test policies"} <= tags


def test_the_parser_hands_on_what_the_guard_has_read() -> None:
    request = RequestFactory().get("/")
    request.document = {"a": 1}
    assert service.StrictParser().parse_body(request) == {"a": 1}
