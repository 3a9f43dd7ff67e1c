"""The confusion matrix of authentication types over all case files: what each credential is, and what it is taken for.

Run it: `python -m tests.cases.confusion`. It exits with 1 where anything is off the diagonal or wrongly valid.
"""

import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.cases.case import Case, cases_of

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.auth.scheme import AuthType

NOTHING = "nothing"
NAMES = (*(kind.value for kind in AuthType), NOTHING)


@dataclass
class Confusion:
    """pairs: (what it is, what it was taken for), counted. validity: those of the right type, right and wrong."""

    cases: int = 0
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)

    @property
    def mistakes(self) -> int:
        """Credentials of which type or validity is wrong."""
        confused = sum(count for (real, taken), count in self.pairs.items() if real != taken)
        return confused + self.wrong.total()


def confusion(cases: Iterable[Case]) -> Confusion:
    """Compare what each case expects with what is recognised, point by point."""
    matrix = Confusion()
    recogniser = compile_recogniser()
    for case in cases:
        matrix.cases += 1
        expected = {point: (kind, validity) for kind, validity, point in (line.split(" ", 2) for line in case.expected)}
        found = {
            str(one.point): (one.type.value, "valid" if one.valid else "invalid")
            for one in recogniser.recognise(case.request)
        }
        for point in expected.keys() | found.keys() or {""}:
            real, taken = expected.get(point, (NOTHING, "")), found.get(point, (NOTHING, ""))
            matrix.pairs[real[0], taken[0]] += 1
            if real[0] == taken[0] != NOTHING:
                (matrix.right if real == taken else matrix.wrong)[real[0]] += 1
    return matrix


def drawn(matrix: Confusion) -> str:
    """The matrix for people: a row for what it is, a column for what it was taken for, and the validity's own two."""
    width = max(map(len, NAMES)) + 1
    cell = max(len(name) for name in NAMES) + 1
    lines = [" " * width + "".join(f"{name:>{cell}}" for name in (*NAMES, "validity", "wrong"))]
    for real in NAMES:
        counts = (matrix.pairs[real, taken] for taken in NAMES)
        numbers = "".join(f"{count or '.':>{cell}}" for count in counts)
        lines.append(f"{real:<{width}}{numbers}{matrix.right[real] or '.':>{cell}}{matrix.wrong[real] or '.':>{cell}}")
    return "\n".join(lines)


def main() -> int:
    """Print the matrix; 1 where there are mistakes."""
    matrix = confusion(cases_of("auth"))
    print(drawn(matrix))
    print(f"{matrix.cases} cases, {matrix.pairs.total()} comparisons, {matrix.mistakes} mistakes")
    return 1 if matrix.mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
