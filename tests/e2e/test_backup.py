"""A backup of a working installation, restored elsewhere, is that installation: rows, evidence, tokens, pages."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.control.backup.installed import Told, made
from tests.e2e.service import Service
from tests.e2e.tenant import Tenant, still
from tests.migrated import migrated_database
from tests.plain_http import PLAIN

from gatecrash.control import keys
from gatecrash.control.backup.manifest import Manifest
from gatecrash.control.backup.restoring import Restored, restore
from gatecrash.control.backup.sqlite_file import UnusableDatabase
from gatecrash.control.database import parse_url
from gatecrash.control.vault import Vault

pytestmark = pytest.mark.database


def backed_up(service: Service, archive: Path, *, with_keys: bool) -> Manifest:
    database = parse_url(service.database_url, pool_size=0)
    return made(service.home, archive, Told(), with_keys=with_keys, database=database)


def restored(archive: Path, home: Path, url: str, *, replace: bool = False) -> Restored:
    (home / "data").mkdir(parents=True, exist_ok=True)
    return restore(
        archive,
        data_dir=home / "data",
        key_dir=home / "keys",
        database_url=url,
        replace=replace,
        progress=Told(),
    )


@pytest.fixture
def elsewhere(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """Another machine's folder, and a migrated database in which there is nothing."""
    home = tmp_path / "elsewhere"
    home.mkdir()
    with migrated_database(home, request.config.getoption("--database")) as url:
        yield home, url


def rows(url: str, statement: str) -> list[tuple[Any, ...]]:
    if url.startswith("sqlite"):
        import sqlite3

        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            return connection.execute(statement).fetchall()
    import psycopg

    with psycopg.connect(url) as connection:
        return list(connection.execute(statement.encode()))


def test_what_was_found_while_the_service_runs_is_opened_elsewhere_with_the_keys_alone(
    service: Service, guest: Tenant, elsewhere: tuple[Path, str], tmp_path: Path
) -> None:
    run = guest.tested("backed up", passed=1, failed=1)
    archive, (home, url) = tmp_path / "whole.tar.gz", elsewhere
    made = backed_up(service, archive, with_keys=True)
    done = restored(archive, home, url)
    assert (done.missing, done.aside, done.migrated) == ((), None, 0)
    assert (made.with_keys, archive.stat().st_mode & 0o777) == (True, 0o600)
    assert list(home.glob("data/.restoring-*")) == []
    assert list(tmp_path.glob(".whole*")) == []
    [vuln] = run["vulns"]
    evidence = f"SELECT client_id, evidence FROM findings_evidence WHERE vulnerability_id = '{vuln['id']}'"
    [(client_id, sealed)] = rows(url, evidence)
    opened = Vault(keys.ring(home / "data", home / "keys")).open(bytes(sealed), client_id=client_id, row=vuln["id"])
    assert b"/items?q=" in opened
    counted = f"SELECT count(*) FROM testruns_baseline WHERE client_id = '{guest.client_id}'"
    assert rows(url, counted) == rows(service.database_url, counted)
    with pytest.raises(UnusableDatabase, match="not empty"):
        restored(archive, home, url)
    assert rows(url, evidence) == [(client_id, sealed)]


@pytest.mark.soak
def test_a_service_on_the_restored_installation_shows_the_same(
    service: Service, elsewhere: tuple[Path, str], tmp_path: Path
) -> None:
    """With the same tokens and sessions; in the place of another installation, which is kept."""
    with service.tenant() as tenant:
        run = tenant.tested("shown", passed=2, failed=1, errors=1)
        endpoint = tenant.seen_endpoint()
        [session] = service.administer(visitors=1, client_id=tenant.client_id, role="analyst")["sessions"]
        archive, (home, url) = tmp_path / "whole.tar.gz", elsewhere
        backed_up(service, archive, with_keys=True)
        with Service(home, url) as other:
            assert other.token_of_owner
        aside = restored(archive, home, url, replace=True).aside
        assert aside
        paths = (f"/v1/vulns/{run['vulns'][0]['id']}", f"/v1/endpoints/{endpoint}", f"/v1/test_run/{run['id']}")
        with Service(home, url) as again, Tenant(again.api, tenant.client_id, tenant.tokens) as same:
            assert same.state() == tenant.state()
            for path in paths:
                assert still(same.admin.did("GET", path)) == still(tenant.admin.did("GET", path))
            pages = [
                httpx.get(
                    f"{api}/vulnerabilities/{run['vulns'][0]['id']}/",
                    cookies={"gatecrash_session": session},
                    **PLAIN,
                )
                for api in (service.api, again.api)
            ]
            assert [page.status_code for page in pages] == [200, 200]
            assert "/items?q=" in pages[0].text
            assert shown(pages[1].text) == shown(pages[0].text)


def shown(page: str) -> list[str]:
    """A page without what is drawn for each answer anew."""
    return [line for line in page.splitlines() if "csrf" not in line and "nonce" not in line and "ago" not in line]
