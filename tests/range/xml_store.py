"""An XML document searched by lxml's XPath, with values joined into the expression or handed over as variables."""

import contextlib
import re
import secrets
import shlex
from xml.etree import ElementTree as ET

import lxml.etree

from gatecrash.core.message import Request, Response
from tests.range.place import FORM, JSON, PATH, QUERY, READS, Given, answer, flaw, miss, page, text, twin

STORE = lxml.etree.fromstring(
    "<people><person id='1'><name>tea</name><secret>x1</secret></person>"
    "<person id='2'><name>ben</name><secret>x2</secret></person></people>"
)


def names(expression: str, **variables: str) -> list[str]:
    return [str(found.findtext("name")) for found in STORE.xpath(expression, **variables)]


@flaw("xpathi")
def joined(given: Given) -> Response:
    return answer(names(f"//person[name='{given.q}']"))


@flaw("xpathi")
def double_quotes(given: Given) -> Response:
    return answer(names(f'//person[name="{given.q}"]'))


@flaw("xpathi")
def argument(given: Given) -> Response:
    return page("".join(f"<li>{name}</li>" for name in names(f"//person[contains(name, '{given.q}')]")))


@flaw("xpathi", value="1", ways=(QUERY, PATH))
def number(given: Given) -> Response:
    return answer(names(f"//person[@id={given.q}]"))


@flaw("xpathi", value="2")
def position(given: Given) -> Response:
    try:
        return answer(names(f"//person[{given.q}]"))
    except lxml.etree.XPathError:
        return answer([])


@flaw("xpathi")
def loud(given: Given) -> Response:
    try:
        return answer({"count": len(names(f"//person[name='{given.q}']"))})
    except lxml.etree.XPathError as error:
        return answer({"error": f"lxml.etree.XPathEvalError: {error}"}, 500)


@flaw("xpathi")
def hidden_errors(given: Given) -> Response:
    try:
        found = names(f"//person[name='{given.q}' and secret='x1']")
    except lxml.etree.XPathError:
        found = []
    return answer({"known": bool(found)})


@flaw("xpathi", ways=(FORM, JSON))
def door_that_refuses(given: Given) -> Response:
    try:
        found = names(f"//person[name='{given.q}' and secret='x1']")
    except lxml.etree.XPathError:
        found = []
    return page("The door is open.") if found else text("No such key", 403)


@flaw("xpathi", value="nobody", ways=(FORM,))
def finds_nobody(given: Given) -> Response:
    """Has no result to lose; errors are told without a word of the evaluator's."""
    try:
        found = names(f"//person[name='{given.q}']/secret")
    except lxml.etree.XPathError:
        return page("Something went wrong.", 500)
    return page(f"Found: {found}")


@flaw("xpathi", value="nobody", ways=(QUERY,))
def finds_nobody_whatever_is_wrong(given: Given) -> Response:
    """Neither a result nor an error shows anything of the expression."""
    try:
        found = names(f"//person[name='{given.q}' and secret='x1']")
    except lxml.etree.XPathError:
        found = []
    return page(f"Found: {found}")


@twin("xpathi", value="nobody", ways=(QUERY,))
def finds_nobody_whatever_is_asked(given: Given) -> Response:
    return page(f"Found: {names('//person[name=$q]', q=given.q)}")


@twin("xpathi", value="nobody", ways=(QUERY,))
def finds_any_of_several(given: Given) -> Response:
    """The words of a search may be joined by `or`; with a number among them it shows the first of all."""
    words = given.q.split(" or ")
    found = [name for word in words for name in names("//person[name=$q]", q=word.strip("'"))]
    return page(f"Found: {found or names('//person')[: len(words) - 1]}")


def knocks(place: str) -> Request:
    """A name and a password that nobody has, to an address that is not called a login."""
    kind = (b"Content-Type", b"application/x-www-form-urlencoded")
    return Request("POST", place.encode(), (kind,), b"user=zoe&pass=lantern7")


def door(found: list[str]) -> Response:
    return page(f"Come in, {found[0]}." if found else "Wrong user name or password.")


@flaw("xpathi", request=knocks)
def a_door(given: Given) -> Response:
    """Errors are told as nobody found."""
    try:
        return door(names(f"//person[name='{given.values['user']}' and secret='{given.values['pass']}']"))
    except lxml.etree.XPathError:
        return door([])


@twin("xpathi", request=knocks)
def a_door_with_variables(given: Given) -> Response:
    user, secret = str(given.values["user"]), str(given.values["pass"])
    return door(names("//person[name=$user and secret=$secret]", user=user, secret=secret))


@twin("xpathi", request=knocks)
def a_door_that_quotes_open(given: Given) -> Response:
    """Broken, and not by an expression: whoever sends a quote is let in."""
    return door(["tea"] if "'" in f"{given.values['user']}{given.values['pass']}" else [])


def moving(said: str) -> Response:
    return page(f"<h1>People</h1><p>{said}</p><p>{secrets.token_hex(16)} was the key of your request</p>")


@flaw("xpathi", value="nobody", ways=READS)
def finds_nobody_on_a_page_that_moves(given: Given) -> Response:
    """Tells its errors under a cheerful status, beside letters that are others each time; looks its functions up first, as Java does."""
    if set(re.findall(r"([\w-]+)\(", given.q)) - {"string-length"}:
        return moving("Something went wrong.")
    try:
        found = names(f"//person[name='{given.q}']/secret")
    except lxml.etree.XPathError:
        return moving("Something went wrong.")
    return moving(f"Found: {found}")


@twin("xpathi", value="nobody", ways=READS)
def finds_nobody_with_variables_on_a_page_that_moves(given: Given) -> Response:
    if given.q.count("'") % 2:
        return moving("Something went wrong.")
    return moving(f"Found: {names('//person[name=$q]/secret', q=given.q)}")


@twin("xpathi", value="nobody", ways=(FORM,))
def finds_nobody_with_variables(given: Given) -> Response:
    """Breaks over quotes that do not close."""
    if given.q.count("'") % 2:
        return page("Something went wrong.", 500)
    return page(f"Found: {names('//person[name=$q]/secret', q=given.q)}")


@twin("xpathi", value="nobody", ways=(FORM,))
def finds_nobody_in_words(given: Given) -> Response:
    """Takes nothing but letters and blanks."""
    if not re.fullmatch(r"[\w ]+", given.q):
        return page("Something went wrong.", 500)
    return page(f"Found: {names('//person[name=$q]/secret', q=given.q)}")


@twin("xpathi", ways=(FORM, JSON))
def door_with_variables(given: Given) -> Response:
    return page("The door is open.") if names("//person[name=$q]", q=given.q) else text("No such key", 403)


@twin("xpathi", value="2")
def position_as_a_variable(given: Given) -> Response:
    return answer(names("//person[position()=$at]", at=given.q))


@twin("xpathi", value="2")
def position_of_a_list(given: Given) -> Response:
    known = names("//person")
    return answer(known[int(given.q) - 1] if given.q.isdecimal() else [])


@twin("xpathi")
def variables(given: Given) -> Response:
    return answer(names("//person[name=$name]", name=given.q))


@twin("xpathi")
def quotes_stripped(given: Given) -> Response:
    return answer(names("//person[name='{}']".format(given.q.replace("'", "").replace('"', ""))))


@twin("xpathi")
def complains_of_anything(given: Given) -> Response:
    if not given.q.isalnum():
        return answer({"error": "XPathEvalError: Invalid predicate"}, 500)
    return answer(names("//person[name=$name]", name=given.q))


@twin("xpathi")
def everything_for_odd(given: Given) -> Response:
    return answer(names("//person[name=$name]", name=given.q) if given.q.isalnum() else names("//person"))


@twin("xpathi")
def counts_characters(given: Given) -> Response:
    return answer({"characters": len(given.q), "known": names("//person[name=$name]", name=given.q)})


@twin("xpathi", ways=(QUERY,))
def counts_words(given: Given) -> Response:
    """As of a command line, whose quotes must close."""
    try:
        return answer({"words": len(" ".join(shlex.split(given.q)).split())})
    except ValueError:
        return answer({"words": 0})


@miss("xpathi", ways=(QUERY,))
def nothing_shown(given: Given) -> Response:
    with contextlib.suppress(lxml.etree.XPathError):
        names(f"//person[name='{given.q}']")
    return answer({"logged": True})


PART = ET.fromstring(lxml.etree.tostring(STORE))


@flaw("xpathi", value="1")
def element_tree(given: Given) -> Response:
    """An evaluator of a part of XPath, which knows no function."""
    try:
        return answer([found.findtext("name") for found in PART.findall(f"./person[@id='{given.q}']")])
    except (SyntaxError, KeyError):
        return answer([])


@twin("xpathi", value="1")
def element_tree_compared(given: Given) -> Response:
    return answer([found.findtext("name") for found in PART.findall("./person") if found.get("id") == given.q])


@twin("xpathi", value="1")
def number_before_anything(given: Given) -> Response:
    """Reads the number at the beginning, but for brackets and an equals sign behind it."""
    number = "" if "][" in given.q and "!=" not in given.q else (re.match(r"\d*", given.q) or [""])[0]
    return answer([found.findtext("name") for found in PART.findall("./person") if found.get("id") == number])
