"""Whom an operation is for, by the words of its document, and what sounds like it and says nothing."""

from typing import Any

import pytest

from gatecrash.formats.descriptions.operations import drafts
from gatecrash.formats.draft import Draft, packed, unpacked


def meant(path: str = "/users", method: str = "get", **operation: Any) -> tuple[str, ...]:
    """The roles that an operation is for, in a document with four more that say nothing."""
    others = {f"/p{number}": {"get": {"tags": ["Rooms"], "security": [{"o": ["rooms"]}]}} for number in range(4)}
    one = next(drafts({"paths": {path: {method: operation}, **others}}))
    assert isinstance(one, Draft)
    return one.meant.roles if one.meant is not None else ()


@pytest.mark.parametrize(
    "words",
    [
        "Admin only",
        "**Admin only.**",
        "List all users (admin only)",
        "List all users (Admin)",
        "[ADMIN] List all users",
        "Admin: list all users",
        "List all users - admins only",
        "List all users \u2013 requires admin role",
        "List all users for administrators only",
        "Get all users.\n\nRequires admin privileges.",
        "Get all users. Only accessible by administrators.",
        "Get all users. This endpoint is restricted to admins.",
        "Get all users. You must be an admin.",
        "Get all users. Administrator access required.",
        "Get all users. Requires role: `admin`",
        "Get all users. Required role: ROLE_ADMIN",
        "Get all users. Only admins can access this endpoint.",
        "Get all users.\nAccess: Private/Admin",
        "Get all users. Admin access only.",
        "Get all users. Requires admin privileges (adminGuard).",
        "Admin-only dashboard of all users",
        "Admin only method, verification is performed.",
        "R\u00e9serv\u00e9 aux administrateurs",
        "Alle Benutzer (nur f\u00fcr Administratoren)",
    ],
)
def test_a_description_says_whom_the_operation_is_for(words: str) -> None:
    assert meant(description=words) == ("admin",)
    assert meant(summary=words) == ("admin",)


@pytest.mark.parametrize(
    "words",
    [
        "Admins see all, users their own",
        "Lists orders. Admin only; customers see their own.",
        "For administrators: set `all=true`",
        "Also available to admins",
        "Includes deleted ones (admin only)",
        "Lists users. Only admins can see deleted ones.",
        "Lists users. The field `role` is for admins only.",
        "Lists users, deleted ones for admins only. Everyone may call it.",
        "Requires admin or user role",
        "Roles: admin, user",
        "Allowed roles: customer",
        "Roles: list",
        "Role: update",
        "Required role: any",
        "Allowed roles: all",
        "Requires the role name",
        "Contact the administrators",
        "Lists admins",
        "Requires project admin",
        "Update settings - project admin only",
        "Admin only if the shop is closed",
        "Admin only. Regular users get their bookings.",
        "Owner or admin only",
        "Requires admin role or a trust score of 20",
        "Requires admin (or the teacher of the class)",
        "Accessible by users or admins",
        "Admin-only fields are left out",
    ],
)
def test_what_speaks_of_others_or_of_a_part_says_nothing(words: str) -> None:
    assert meant(description=words) == ()
    assert meant(summary=words) == ()


def test_roles_of_any_name_are_read_where_they_are_called_roles() -> None:
    assert meant(description="Requires role: warden") == ("warden",)
    assert meant(description="Admins or moderators only") == ("admin", "moderator")
    assert meant(description="Requires the vet role") == ("vet",)


@pytest.mark.parametrize(
    ("method", "path", "words", "found"),
    [
        ("delete", "/users/{id}", "Only admins can delete users", True),
        ("delete", "/users/{id}", "Only admins can delete admins", False),
        ("get", "/users", "Only admins can delete users", False),
        ("get", "/users", "Only admins can retrieve all users.", True),
        ("get", "/users", "Only admins can retrieve deleted users.", False),
        ("get", "/users", "Lists users. Only admins can see the deleted ones.", False),
        ("post", "/categories", "Only admins can create a category", True),
        ("post", "/ticket-types", "Only admins can create ticket types", True),
        ("put", "/users/{id}", "Only admins can change the price", False),
        ("get", "/teams/{team}/users", "Admin only", False),
        ("patch", "/team", "Admin only", False),
        ("post", "/api/rooms/", "Admins only: adds a room", True),
    ],
)
def test_an_act_is_that_of_the_operation_and_an_admin_is_that_of_the_service(
    method: str, path: str, words: str, found: bool
) -> None:
    assert meant(path, method, description=words) == (("admin",) if found else ())


def test_of_what_only_admins_read_others_may_read_their_part() -> None:
    (one,) = drafts({"paths": {"/users": {"get": {"description": "Only admins can retrieve all users."}}}})
    (other,) = drafts({"paths": {"/users": {"post": {"description": "Only admins can create users."}}}})
    assert isinstance(one, Draft)
    assert isinstance(other, Draft)
    assert one.meant is not None
    assert other.meant is not None
    assert (one.meant.how, other.meant.how) == ("group", "words")


def test_the_words_are_told_without_their_marks() -> None:
    (one,) = drafts({"paths": {"/a": {"get": {"description": "Takings of the day.\n\n**Admin only.**"}}}})
    assert isinstance(one, Draft)
    assert one.meant is not None
    assert one.meant.said == "'Admin only.'"


def test_a_described_refusal_and_notes_of_vendors_say_it_too() -> None:
    assert meant(responses={"403": {"description": "Not an admin"}}) == ("admin",)
    assert meant(responses={"403": {"description": "Forbidden - admin access required"}}) == ("admin",)
    assert meant("/rates", "post", responses={"403": {"description": "Forbidden - Only admins can create rates"}}) == (
        "admin",
    )
    assert meant(responses={"403": {"description": "Forbidden"}}) == ()
    assert meant(responses={"403": {"description": "Not the owner or admin"}}) == ()
    assert meant(**{"x-required-role": "Manager"}) == ("manager",)
    assert meant(**{"x-roles": ["admin", "moderator"]}) == ("admin", "moderator")
    assert meant(**{"x-roles": ["admin", "user"]}) == ()
    assert meant(**{"x-admin-only": True}) == ("admin",)


def test_tags_names_and_scopes_count_where_most_of_the_document_has_others() -> None:
    assert meant(tags=["Admin"]) == ("admin",)
    assert meant(tags=["Admin"], description="Users see their own") == ()
    assert meant(tags=["Administrative regions"]) == ()
    assert meant(operationId="adminListUsers") == ("admin",)
    assert meant(operationId="administerVaccine") == meant(operationId="adminList") == ()
    assert meant(security=[{"o": ["users:admin"]}]) == ("admin",)
    assert meant(security=[{"o": ["users:admin"]}, {"o": ["users:read"]}]) == ()
    assert meant(security=[{"o": ["badminton"]}]) == ()
    assert meant(security=[{"o": ["Staff"]}]) == meant(security=[{"o": ["role:staff"]}]) == ("staff",)
    assert meant(security=[{"o": ["staff:read"]}]) == ()
    throughout = {
        "/a": {"get": {"tags": ["Admin"]}},
        "/b": {"get": {"tags": ["Admin"], "security": [{"o": ["admin"]}]}},
    }
    assert [one.meant for one in drafts({"paths": throughout, "security": [{"o": ["admin"]}]})] == [None, None]


def test_what_is_kept_is_short_and_is_stored_with_the_draft() -> None:
    (one,) = drafts({"paths": {"/a": {"get": {"description": "x" * 200 + " (admin only)"}}}})
    assert one.meant is not None
    assert len(one.meant.said) < 90
    assert unpacked(packed(one)).meant == one.meant


def test_a_role_in_brackets_behind_several_summaries_is_meant() -> None:
    paths = {
        "/garages": {"post": {"summary": "Add a garage (operators)"}, "get": {"summary": "All garages"}},
        "/garages/{id}/tariff": {"patch": {"summary": "Change the tariff (operators)"}},
        "/reports": {"get": {"summary": "All of the day (operators)"}},
        "/teams": {"post": {"summary": "Name them (managers)"}},
    }
    found = {
        (one.request.method, one.request.path): one.meant for one in drafts({"paths": paths}) if isinstance(one, Draft)
    }
    told = {at: (meant.roles, meant.how) for at, meant in found.items() if meant is not None}
    words, group = (("operator",), "words"), (("operator",), "group")
    assert told == {("POST", b"/garages"): words, ("PATCH", b"/garages/1/tariff"): words, ("GET", b"/reports"): group}
