"""Functions whose source is told: called, or only looked at."""

import ast
import builtins

from gatecrash.core.message import Response
from tests.range.code import NAMES
from tests.range.place import FORM, JSON, Given, answer, flaw, page, twin

RATE = "def rate(x):\n    return x * 2\n"
GREETING = "lambda name: name.title()"
PART = "class Lamp(Part):\n    title = 'Lamp'\n\n    def watts(self):\n        return 12\n"
WITH_CLASSES = {"__build_class__": builtins.__build_class__}
GIVEN = {"__builtins__": {**NAMES["__builtins__"], "int": int, "float": float}}


def called(source: str, argument: object) -> object:
    """What the function `rate` gives back. Nothing else may stand in the source."""
    definitions = ast.parse(source).body
    if not all(isinstance(each, ast.FunctionDef) and each.name == "rate" for each in definitions):
        raise SyntaxError("write one function that is called rate")
    names = dict(GIVEN)
    exec(source, names)
    return names["rate"](argument)


@flaw("rce", value=RATE, name="source", ways=(JSON,))
def rate_that_is_called(given: Given) -> Response:
    try:
        return answer({"result": str(called(str(given.values["source"]), 12))})
    except Exception:  # noqa: BLE001 -- whatever the code raises
        return answer({"error": "The function cannot be used."}, 422)


@flaw("rce", value=RATE, name="source", ways=(FORM,))
def rate_that_must_be_a_number(given: Given) -> Response:
    """Tells why it failed, and shows no result."""
    try:
        float(called(str(given.values["source"]), 12))
    except Exception as error:  # noqa: BLE001 -- as above
        return page(f"<h1>{type(error).__name__}: {error}</h1>".replace("'", "&#39;"), status=500)
    return page("<h1>Saved</h1>")


@flaw("rce", value=GREETING, name="mapper", ways=(JSON,))
def mapper_of_names(given: Given) -> Response:
    try:
        return answer({"names": [eval(str(given.values["mapper"]), dict(GIVEN))(name) for name in ("anna", "ben")]})
    except Exception:  # noqa: BLE001 -- as above
        return answer({"error": "no mapper"}, 422)


@flaw("rce", value=PART, name="part", ways=(JSON,), slow=True)
def part_that_is_loaded(given: Given) -> Response:
    """Takes a class of this name and base, and makes it known; tells nothing else."""
    source = str(given.values["part"])
    try:
        body = ast.parse(source).body
        if len(body) != 1 or not isinstance(body[0], ast.ClassDef) or not body[0].bases:
            return answer({"error": "no part"}, 422)
        exec(
            source,
            {**NAMES, "Part": object, "__name__": "parts", "__builtins__": {**WITH_CLASSES, **NAMES["__builtins__"]}},
        )
    except Exception:  # noqa: BLE001 -- as above
        return answer({"error": "no part"}, 422)
    return answer({"known": True})


@twin("rce", value=PART, name="part", ways=(JSON,))
def part_that_is_read(given: Given) -> Response:
    """Reads the source for the class in it, and carries nothing out."""
    try:
        body = ast.parse(str(given.values["part"])).body
    except (SyntaxError, ValueError):
        return answer({"error": "no part"}, 422)
    known = len(body) == 1 and isinstance(body[0], ast.ClassDef) and bool(body[0].bases)
    return answer({"known": True}) if known else answer({"error": "no part"}, 422)


@twin("rce", value=RATE, name="source", ways=(JSON, FORM))
def rate_that_is_checked(given: Given) -> Response:
    """Reads the source, and tells what its functions are called."""
    try:
        tree = ast.parse(str(given.values["source"]))
    except (SyntaxError, ValueError) as error:
        return answer({"error": f"SyntaxError: {error}"}, 422)
    return answer({"functions": [each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]})


@twin("rce", value=RATE, name="source", ways=(JSON,))
def rate_that_is_kept(given: Given) -> Response:
    source = str(given.values["source"])
    return answer(
        {"source": source, "lines": source.count("\n"), "known": [each for each in dir(builtins) if each in source]}
    )


@twin("rce", value=GREETING, name="mapper", ways=(JSON,))
def mapper_by_its_name(given: Given) -> Response:
    """Knows three functions, by what they are called."""
    known = {"title": str.title, "upper": str.upper, "lower": str.lower}
    chosen = next((call for word, call in known.items() if word in str(given.values["mapper"])), str.title)
    return answer({"names": [chosen(name) for name in ("anna", "ben")]})
