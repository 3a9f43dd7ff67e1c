"""Random orders in which two kinds of requests are repeated, so that alternating answers do not look like a proof.

Two versions of an application behind one balancer answer by turns. Against as many questions of either kind they are right
in one of C(2n, n) / 2 orders, which is once in 126 for five rounds. An order with two questions more of the one kind holds
two of its kind side by side, whichever way it is drawn, and is answered rightly by no such turns at all.
"""

from random import Random

MORE = 2


def in_random_order(random: Random, rounds: int) -> list[bool]:
    """So many questions of each kind, and MORE of the true ones."""
    questions = [True] * (rounds + MORE) + [False] * rounds
    random.shuffle(questions)
    return questions
