"""A document store that speaks MongoDB's operators (an evaluator of our own) and evaluates `$where` in a real JavaScript."""

import atexit
import contextlib
import json
import re
import shutil
import subprocess
import threading
from typing import Any

from gatecrash.core.message import Response
from tests.range.asked import sending
from tests.range.place import FORM, JSON, QUERY, Given, answer, flaw, miss, page, text, twin

USERS = [
    {"name": "tea", "password": "sesame", "age": 30, "secret": "x1"},
    {"name": "ben", "password": "letmein", "age": 41, "secret": "x2"},
    {"name": "o'neil", "password": "pw", "age": 7, "secret": "x3"},
]
NAMES = [user["name"] for user in USERS]
CONSENTS: list[str] = []


class UnknownOperator(Exception):
    """As the server says it."""


OPERATORS = {
    "$eq": lambda value, operand: value == operand,
    "$ne": lambda value, operand: value != operand,
    "$gt": lambda value, operand: type(value) is type(operand) and value > operand,
    "$lt": lambda value, operand: type(value) is type(operand) and value < operand,
    "$in": lambda value, operand: value in operand,
    "$nin": lambda value, operand: value not in operand,
    "$regex": lambda value, operand: isinstance(value, str) and re.search(operand, value) is not None,
    "$exists": lambda value, operand: (value is not None) == bool(operand),
}


def matches(document: dict[str, Any], query: dict[str, Any]) -> bool:
    """Whether a document is found: every field equal, or agreeing with its operators."""
    return all(_agrees(document.get(name), wanted) for name, wanted in query.items())


def _agrees(value: object, wanted: object) -> bool:
    if isinstance(wanted, dict) and any(name.startswith("$") for name in wanted):
        for name in wanted:
            if name not in OPERATORS:
                raise UnknownOperator(f"unknown operator: {name}")
        return all(OPERATORS[name](value, operand) for name, operand in wanted.items())
    return value == wanted


def find(**query: object) -> list[str]:
    return [str(user["name"]) for user in USERS if matches(user, query)]


def parsed(given: Given) -> Any:
    """The value as parsers that make objects of brackets hand it on."""
    inner = {re.fullmatch(r"q\[(.+?)\](\[\])?", name): value for name, value in given.values.items()}
    return {of[1]: [value] if of[2] else value for of, value in inner.items() if of} or given.values.get("q")


class JavaScript:
    """One process of Node that evaluates conditions with the functions that the database's JavaScript has."""

    _SCRIPT = """
    const vm = require('vm'); const lines = require('readline').createInterface({input: process.stdin});
    lines.on('line', line => { const {code, document, own} = JSON.parse(line); let found;
      try { const f = own ? {...document, process} : {...document, NumberLong: function () {}, ObjectId: function () {}};
        found = vm.runInNewContext('(function () { return ' + code + ' })', f, {timeout: 500}).call(document); found = !!found }
      catch (error) { found = 'error' }
      console.log(JSON.stringify(found)) });
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.process: subprocess.Popen[str] | None = None

    def holds(self, code: str, document: dict[str, Any], *, own: bool = False) -> bool:
        """own: without what only the database's JavaScript has, and with the process, as a store has it that runs within one."""
        with self.lock:
            if self.process is None:
                self.process = subprocess.Popen(
                    ["node", "-e", self._SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
                )
            assert self.process.stdin
            assert self.process.stdout
            self.process.stdin.write(json.dumps({"code": code, "document": document, "own": own}) + "\n")
            self.process.stdin.flush()
            found = json.loads(self.process.stdout.readline())
        if found == "error":
            raise ValueError("the script is broken")
        return bool(found)

    def close(self) -> None:
        with self.lock:
            if self.process is not None:
                self.process.kill()
                self.process.communicate()
                self.process = None


SCRIPTS = JavaScript()
atexit.register(SCRIPTS.close)
HAS_NODE = shutil.which("node") is not None


@flaw("nosqli")
def operators(given: Given) -> Response:
    return answer({"found": find(name=parsed(given))})


@flaw("nosqli", value="sesame")
def login(given: Given) -> Response:
    found = find(name="tea", password=parsed(given))
    return answer({"welcome": found[0]}) if found else answer({"error": "wrong password"}, 401)


@flaw("nosqli")
def loud(given: Given) -> Response:
    try:
        return answer({"count": len(find(name=parsed(given)))})
    except UnknownOperator as error:
        return answer({"error": f"MongoServerError: {error}"}, 500)


@flaw("nosqli", ways=(QUERY, FORM))
def shown_as_page(given: Given) -> Response:
    return page("".join(f"<li>{name}</li>" for name in find(name=parsed(given))) or "nobody")


# An imitation: it knows what its author needed, and takes anything else for no match.
IMITATED = {name: OPERATORS[name] for name in ("$ne", "$gt", "$regex")}


def imitated(value: object, wanted: object) -> bool:
    if not isinstance(wanted, dict):
        return value == wanted
    return all(IMITATED[name](value, operand) if name in IMITATED else False for name, operand in wanted.items())


FEW = {name: OPERATORS[name] for name in ("$in", "$ne", "$gt")}


@flaw("nosqli", ways=(JSON,))
def store_without_equal(given: Given) -> Response:
    """A store that breaks over `$eq`, which it does not have."""
    wanted = parsed(given) if isinstance(parsed(given), dict) else {"$in": [parsed(given)]}
    return answer([name for name in NAMES if all(FEW[each](name, wanted[each]) for each in wanted)])


def found_by_few(wanted: Any) -> list[Any]:
    """To a store without `$eq`, to which an operator that it does not know fits nobody."""
    known = wanted if isinstance(wanted, dict) else {"$in": [wanted]}
    return [name for name in NAMES if all(each in FEW and FEW[each](name, known[each]) for each in known)]


@flaw("nosqli", ways=(JSON,))
def store_without_equal_that_hides_its_errors(given: Given) -> Response:
    """What the store breaks over is told as nobody found."""
    found = found_by_few(parsed(given))
    return answer({"name": found[0]}) if found else answer({"error": "unknown"}, 404)


@flaw("nosqli", ways=(QUERY,))
def page_of_a_store_without_equal(given: Given) -> Response:
    """The same as a page without rows."""
    return page(f"<h1>People</h1><ul>{''.join(f'<li>{name}</li>' for name in found_by_few(parsed(given)))}</ul>")


@twin("nosqli", ways=(JSON,))
def objects_as_texts(given: Given) -> Response:
    """Any object is a text, which is nobody's name."""
    found = find(name=str(parsed(given)))
    return answer({"name": found[0]}) if found else answer({"error": "unknown"}, 404)


@twin("nosqli", ways=(JSON,))
def words_of_an_object(given: Given) -> Response:
    """Looks for the words of whatever it is given, and breaks over what is no text and holds no list."""
    value = parsed(given)
    words = (
        [value] if isinstance(value, str) else [word for told in value.values() for word in list(told) if len(word) > 1]
    )
    return answer([user["name"] for user in USERS if user["name"] == words[0]])


@twin("nosqli", ways=(JSON,))
def lists_alone(given: Given) -> Response:
    """Takes a list of names in place of one, by whatever it is called, and breaks over other objects."""
    value = parsed(given)
    told = [value] if isinstance(value, str) else next(each for each in value.values() if isinstance(each, list))
    return answer([user["name"] for user in USERS if user["name"] in told])


@flaw("nosqli", value="sesame", ways=(FORM, JSON))
def imitation_login(given: Given) -> Response:
    found = [user for user in USERS if user["name"] == "tea" and imitated(user["password"], parsed(given))]
    return answer({"token": json.dumps(found[0])[5:9]}) if found else answer({"error": "wrong password"}, 401)


@flaw("nosqli", value="wrong", ways=(FORM, JSON))
def refused_login(given: Given) -> Response:
    """Recorded with a wrong password."""
    found = [user for user in USERS if user["name"] == "tea" and imitated(user["password"], parsed(given))]
    return answer({"welcome": found[0]["name"]}) if found else answer({"error": "wrong password"}, 401)


@flaw("nosqli")
def imitation_search(given: Given) -> Response:
    return answer([user["name"] for user in USERS if imitated(user["name"], parsed(given))])


@flaw("nosqli", ways=(FORM, JSON))
def kept_with_a_lookup(given: Given) -> Response:
    """Whoever is found is not shown, errors are, without a word."""
    find(name=parsed(given))
    return answer({"logged": True})


@twin("nosqli", ways=(QUERY,))
def asks_for_consent_once(given: Given) -> Response:
    """The first visit is asked whether to go on, later ones are sent on; what names nobody, a list included, is an error."""
    if parsed(given) != "tea":
        return page("<h1>Unknown client</h1>", 400)
    CONSENTS.append(given.q)
    return page("<h1>Shall we go on?</h1>") if len(CONSENTS) == 1 else Response(302, ((b"Location", b"/on"),), b"")


@twin("nosqli", value="wrong", ways=(FORM, JSON))
def login_by_truth(given: Given) -> Response:
    """Refuses anything that is no text, in the words of a wrong password."""
    return answer({"error": "wrong password"}, 401)


@twin("nosqli", value="wrong", ways=(FORM, JSON))
def login_that_lets_objects_in(given: Given) -> Response:
    """Broken, and not by an operator: whatever is no text is let in."""
    return answer({"welcome": "x"}) if not isinstance(parsed(given), str) else answer({"error": "wrong password"}, 401)


if HAS_NODE:

    @flaw("nosqli")
    def where(given: Given) -> Response:
        found = [user["name"] for user in USERS if SCRIPTS.holds(f"this.name == '{given.q}'", user)]
        return answer(found)

    @flaw("nosqli", value="30", ways=(QUERY, FORM))
    def where_number(given: Given) -> Response:
        return answer([user["name"] for user in USERS if SCRIPTS.holds(f"this.age == {given.q}", user)])

    @flaw("nosqli", value="30", ways=(QUERY, FORM, JSON))
    def where_number_in_quotes(given: Given) -> Response:
        return answer([user["name"] for user in USERS if SCRIPTS.holds(f"this.age == '{given.q}'", user)])

    @flaw("nosqli", value="30", ways=(QUERY, JSON))
    def filtered_by_own_script(given: Given) -> Response:
        """A store within the application's process: none of the database's words are known, and the process is."""
        return answer([user["name"] for user in USERS if SCRIPTS.holds(f"this.age >= {given.q}", user, own=True)])

    @flaw("nosqli", value="30", ways=(FORM,))
    def filtered_and_answered_in_half(given: Given) -> Response:
        """Half of the answer is the same whatever is found."""
        found = any(SCRIPTS.holds(f"this.age >= {given.q}", user, own=True) for user in USERS)
        return answer({"ok": True, "found": found})

    @flaw("nosqli", value="te", ways=(QUERY, JSON))
    def handed_to_a_function(given: Given) -> Response:
        """A condition behind it would be a truth where a text is wanted."""
        code = f"this.name.indexOf('{given.q}') >= 0"
        return answer([user["name"] for user in USERS if SCRIPTS.holds(code, user)])

    @flaw("nosqli", value="this.age > 20", ways=(QUERY, JSON))
    def condition(given: Given) -> Response:
        return answer([user["name"] for user in USERS if SCRIPTS.holds(given.q, user)])

    @twin("nosqli", value="this.age > 20", ways=(QUERY, JSON))
    def condition_read(given: Given) -> Response:
        """Signs and a number alone, read by the application itself."""
        told = re.match(r"this\.age ([<>]) (\d+)", given.q)
        if not told:
            return answer({"error": "no condition"}, 400)
        older = [user["age"] > int(told[2]) for user in USERS]
        return answer([user["name"] for user, more in zip(USERS, older, strict=True) if more == (told[1] == ">")])

    @twin("nosqli", value="this.age > 20", ways=(QUERY, JSON))
    def condition_of_a_list(given: Given) -> Response:
        known = given.q in ("this.age > 20", "this.age < 20")
        return answer([user["name"] for user in USERS if SCRIPTS.holds(given.q, user)] if known else [])

    @twin("nosqli", value="30", ways=(QUERY, FORM, JSON))
    def number_read_first(given: Given) -> Response:
        """What a number begins with is read, as JavaScript's parseInt does."""
        digits = re.match(r"\d+", given.q)
        return answer([user["name"] for user in USERS if digits and user["age"] == int(digits[0])])

    @twin("nosqli", value="30", ways=(QUERY, JSON))
    def script_bound(given: Given) -> Response:
        """A script that never changes, and compares with the value as text."""
        code = f"String(this.age) === {json.dumps(given.q)}"
        return answer([user["name"] for user in USERS if SCRIPTS.holds(code, user)])


@twin("nosqli")
def cast(given: Given) -> Response:
    value = parsed(given)
    return answer({"found": find(name=value if isinstance(value, str) else "[object Object]")})


@twin("nosqli", request=sending(q="tea", age={"$lte": 60}))
def operators_offered(given: Given) -> Response:
    """A search whose clients write operators themselves, over what everybody may read."""
    return answer({"found": find(name=given.values.get("q"), age=given.values.get("age"))})


@twin("nosqli")
def refused(given: Given) -> Response:
    value = parsed(given)
    return answer({"found": find(name=value)}) if isinstance(value, str) else answer({"error": "must be a string"}, 400)


@twin("nosqli")
def cast_error(given: Given) -> Response:
    value = parsed(given)
    if not isinstance(value, str):
        return answer({"error": f"CastError: Cast to string failed for value {value} at path name"}, 500)
    return answer({"found": find(name=value)})


@twin("nosqli")
def first_of_all(given: Given) -> Response:
    """Takes the first text it finds, however deep it stands."""
    value = parsed(given)
    while isinstance(value, dict):
        value = next(iter(value.values()), "")
    return answer({"found": find(name=value)})


@twin("nosqli")
def any_operator(given: Given) -> Response:
    """Complains in the database's words over anything odd."""
    value = parsed(given)
    if not isinstance(value, str) or not value.isalnum():
        return answer({"error": "unknown operator: $x"}, 500)
    return answer({"found": find(name=value)})


@twin("nosqli")
def echoes(given: Given) -> Response:
    return answer({"you": parsed(given)})


@twin("nosqli", ways=(QUERY, JSON))
def ignores(given: Given) -> Response:
    return answer({"found": ["tea", "ben"]})


@twin("nosqli")
def everything_for_empty(given: Given) -> Response:
    value = parsed(given)
    return answer({"found": find(name=value) if isinstance(value, str) else [user["name"] for user in USERS]})


@twin("nosqli")
def strict_text(given: Given) -> Response:
    return text("found" if given.q in ("tea", "ben") else "nobody")


@miss("nosqli", ways=(QUERY,))
def nothing_shown(given: Given) -> Response:
    with contextlib.suppress(UnknownOperator):
        find(name=parsed(given))
    return answer({"logged": True})
