"""Code that is evaluated: by Python itself, by Node and by Perl as processes of their own; and calculators that are not."""

import ast
import atexit
import json
import operator
import re
import shutil
import subprocess
import threading
import time
from collections.abc import Callable

from gatecrash.core.message import Response
from tests.range.place import FORM, JSON, QUERY, Given, answer, flaw, page, text, twin

NAMES = {"__builtins__": {"str": str, "len": len, "__import__": lambda name: time if name == "time" else None}}
QUICK = (QUERY, JSON)


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    return done.stdout or done.stderr


@flaw("rce", value="2+3", ways=(QUERY, FORM, JSON))
def python(given: Given) -> Response:
    return answer({"result": eval(given.q, dict(NAMES))})


@flaw("rce", value="40")
def python_number(given: Given) -> Response:
    return text(str(eval(given.q, dict(NAMES))))


@flaw("rce")
def python_in_quotes(given: Given) -> Response:
    return text(str(eval(f"'Hello {given.q}!'", dict(NAMES))))


@flaw("rce")
def python_in_double_quotes(given: Given) -> Response:
    return answer({"greeting": eval(f'"Hello " + "{given.q}"', dict(NAMES))})


@flaw("rce", value="2+3", ways=QUICK)
def python_that_shows_numbers(given: Given) -> Response:
    result = eval(given.q, {"__builtins__": {"int": int, "str": str}})
    return answer({"result": result if isinstance(result, int) else 0})


@flaw("rce", value="2+3", name="formula", ways=(QUERY,), slow=True)
def python_blind(given: Given) -> Response:
    eval(str(given.values["formula"]), dict(NAMES))
    return text("done")


@flaw("rce", value="Anna", ways=(QUERY,))
def python_in_quotes_without_a_word(given: Given) -> Response:
    """What does not parse is not told of, and shows in nothing but the missing echo."""
    try:
        return text(eval(f'"Hello {given.q}"', dict(NAMES)))
    except Exception:  # noqa: BLE001 -- whatever the code raises
        return text("Hello")


@flaw("rce", value="Anna", ways=(QUERY,))
def letters_counted_by_code(given: Given) -> Response:
    """Shows a number, and what does not parse as none."""
    try:
        counted = eval(f'len("{given.q}")', dict(NAMES))
        return page(f"<h1>Letters</h1><p>{counted}</p>")
    except Exception:  # noqa: BLE001 -- whatever the code raises
        return page("<h1>Letters</h1>")


@twin("rce", value="Anna", ways=(QUERY,))
def letters_counted(given: Given) -> Response:
    """Counts none where quotes stand, and joins nothing."""
    return page("<h1>Letters</h1>" + ("" if {"'", '"'} <= set(given.q) else f"<p>{len(given.q)}</p>"))


@twin("rce", value="Anna", ways=(QUERY,))
def greeting_without_quotes(given: Given) -> Response:
    """Greets nobody whose name has quotes in it."""
    return text("Hello" if {"'", '"'} & set(given.q) else f"Hello {given.q}")


@twin("rce", value="Anna", ways=(QUERY,))
def greeting_of_what_stands_before_quotes(given: Given) -> Response:
    return text("Hello " + re.split(r"['\"].*['\"]", given.q)[0] if "'\"" not in given.q else "Hello")


class JavaScript:
    """One process of Node for all questions, each in a context of its own with the process in reach: to start it takes
    longer than all the rest.
    """

    SCRIPT = """
    const vm = require('vm'); const lines = require('readline').createInterface({input: process.stdin});
    lines.on('line', line => { let told;
      try { told = String(vm.runInNewContext(JSON.parse(line), {process}, {timeout: 5000})) } catch (error) { told = String(error) }
      console.log(JSON.stringify(told)) });
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.process: subprocess.Popen[str] | None = None

    def __call__(self, code: str) -> str:
        with self.lock:
            if self.process is None:
                command = ["node", "-e", self.SCRIPT]
                self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
                atexit.register(self.close)
            assert self.process.stdin
            assert self.process.stdout
            self.process.stdin.write(json.dumps(code) + "\n")
            self.process.stdin.flush()
            return json.loads(self.process.stdout.readline())

    def close(self) -> None:
        assert self.process
        self.process.kill()
        self.process.communicate()


NODE = JavaScript()
ITEMS = [{"name": "tea", "price": 3}, {"name": "cup", "price": 7}, {"name": "pot", "price": 5}]
SORTED = f"{json.dumps(ITEMS)}.sort(%s).map(item => item.name).join(',')"

if shutil.which("node"):

    @flaw("rce", value="2+3", ways=QUICK)
    def javascript(given: Given) -> Response:
        return text(NODE(given.q))

    @flaw("rce", ways=(QUERY,))
    def javascript_in_quotes(given: Given) -> Response:
        return text(NODE(f"'Hello {given.q}'"))

    @flaw("rce", value="[1, 2]", ways=(JSON,))
    def javascript_that_only_complains(given: Given) -> Response:
        """What it gives is kept, and only what breaks is told of."""
        told = NODE(given.q)
        return answer({"error": told}, 500) if "Error" in told else answer({"kept": True})

    @twin("rce", value="[1, 2]", ways=(JSON,))
    def javascript_that_parses(given: Given) -> Response:
        told = NODE(f"JSON.parse({json.dumps(given.q)})")
        return answer({"error": told, "given": given.q}, 500) if "Error" in told else answer({"kept": True})

    @flaw("rce", value="price", ways=(QUERY, JSON))
    def javascript_that_sorts(given: Given) -> Response:
        told = NODE(SORTED % f"(a, b) => a.{given.q} > b.{given.q} ? 1 : -1")
        return text("internal error", 500) if "Error" in told else answer({"names": told.split(",")})

    def filtered(condition: str) -> Response:
        """The items of which it holds; none of them where it cannot be evaluated."""
        told = NODE(f"JSON.stringify({json.dumps(ITEMS)}.filter(item => {condition}))")
        return answer({"items": [] if "Error" in told else json.loads(told)})

    @flaw("rce", ways=(QUERY, JSON))
    def javascript_that_filters(given: Given) -> Response:
        return filtered(f"item.name == '{given.q}'")

    @flaw("rce", value="6", ways=(QUERY,))
    def javascript_that_filters_by_number(given: Given) -> Response:
        return filtered(f"item.price < {given.q}")

    @twin("rce", ways=(QUERY, JSON))
    def javascript_that_compares(given: Given) -> Response:
        return filtered(f"item.name == {json.dumps(given.q)}")

    @twin("rce", value="6", ways=(QUERY,))
    def javascript_that_reads_a_number(given: Given) -> Response:
        return filtered(f"item.price < parseFloat({json.dumps(given.q)})")

    @twin("rce", value="price", ways=(QUERY, JSON))
    def javascript_that_looks_up(given: Given) -> Response:
        """What no item has is no number, and breaks."""
        told = NODE(SORTED % f"(a, b) => a[{json.dumps(given.q)}].toFixed() - b[{json.dumps(given.q)}].toFixed()")
        return text("internal error", 500) if "Error" in told else answer({"names": told.split(",")})


@twin("rce", value="[1, 2]", ways=(JSON,))
def list_read_aloud(given: Given) -> Response:
    """Says which literal it does not understand."""
    try:
        return answer({"kept": len(ast.literal_eval(given.q))})
    except (SyntaxError, ValueError, TypeError) as error:
        return answer({"error": f"{type(error).__name__}: invalid syntax in {given.q}: {error}"}, 500)


@twin("rce", value="price", ways=(QUERY, JSON))
def path_of_a_property(given: Given) -> Response:
    """Reads up to the first sign that is neither a letter nor a dot, as readers of paths do, and breaks over quotes."""
    if not re.match(r"[\w.]+(?!['\"<])", given.q):
        raise ValueError(given.q)
    name = re.split(r"[^\w]", given.q)[0]
    return answer({"names": [each["name"] for each in sorted(ITEMS, key=lambda item: str(item[name]))]})


if shutil.which("perl"):

    @flaw("rce", value="2+3", ways=QUICK)
    def perl(given: Given) -> Response:
        return text(run("perl", "-e", f"print eval {{ {given.q} }}"))

    @flaw("rce", ways=(QUERY,))
    def perl_in_quotes(given: Given) -> Response:
        return text(run("perl", "-e", f'print "Hello {given.q}"'))


SIGNS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}


def compute(node: ast.AST) -> float:
    """Numbers and signs only."""
    if isinstance(node, ast.Expression):
        return compute(node.body)
    if isinstance(node, ast.BinOp):
        return SIGNS[type(node.op)](compute(node.left), compute(node.right))
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    raise ValueError("only numbers")


@twin("rce", value="2+3")
def calculator(given: Given) -> Response:
    try:
        return answer({"result": compute(ast.parse(given.q, mode="eval"))})
    except (ValueError, SyntaxError, KeyError) as error:
        return answer({"error": f"SyntaxError: {error}"}, 400)


@twin("rce", value="2+3", ways=QUICK)
def calculator_of_numbers(given: Given) -> Response:
    """Shows nought where it cannot compute."""
    try:
        return answer({"result": compute(ast.parse(given.q, mode="eval"))})
    except (ValueError, SyntaxError, KeyError):
        return answer({"result": 0})


@twin("rce", value="2+3", ways=QUICK)
def adds_up_what_looks_like_digits(given: Given) -> Response:
    """Takes letters for digits of base 36, as an identifier's check sum does, and shows one number."""
    return answer({"result": sum(int(letter, 36) for letter in given.q if letter.isalnum() and letter.isascii())})


@twin("rce", value="1234", ways=QUICK)
def telephone(given: Given) -> Response:
    """A column of twenty characters: what is longer is refused, whatever it says."""
    return answer({"phone": "taken"}) if len(given.q) <= 20 else answer({"error": "20 characters at most"}, 400)


@twin("rce", value="2+3")
def literal(given: Given) -> Response:
    try:
        return answer({"result": str(ast.literal_eval(given.q))})
    except (ValueError, SyntaxError):
        return answer({"result": None})


@twin("rce")
def computes_within_text(given: Given) -> Response:
    return text(re.sub(r"\(?(\d+)\*(\d+)\)?", lambda found: str(int(found[1]) * int(found[2])), given.q))


@twin("rce")
def joins_texts(given: Given) -> Response:
    """Takes quotes and plus signs out, and products as they are."""
    return text(re.sub(r"['\"+.]", "", given.q))


@twin("rce")
def syntax_error_for_quotes(given: Given) -> Response:
    if "'" in given.q or '"' in given.q:
        return text("SyntaxError: unterminated string literal", 500)
    return text("fine")


@twin("rce", name="code")
def a_code_that_is_none(given: Given) -> Response:
    return answer({"coupon": given.values["code"], "valid": given.values["code"] == "tea"})


@flaw("rce", value="'tea'", ways=(FORM, JSON))
def python_of_a_text_in_quotes(given: Given) -> Response:
    """Takes for a literal what begins and ends with a quote."""
    if not (given.q.startswith("'") and given.q.endswith("'")):
        return text("not a text")
    try:
        return text(str(eval(given.q, dict(NAMES))))
    except Exception:  # noqa: BLE001 -- whatever the code raises
        return text("not a text")


@twin("rce", value="'tea'", ways=(FORM, JSON))
def text_in_quotes(given: Given) -> Response:
    if not re.fullmatch(r"'[^'\\]*'", given.q):
        return text("not a text")
    return text(str(eval(given.q, dict(NAMES))))


@twin("rce", value="'tea'", ways=(FORM,))
def literal_in_quotes(given: Given) -> Response:
    try:
        return text(str(ast.literal_eval(given.q)))
    except (ValueError, SyntaxError):
        return text("not a text")


@flaw("rce", value="Anna", ways=(FORM,))
def python_that_tells_its_errors_as_a_success(given: Given) -> Response:
    """Shows nothing of what it computes."""
    try:
        eval(f"len('{given.q}')", dict(NAMES))
    except Exception:  # noqa: BLE001 -- as above
        return text("Error: bad input")
    return text("Executed")


@twin("rce", value="Anna", ways=(FORM,))
def quotes_refused_as_a_success(given: Given) -> Response:
    return text("Error: bad input" if {"'", '"'} & set(given.q) else "Executed")


@twin("rce", value="Anna", ways=(FORM,))
def quotes_that_close(given: Given) -> Response:
    return text("Error: bad input" if given.q.count("'") % 2 or given.q.count('"') % 2 else "Executed")


def tripled(compute: Callable[[str], object], factor: str) -> Response:
    """Three times what a factor comes to; what cannot be computed is refused in the application's own words."""
    try:
        return answer({"result": compute(f"3 * {factor}")})
    except Exception:  # noqa: BLE001 -- hides what is wrong
        return text("no factor", 400)


@flaw("rce", value="4", ways=QUICK)
def factor_of_a_product(given: Given) -> Response:
    return tripled(lambda product: eval(product, dict(NAMES)), given.q)


@twin("rce", value="4", ways=QUICK)
def factor_that_is_read(given: Given) -> Response:
    return tripled(lambda _: 3 * float(given.q), given.q)


@twin("rce", value="4", ways=QUICK)
def factor_of_figures_and_signs(given: Given) -> Response:
    """Computes sums of any length, and knows no names."""
    figures = given.q if re.fullmatch(r"[\d.+*/() -]{1,60}", given.q) else "?"
    return tripled(lambda product: eval(product, dict(NAMES)), figures)
