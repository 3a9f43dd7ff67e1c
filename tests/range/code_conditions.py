"""Conditions of Python that rows are chosen by, and such that are read otherwise."""

import ast
import re
import shutil
import subprocess
from collections.abc import Callable

from gatecrash.core.message import Response
from tests.range.code import NAMES, QUICK
from tests.range.place import Given, answer, flaw, twin

PRICES = {"tea": 9, "cup": 4, "pot": 30}


def those(meant: Callable[[int], bool]) -> Response:
    """Goods by their price; what is odd fits none."""
    found = []
    for name, price in PRICES.items():
        try:
            found += [name] if meant(price) else []
        except Exception:  # noqa: BLE001 -- hides what is wrong
            continue
    return answer(found)


@flaw("rce", value="> 5", ways=QUICK)
def condition_that_hides_its_errors(given: Given) -> Response:
    return those(lambda price: eval(f"price {given.q}", dict(NAMES), {"price": price}))


if shutil.which("perl"):
    PERL = 'for my $price (9, 4, 30) { print "$price\\n" if eval "\\$price $ARGV[0]" }'

    @flaw("rce", value="> 5", ways=QUICK)
    def condition_of_perl_that_hides_its_errors(given: Given) -> Response:
        # Its own output alone: what Perl warns of hidden names is no part of the page.
        done = subprocess.run(["perl", "-e", PERL, given.q], capture_output=True, text=True, timeout=60, check=False)
        return answer(done.stdout.split())


@twin("rce", value="> 5", ways=QUICK)
def condition_that_is_read(given: Given) -> Response:
    sign, number = re.fullmatch(r"([<>]) ?(\d+)", given.q).groups() if re.fullmatch(r"[<>] ?\d+", given.q) else ("", 0)
    return those(lambda price: price > int(number) if sign == ">" else sign == "<" and price < int(number))


@twin("rce", value="> 5", ways=QUICK)
def condition_that_is_shut_in(given: Given) -> Response:
    """Knows comparisons, numbers, and a function or two; no others."""
    known = (ast.Expression, ast.Compare, ast.BoolOp, ast.And, ast.Or, ast.Name, ast.Load, ast.Constant, ast.Call)

    def meant(price: int) -> bool:
        tree = ast.parse(f"price {given.q}", mode="eval")
        if not all(isinstance(each, (*known, ast.cmpop)) for each in ast.walk(tree)):
            raise ValueError
        return eval(compile(tree, "condition", "eval"), {"__builtins__": {"len": len}}, {"price": price})

    return those(meant)


def parsed_first(given: Given, kinds: tuple[type, ...]) -> Response:
    """What does not parse is refused in the interpreter's words; what fails later, or is of another kind, fits no price."""
    try:
        tree = ast.parse(f"price {given.q}", mode="eval")
    except (SyntaxError, ValueError):
        return answer({"message": "SyntaxError", "offset": 7}, 400)
    if not all(isinstance(each, kinds) for each in ast.walk(tree)):
        return answer([])
    return those(lambda price: eval(compile(tree, "condition", "eval"), dict(NAMES), {"price": price}))


@flaw("rce", value="> 5", ways=QUICK)
def condition_that_is_parsed_first(given: Given) -> Response:
    return parsed_first(given, (ast.AST,))


@twin("rce", value="> 5", ways=QUICK)
def condition_that_is_parsed_and_only_compares(given: Given) -> Response:
    return parsed_first(given, (ast.Expression, ast.Compare, ast.cmpop, ast.Name, ast.Load, ast.Constant))


@twin("rce", value="> 5", ways=QUICK)
def condition_of_a_grammar_of_its_own(given: Given) -> Response:
    found = re.fullmatch(r"([<>]) ?(\d+)(?: and .*)?", given.q)
    if found is None:
        return answer({"message": "parse error at 7"}, 400)
    sign, number = found.groups()
    return those(lambda price: price > int(number) if sign == ">" else price < int(number))
