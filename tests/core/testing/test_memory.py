"""What the dialogues about one baseline found out for each other."""

from gatecrash.core.point import Point
from gatecrash.core.testing.memory import Memory
from gatecrash.core.testing.verdict import Outcome, Verdict, safe


def asking(answers: list[str]):
    answers.append((yield "who?"))
    return answers[-1]


def answered(dialogue, *answers: str):
    """What the dialogue concludes when it hears these."""
    told = list(answers)
    try:
        next(dialogue)
        while True:
            dialogue.send(told.pop(0))
    except StopIteration as end:
        return end.value


def test_what_was_learned_once_is_not_asked_again():
    memory, heard = Memory(), []
    assert answered(memory.once("name", lambda: asking(heard)), "ann") == "ann"
    assert answered(memory.once("name", lambda: asking(heard))) == "ann"
    assert heard == ["ann"]


def test_what_a_dialogue_broke_off_is_learned_anew():
    memory, heard = Memory(), []
    first = memory.once("name", lambda: asking(heard))
    next(first)
    first.close()
    assert next(memory.once("name", lambda: asking(heard))) == "who?"


def test_each_baseline_has_a_memory_of_its_own():
    assert Memory().told is not Memory().told
    told = {("sqli",)}
    assert Memory(told=told).told is told


def test_what_was_proven_besides_is_told_once():
    memory = Memory()
    memory.besides.append(safe("info", Point()))
    assert len(memory.take_besides()) == 1
    assert memory.take_besides() == []


def test_what_was_proven_at_a_point_is_known_later():
    memory, point = Memory(), Point.of("get", "q")
    found = Verdict(outcome=Outcome.VULNERABLE, type="sqli", point=tuple(point))
    assert memory.concluded(safe("xss", point)).outcome is Outcome.SAFE
    assert memory.concluded(found) is found
    assert memory.proven == {("sqli", point)}


def test_a_point_hangs_where_tests_of_several_types_had_no_answer():
    memory, point = Memory(), Point.of("get", "q")
    for type_ in ("sqli", "sqli", "nosqli", "sqli"):
        memory.hung(type_, point)
        assert not memory.hangs_at(point)
    memory.hung("rce", point)
    assert memory.hangs_at(point)
    assert not memory.hangs_at(Point.of("get", "other"))


def test_signs_change_nothing_where_all_of_them_were_sent_and_none_did():
    memory, point = Memory(), Point.of("get", "q")
    assert not memory.change_nothing(point, "()")
    memory.changed_nothing(point, "tea(")
    assert not memory.change_nothing(point, "()")
    memory.changed_nothing(point, ")")
    assert memory.change_nothing(point, "()")
    memory.changed(point)
    memory.changed_nothing(point, "()")
    assert not memory.change_nothing(point, "()")
