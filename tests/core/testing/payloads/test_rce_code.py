"""Products in each language's own words: the language computes them, the others and SQL do not."""

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing

import jinja2
import pytest
from tests.absent import require
from tests.range import table_filters

from gatecrash.core.testing.payloads.rce import Numbers
from gatecrash.core.testing.payloads.rce_code import (
    BARE,
    COMPLAINED,
    FIRST,
    FOR_ARITHMETIC,
    FOR_EXPRESSIONS,
    FOR_OPERANDS,
    FOR_PHP,
    FOR_TEXTS,
    JAVA,
    JAVASCRIPT,
    LANGUAGES,
    NUMERIC,
    PANDAS,
    PHP,
    PYTHON,
    PYTHON_DEFINED,
    WAITING,
    Place,
    computed,
    fill,
    fill_wait,
    is_code,
)

NUMBERS = Numbers("bcd", 12_345, 23_456, "fgh")
SHOWN = f"bcd{12_345 * 23_456}fgh"


@pytest.mark.parametrize("where", [place.where for place in FOR_TEXTS[:2]])
def test_python_computes_its_own(where):
    assert eval(fill(Place(PYTHON, BARE), "", NUMBERS)) == SHOWN
    quote = "'" if "single" in where else '"'
    assert eval(quote + fill(Place(PYTHON, where), "tea", NUMBERS) + quote) == "tea" + SHOWN
    assert SHOWN not in str(eval(fill(Place(PYTHON, BARE), "", NUMBERS, tame=True).replace("'+", "'+")))


@pytest.mark.parametrize(("language", "program"), [(JAVASCRIPT, ("node", "-p")), (PHP, ("perl", "-e"))])
def test_other_languages_compute_theirs(language, program):
    require(shutil.which(program[0]), f"{program[0]} is absent")
    code = fill(Place(language, BARE), "", NUMBERS)
    code = f"print {code}" if program[0] == "perl" else code
    done = subprocess.run([*program, code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == SHOWN


@pytest.mark.parametrize("language", LANGUAGES[1:], ids=lambda language: language.name)
def test_python_computes_no_other(language):
    with pytest.raises((TypeError, SyntaxError, AttributeError, NameError)):
        assert eval(fill(Place(language, BARE), "", NUMBERS)) != SHOWN


@pytest.mark.parametrize("language", [PYTHON, JAVASCRIPT, PHP], ids=lambda language: language.name)
def test_an_error_quotes_what_was_computed(language):
    program = {"Python": (sys.executable, "-c"), "JavaScript": ("node", "-e")}.get(
        language.name, ("perl", "-Mstrict", "-e")
    )
    require(shutil.which(program[0]), f"{program[0]} is absent")
    for tame in (False, True):
        code = fill(Place(language, COMPLAINED), "", NUMBERS, tame=tame)
        done = subprocess.run([*program, code], capture_output=True, text=True, timeout=60, check=False)
        assert (SHOWN in done.stderr) is not tame
        assert done.returncode


def test_letters_are_read_as_a_number_by_their_language_alone():
    assert str(eval(fill(Place(PYTHON, NUMERIC), "", NUMBERS))) == computed(Place(PYTHON, NUMERIC), NUMBERS)
    for place in FOR_ARITHMETIC:
        shown, call = computed(place, NUMBERS), fill(place, "", NUMBERS)
        assert shown not in call
        assert shown not in str(eval(fill(place, "", NUMBERS, tame=True)))
        with closing(sqlite3.connect(":memory:")) as database, pytest.raises(sqlite3.Error):
            database.execute(f"SELECT {call}")


def test_javascript_reads_its_letters_as_a_number():
    require(shutil.which("node"), "node is absent")
    code = fill(Place(JAVASCRIPT, NUMERIC), "", NUMBERS)
    done = subprocess.run(["node", "-p", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == computed(Place(JAVASCRIPT, NUMERIC), NUMBERS)


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("age > 3 and town == 'Bern'", True),
        ("run.lr==0.1", True),
        ("a>0", True),
        ("def add(a, b):\n  return a + b", True),
        ("Anna <anna@example.com>", False),
        ("name <b>in bold</b>", False),
        ("this.age > 20", False),
        ("town = 'Bern'", False),
        ("tea and cake", False),
        ("important", False),
    ],
)
def test_comparisons_and_functions_look_like_code(value: str, code: bool) -> None:
    assert is_code(value) is code


def test_a_filter_of_a_table_reads_letters_and_waits_by_what_is_around_it() -> None:
    call = fill(Place(PANDAS, NUMERIC), "", NUMBERS)
    with pytest.raises(KeyError, match=computed(Place(PANDAS, NUMERIC), NUMBERS)):
        table_filters.rows(call, table_filters.AROUND)
    with pytest.raises(KeyError, match="None"):
        table_filters.rows(fill_wait(PANDAS, 0), table_filters.AROUND)


def test_a_function_waits_when_it_is_defined() -> None:
    names: dict[str, object] = {}
    exec(fill_wait(PYTHON_DEFINED, 0), names)
    assert callable(names["check"])


def test_an_operand_cuts_the_others_off():
    assert eval(fill(Place(PYTHON, FIRST), "", NUMBERS) + " + 3") == SHOWN


@pytest.mark.parametrize("place", [*FOR_EXPRESSIONS, *FOR_OPERANDS], ids=lambda place: place.name)
def test_sql_computes_none(place):
    with closing(sqlite3.connect(":memory:")) as database:
        try:
            rows = database.execute("SELECT " + fill(place, "", NUMBERS)).fetchall()
        except sqlite3.Error:
            rows = []
    assert SHOWN not in str(rows)
    assert SHOWN not in fill(place, "", NUMBERS)


@pytest.mark.parametrize("program", [("perl", "-e"), ("ruby", "-e"), ("php", "-r")], ids=lambda program: program[0])
def test_a_wait_of_php_is_one_of_perl_and_ruby(program):
    require(shutil.which(program[0]), f"{program[0]} is absent")
    codes = [f"print({fill_wait(PHP, 0, decoy=decoy)});" for decoy in (False, True)]
    done = [subprocess.run([*program, code], capture_output=True, timeout=60, check=False) for code in codes]
    assert done[0].stdout in (b"0", b"1")
    assert done[1].returncode != 0


@pytest.mark.parametrize("language", WAITING, ids=lambda language: language.name)
def test_no_database_that_knows_the_word_waits(language):
    """It would wait for each row, and what waits would be told as code."""
    waited: list[float] = []
    with closing(sqlite3.connect(":memory:")) as database:
        database.create_function("sleep", 1, waited.append)
        with pytest.raises(sqlite3.Error):
            database.execute("SELECT 1 WHERE 1=" + fill_wait(language, 3)).fetchall()
    assert not waited


def test_a_wait_is_five_seconds_at_most_and_its_decoy_none():
    assert "sleep(3)" in fill_wait(PYTHON, 3)
    assert "sleep" not in fill_wait(PYTHON, 3, decoy=True)


def test_javascript_waits_and_its_decoy_is_no_function():
    require(shutil.which("node"), "node is absent")
    codes = [fill_wait(JAVASCRIPT, 0), fill_wait(JAVASCRIPT, 3, decoy=True)]
    done = [
        subprocess.run(["node", "-p", code], capture_output=True, text=True, timeout=60, check=False) for code in codes
    ]
    assert done[0].stdout.strip() == "timed-out"
    assert "is not a function" in done[1].stderr


@pytest.mark.parametrize("place", FOR_TEXTS, ids=lambda place: place.name)
def test_an_expression_of_a_template_computes_no_code(place):
    """Else a template's expression would be told as code; a safe evaluator of expressions knows less still."""
    quote = "'" if "single" in place.where else '"'
    try:
        shown = jinja2.Environment().from_string(f"{{{{ {quote}{fill(place, 'tea', NUMBERS)}{quote} }}}}").render()
    except jinja2.TemplateError:
        shown = ""
    assert SHOWN not in shown


def test_what_stands_within_double_quotes_is_computed_in_braces_with_a_dollar_sign_alone():
    (place,) = FOR_PHP
    product = str(NUMBERS.left * NUMBERS.right)
    assert fill(place, "Ann", NUMBERS) == f"Ann{{${{print({NUMBERS.left}*{NUMBERS.right})}}}}"
    assert fill(place, "Ann", NUMBERS, tame=True) == f"Ann{{(print({NUMBERS.left}*{NUMBERS.right}))}}"
    assert computed(place, NUMBERS) == product
    assert not set("'\"\\") & set(fill(place, "Ann", NUMBERS)), "quotes are what filters care for"


def test_an_expression_of_java_needs_the_class_of_a_text():
    """Its name has sixteen letters; who knows methods of texts and no classes cannot compute the product."""
    code = fill(Place(JAVA, BARE), "", NUMBERS)
    assert "17-''.getClass().getName().length()" in code
    assert 17 - len("java.lang.String") == 1
    # The sign that joins texts elsewhere adds numbers alone in Jakarta's EL (Jakarta Expression Language 5.0, section 1.7).
    assert code.startswith(f"'{NUMBERS.before}'.concat((")
    assert code.endswith(f").toString()).concat('{NUMBERS.after}')")
    assert computed(Place(JAVA, BARE), NUMBERS) == SHOWN
    assert JAVA not in {place.language for place in FOR_ARITHMETIC}


def test_numbers_that_a_page_may_count_to_are_small():
    for place in FOR_ARITHMETIC:
        assert int(computed(place, Numbers("zzzzzz", 1, 1, ""))) < 2_000_000


def test_node_is_held_for_a_second_at_the_most_and_two():
    assert "1.2*1e3" in fill_wait(JAVASCRIPT, 3)
