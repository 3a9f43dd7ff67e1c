"""Whether an answer tells somebody what those who run a place keep of all who belong to it: files of illnesses, a list of wages.

The list must say of each which role he has, and the caller must have the one that most of them have: it is then kept by
somebody else. What members share among each other, such as balances and birthdays, is none of it, and neither is what a
doctor is told of patients.
"""

import re

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.ranks.sections_of_roles import columns_of, roles_in, roles_of_caller
from gatecrash.core.words.names import parted

_KEPT = re.compile(
    r"medical(?:_(?:notes?|history|data|info|information|records?|conditions?))?|diagnos[ie]s|illness(?:es)?|sick_?notes?"
    r"|(?:\w+_)?(?:salary|wages?)|payroll|ssn|social_security(?:_(?:no|number))?|appraisals?|disciplinary\w*"
)
_LEAST_LISTED = 3


def secret_of_colleagues(response: Response, own: frozenset[str]) -> str:
    """The name of the field that tells it; empty where none does. own: what the caller is called, and which role he has."""
    for columns in columns_of(response):
        roles, mine = roles_in(columns), roles_of_caller(columns, own)
        having = sum(map(roles.count, mine)) if len(mine) == 1 else 0
        if len(roles) < _LEAST_LISTED or having == len(roles) or 2 * having <= len(roles):
            continue
        for name, values in columns.items():
            if _KEPT.fullmatch(parted(name).lower()) and len(set(values)) > 1:
                return name
    return ""
