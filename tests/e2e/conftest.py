"""The service that most end-to-end tests share; each test makes a client of its own in it."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from tests.e2e.service import Service
from tests.e2e.tenant import Tenant
from tests.migrated import migrated_database


@pytest.fixture(scope="session")
def service(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A running service on the chosen kind of database, one for each test process."""
    home = tmp_path_factory.mktemp("service")
    with ExitStack() as stack:
        url = stack.enter_context(migrated_database(home, request.config.getoption("--database")))
        yield stack.enter_context(Service(home, url))


@pytest.fixture(scope="module")
def guest(service: Service) -> Iterator[Tenant]:
    """A client that creates what is accepted."""
    with service.tenant() as tenant:
        yield tenant


@pytest.fixture(scope="module")
def watched(service: Service) -> Iterator[Tenant]:
    """A client with a running run and a record that can be copied; nothing may happen to either."""
    with service.tenant() as tenant:
        tenant.recorded("old")
        tenant.admin.did("POST", "/v1/test_run", {"name": "bystander"})
        yield tenant


@pytest.fixture
def refused(watched: Tenant) -> Iterator[Tenant]:
    """The watched client; what is asked in this test must leave it as it is."""
    before = watched.state()
    yield watched
    assert watched.state() == before
