"""The wall on every path to a row: managers, related access, raw SQL, bulk statements, foreign writes."""

import threading
from collections.abc import Callable
from contextlib import nullcontext

import pytest
from django.db import connection

from gatecrash.control import wall
from gatecrash.control.accounts import services
from gatecrash.control.accounts.models import ApiToken, AuditEntry, Membership
from gatecrash.control.api.roles import Role
from gatecrash.control.inventory import bulk
from gatecrash.control.wall import TenantWallError

pytestmark = [pytest.mark.database, pytest.mark.django_db]

TABLE = "accounts_apitoken"


@pytest.fixture
def two(client_id: str, other_id: str) -> tuple[ApiToken, ApiToken]:
    """A token of each client."""
    with wall.client(client_id):
        ours, _ = services.create_token("ours", Role.ADMIN)
    with wall.client(other_id):
        theirs, _ = services.create_token("theirs", Role.ADMIN)
    return ours, theirs


def _raw(sql: str, params: object = None, *, many: bool = False) -> object:
    with connection.cursor() as cursor:
        if many:
            return cursor.executemany(sql, params)
        cursor.execute(sql, params)
        return cursor.fetchall() if cursor.description else cursor.rowcount


OUTSIDE: dict[str, Callable[[ApiToken], object]] = {
    "filter": lambda row: list(ApiToken.objects.filter(id=row.id)),
    "all": lambda row: ApiToken.objects.all(),
    "get": lambda row: ApiToken.objects.get(id=row.id),
    "count": lambda row: ApiToken.objects.count(),
    "update": lambda row: ApiToken.objects.filter(id=row.id).update(name="x"),
    "delete": lambda row: row.delete(),
    "create": lambda row: ApiToken.objects.create(id="tok_x"),
    "bulk create": lambda row: ApiToken.objects.bulk_create([ApiToken(id="tok_x", client_id=row.client_id)]),
    "save": lambda row: row.save(),
    "refresh": lambda row: row.refresh_from_db(),
    "base manager": lambda row: ApiToken._base_manager.count(),
    "raw queryset": lambda row: list(ApiToken.objects.raw(f"SELECT * FROM {TABLE}")),
    "raw": lambda row: _raw(f"SELECT * FROM {TABLE} WHERE client_id = %s", [row.client_id]),
    "raw quoted": lambda row: _raw(f'SELECT 1 FROM "{TABLE}"'),
    "raw in capitals": lambda row: _raw(f"SELECT 1 FROM {TABLE.upper()}"),
    "raw behind a comment": lambda row: _raw(f"/* note */ SELECT 1 FROM {TABLE}"),
    "raw behind a line comment": lambda row: _raw(f"-- note\nSELECT 1 FROM {TABLE}"),
    "raw in brackets": lambda row: _raw(f"(SELECT 1 FROM {TABLE})"),
    "raw explained": lambda row: _raw(f"EXPLAIN SELECT 1 FROM {TABLE}"),
    "raw in a join": lambda row: _raw(f"SELECT 1 FROM accounts_client c JOIN {TABLE} t ON t.client_id = c.id"),
    "raw with": lambda row: _raw(f"WITH t AS (SELECT * FROM {TABLE}) SELECT * FROM t"),
    "raw delete": lambda row: _raw(f"DELETE FROM {TABLE}"),
    "many": lambda row: _raw(f"UPDATE {TABLE} SET name = %s WHERE client_id = %s", [("x", row.client_id)], many=True),
    "bulk table": lambda row: _raw("SELECT * FROM hourly_count"),
    "bulk module": lambda row: bulk.add_counts({}, {}) or bulk.forget_batches(1, 1),
}


@pytest.mark.parametrize("path", OUTSIDE)
def test_no_path_to_tenant_rows_works_outside_a_context(path: str, two: tuple[ApiToken, ApiToken]) -> None:
    with pytest.raises(TenantWallError):
        OUTSIDE[path](two[0])


UNBOUND: dict[str, Callable[[ApiToken], object]] = {
    "raw without client_id": lambda row: _raw(f"SELECT * FROM {TABLE} WHERE id = %s", [row.id]),
    "raw of the other client": lambda row: _raw(f"SELECT * FROM {TABLE} WHERE client_id = %s", [row.client_id]),
    "raw with a literal": lambda row: _raw(f"SELECT * FROM {TABLE} WHERE client_id = '{row.client_id}'"),
    "many of the other client": lambda row: _raw(
        f"UPDATE {TABLE} SET name = %s WHERE client_id = %s", [("x", row.client_id)], many=True
    ),
    "save": lambda row: row.save(),
    "delete": lambda row: row.delete(),
    "create": lambda row: ApiToken.objects.create(id="tok_x", client_id=row.client_id),
    "bulk create": lambda row: ApiToken.objects.bulk_create([ApiToken(id="tok_x", client_id=row.client_id)]),
    "move": lambda row: ApiToken.objects.update(client_id=row.client_id),
    "move by object": lambda row: ApiToken.objects.update(client=row.client),
    "refresh": lambda row: row.refresh_from_db(),
}


@pytest.mark.parametrize("path", UNBOUND)
def test_no_path_leads_from_one_client_to_another(path: str, two: tuple[ApiToken, ApiToken]) -> None:
    ours, theirs = two
    refused = (TenantWallError, ApiToken.DoesNotExist)
    with wall.client(ours.client_id), pytest.raises(refused):
        UNBOUND[path](theirs)
    with wall.client(theirs.client_id):
        assert ApiToken.objects.get(id=theirs.id).name == "theirs"


def test_a_client_sees_its_rows_and_no_others(two: tuple[ApiToken, ApiToken]) -> None:
    ours, theirs = two
    with wall.client(ours.client_id):
        assert [row.id for row in ApiToken.objects.all()] == [ours.id]
        assert ApiToken.objects.filter(id=theirs.id).first() is None
        assert ApiToken.objects.filter(id=theirs.id).update(name="x") == 0
        assert ApiToken.objects.filter(id__in=[ours.id, theirs.id]).delete()[0] == 1
    with wall.client(theirs.client_id):
        assert ApiToken.objects.filter(id=theirs.id).exists()


def test_a_queryset_that_leaves_its_context_is_refused_when_it_is_read(two: tuple[ApiToken, ApiToken]) -> None:
    ours, theirs = two
    with wall.client(ours.client_id):
        rows = ApiToken.objects.all()
    with pytest.raises(TenantWallError):
        list(rows)
    with wall.client(theirs.client_id), pytest.raises(TenantWallError):
        list(rows)


def test_related_access_keeps_to_the_client(client_id: str, other_id: str) -> None:
    user = services.create_user("one@example.com")
    with wall.client(client_id):
        member = services.add_member(user, Role.VIEWER)
    with wall.client(other_id):
        services.add_member(user, Role.ADMIN)
        assert [row.role for row in Membership.objects.filter(user=user)] == ["admin"]
        assert Membership.objects.select_related("user").filter(id=member.id).first() is None


def test_a_system_context_sees_every_client(two: tuple[ApiToken, ApiToken]) -> None:
    with wall.system("a test"):
        assert {row.id for row in ApiToken.objects.all()} == {row.id for row in two}
        assert _raw(f"SELECT COUNT(*) FROM {TABLE}") == [(2,)]


def test_contexts_nest_and_end(client_id: str, other_id: str) -> None:
    with wall.client(client_id):
        with wall.client(other_id):
            assert wall.required() == other_id
        with wall.system("a test"):
            assert wall.current() is None
            with pytest.raises(TenantWallError):
                wall.required()
        assert wall.required() == client_id
    with pytest.raises(TenantWallError):
        wall.current()


def test_a_thread_starts_outside_every_context(client_id: str) -> None:
    seen: list[str] = []

    def look() -> None:
        try:
            wall.current()
        except TenantWallError as error:
            seen.append(str(error))

    with wall.client(client_id):
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    assert len(seen) == 1


def test_an_empty_identifier_opens_nothing() -> None:
    with pytest.raises(TenantWallError), wall.client(""):
        pass


def test_statements_on_other_tables_and_on_the_schema_pass() -> None:
    with nullcontext():
        assert _raw("SELECT COUNT(*) FROM accounts_client") == [(0,)]


def test_every_table_that_carries_a_client_is_behind_the_wall() -> None:
    # The worker's own, which holds names and keys and enters the client's context before it works; and the OpenID client
    # of single sign-on, whose column of that name is no client of ours.
    allowed = {"jobs_job", "socialaccount_socialapp"}
    found = set()
    with wall.system("a test"), connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}" LIMIT 0')
            if "client_id" in [column[0] for column in cursor.description]:
                found.add(table)
    assert found - allowed == set(wall.tables())
    assert AuditEntry._meta.db_table in found
