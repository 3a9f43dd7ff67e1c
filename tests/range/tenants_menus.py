"""Pages of a site whose menu shows a list of people to the keeper alone, or to everybody."""

from gatecrash.core.message import Response
from tests.range.place import Given, flaw, page, twin
from tests.range.tenants_functions import forbidden, rank
from tests.range.tenants_store import PEOPLE, asked, below, caller, missing, unauthorized

ROWS = "".join(
    f"<tr><td>{each['name']}</td><td>{each['email']}</td><td>{each['phone']}</td></tr>" for each in PEOPLE.values()
)
PEOPLE_TABLE = f"<table><tr><th>Name</th><th>E-mail</th><th>Telephone</th></tr>{ROWS}</table>"
OF_THE_DOME = {"request": asked("/dome/crew", name="ida"), "beside": (asked("/dome/plan", name="ida"),)}


def dome(given: Given, *, menu: str, reads: str = "all", tells: str = PEOPLE_TABLE) -> Response:
    """menu, reads: who is led to the list and who is given it, the `manager` or `all`."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if path == ["dome", "crew"]:
        return page(f"<h1>Crew</h1>{tells}") if reads in ("all", rank(name)) else forbidden()
    if path != ["dome", "plan"]:
        return missing()
    place = given.request.path.decode().removesuffix("/plan")
    link = f'<a href="{place}/crew">Crew</a>' if menu in ("all", rank(name)) else ""
    return page(f"<h1>Plan</h1><p>Friday the 12th: north dome</p>{link}")


@flaw("auth", **OF_THE_DOME)
def hidden_in_the_menu(given: Given) -> Response:
    """Whoever knows the address reads how to reach everybody."""
    return dome(given, menu="manager")


@twin("auth", **OF_THE_DOME)
def hidden_and_refused(given: Given) -> Response:
    return dome(given, menu="manager", reads="manager")


@twin("auth", **OF_THE_DOME)
def shown_in_the_menu(given: Given) -> Response:
    return dome(given, menu="all")


@twin("auth", **OF_THE_DOME)
def left_out_and_nobodys(given: Given) -> Response:
    """What the dome is made of: few want to know."""
    return dome(
        given,
        menu="manager",
        tells="<table><tr><th>Part</th><th>Made</th></tr><tr><td>Hatch</td><td>1911</td></tr></table>",
    )
