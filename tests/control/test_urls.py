import pytest
from django.urls import Resolver404, resolve


@pytest.mark.parametrize(
    "path",
    [
        "/v1/openapi.json",
        "/v1/clients",
        "/v1/clients/cl_1/apid/config/auth-parameters",
        "/v1/test_run",
        "/v1/test_run/tr_1",
        "/healthz",
        "/readyz",
        "/metrics",
    ],
)
def test_the_addresses_of_the_contract_are_there(path: str) -> None:
    assert resolve(path)


@pytest.mark.parametrize("path", ["/v1", "/v1/docs", "/v1/clients/", "/v2/clients", "/admin/"])
def test_no_other_is(path: str) -> None:
    with pytest.raises(Resolver404):
        resolve(path)
