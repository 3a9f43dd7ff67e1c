"""What an address says of everything, and of one thing."""

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.wholesale import is_about_all, says_to_empty_all, tells_to_empty_all


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("/admin/reset-database", True),
        ("/api/demo/reset", True),
        ("/wipeDatabase", True),
        ("/maintenance/reseed.php", True),
        ("/clear-database", True),
        ("/api/clearData", True),
        ("/demo/clear", True),
        ("/empty-db", True),
        ("/admin/delete-all-data", True),
        ("/remove-everything", True),
        ("/cart/clear", False),
        ("/clear-filters", False),
        ("/nuclear-data", False),
        ("/demo/empty", False),
        ("/database/empty", False),
        ("/data/delete", False),
        ("/delete-data", False),
        ("/clear-data/7", False),
        ("/clear-dates", False),
        ("/reset-password", False),
        ("/databases/7/reset", False),
        ("/data/reset/7", False),
        ("/demographics/reset", False),
        ("/initdb", True),
        ("/api/createDatabase", True),
        ("/setup/database.php", True),
        ("/db/seed", True),
        ("/populate-test-data", True),
        ("/create/database/7", False),
        ("/users/create", False),
        ("/seedlings/tables", False),
        ("/data/create", False),
    ],
)
def test_what_is_about_all_there_is(address: str, expected: bool) -> None:
    assert is_about_all(Request("GET", address.encode()), address) is expected


@pytest.mark.parametrize(
    ("method", "address", "expected"),
    [
        ("POST", "/setup-wizard/create-first-user", True),
        ("PUT", "/api/initialAdmin", True),
        ("POST", "/install-wizard", True),
        ("GET", "/setup-wizard", False),
        ("POST", "/setup-wizard/notes", False),
        ("POST", "/users/otp/setup", False),
        ("POST", "/first-users-of-spring", False),
        ("POST", "/users", False),
    ],
)
def test_what_sets_up_an_application_is_done_once_in_its_life(method: str, address: str, expected: bool) -> None:
    assert is_about_all(Request(method, address.encode()), address) is expected


@pytest.mark.parametrize(
    ("path", "body", "expected"),
    [
        ("/reset-database?confirm=yes", b"", True),
        ("/create-schema", b"{}", True),
        ("/create-schema?name=stock", b"", False),
        ("/create-schema", b'{"name": "stock"}', False),
    ],
)
def test_a_store_that_is_made_may_be_named_by_a_value(path: str, body: bytes, expected: bool) -> None:
    request = Request("POST", path.encode(), body=body)
    assert is_about_all(request, request.path.decode()) is expected


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ("create_db=Create+%2F+Reset+Database", True),
        ("reset_db=1&user_token=77", True),
        ("do=Wipe+all+data", True),
        ("do=Clear+database", True),
        ("do=Delete+all+data", True),
        ("do=Delete+database", False),
        ("reset=Reset", False),
        ("title=Help&text=How+do+I+reset+the+database+of+my+phone%3F", False),
        ("database=shop&sort=reset", False),
        ("", False),
    ],
)
def test_what_a_button_says_of_everything(members: str, expected: bool) -> None:
    assert says_to_empty_all(members) is expected


def test_a_form_is_known_by_its_button() -> None:
    form = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
    assert destroys(Request("POST", b"/setup.php", form, b"create_db=Create+%2F+Reset+Database")) == "deletes"
    assert destroys(Request("POST", b"/setup.php", form, b"search=Lamp")) is None


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ("ficha=4f1c&crear=Crear%20%2F%20reiniciar%20base%20de%20datos", True),
        ("go=Datenbank+zur%C3%BCcksetzen", True),
        ("go=R%C3%A9initialiser+la+base+de+donn%C3%A9es", True),
        ("go=Redefinir+o+banco+de+dados", True),
        ("go=Adatb%C3%A1zis+vissza%C3%A1ll%C3%ADt%C3%A1sa", True),
        ("go=Restablecer+contrase%C3%B1a", False),
        ("texto=reiniciar+el+motor", False),
        ("q=base+de+datos", False),
    ],
)
def test_a_button_says_it_in_other_languages(members: str, expected: bool) -> None:
    assert says_to_empty_all(members) is expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("", "Empties the tables and fills in the demo circle", True),
        ("", "Creates and populates the database with dummy data", True),
        ("", "For tests. Wipes all the data.", True),
        ("", "This endpoint resets the demo database", True),
        ("main.populate_db", "", True),
        ("resetDatabase", "", True),
        ("", "Resets the database password", False),
        ("", "Deletes all data of a customer", False),
        ("", "Returns the statements that create the database", False),
        ("", "Everything about the demo data", False),
        ("app.setup", "Create a database", False),
    ],
)
def test_what_a_description_says_of_all_there_is(name: str, text: str, expected: bool) -> None:
    assert tells_to_empty_all(name, [text]) is expected
