"""Letters that stand nowhere else: consonants alone, which form no word of any language that a page or a filter would know.

fresh_letters(random, 8)    "kqzbtvhx"
"""

from itertools import product
from random import Random

LETTERS = "bcdfghjklmnpqrstvwxz"
# Drawn three at a time by `Random.random`, which takes a tenth of what `Random.choice` takes for each.
_THREES = tuple(map("".join, product(LETTERS, repeat=3)))
_NUMBER_OF_THREES = len(_THREES)


def fresh_letters(random: Random, length: int) -> str:
    """So many of them."""
    draw = random.random
    if length == 6:  # nearly all are
        return _THREES[int(draw() * _NUMBER_OF_THREES)] + _THREES[int(draw() * _NUMBER_OF_THREES)]
    threes = "".join([_THREES[int(draw() * _NUMBER_OF_THREES)] for _ in range(0, length, 3)])
    return threes[:length]
