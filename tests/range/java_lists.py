"""Java's loader of objects that write more than their fields, by the JVM itself, with a list of classes or without;
mostly it hides its errors.
"""

import shutil

from gatecrash.core.message import Response
from tests.range.jvm import JVM, LIST, MAP
from tests.range.place import FORM, QUERY, Given, answer, flaw, text, twin

WAYS = (QUERY, FORM)


def basket(told: str) -> Response:
    return answer({"basket": told[3:]}) if told.startswith("ok ") else text("your basket is empty", 400)


if shutil.which("javac"):

    @flaw("deserialization", value=LIST, ways=WAYS)
    def of_any_class(given: Given) -> Response:
        return basket(JVM.load(given.q))

    @flaw("deserialization", value=MAP, ways=WAYS)
    def map_of_any_class(given: Given) -> Response:
        return basket(JVM.load(given.q))

    @twin("deserialization", value=LIST, ways=WAYS)
    def of_javas_own_classes(given: Given) -> Response:
        return basket(JVM.load(given.q, "java.base/*;!*"))

    @twin("deserialization", value=LIST, ways=WAYS)
    def of_javas_own_classes_told(given: Given) -> Response:
        """Tells its errors: a class that is missing is looked up before the list is."""
        told = JVM.load(given.q, "java.base/*;!*")
        return basket(told) if told.startswith("ok ") else text(told, 500)

    @twin("deserialization", value=LIST, ways=WAYS)
    def compared(given: Given) -> Response:
        """Takes what it handed out, and loads nothing."""
        return basket(f"ok {given.q[:9]}" if given.q == LIST else "another")
