"""Whether the answer to a login says that there were too many: what was tested before it may have locked the account,
and nothing is wrong with its password.
"""

import re

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.body import text_of

_MOST_SEARCHED = 65536
_TOO_MANY = 429
_LOCKED = re.compile(
    r"too many (?:\w+ ){0,2}(?:log-?ins?|sign-?ins?|attempts|tries|failures)"
    r"|(?:account|user|log-?in) (?:(?:is|was|has been|temporarily|currently) ){0,3}(?:locked|blocked|suspended)"
    r"|(?:maximum|allowed) (?:number of )?(?:\w+ )?(?:log-?in )?attempts"
)

SAID = "; it says that there were too many logins"


def locked_out(response: Response) -> str:
    """The words for it, to be put behind what came of the login; empty where the answer says nothing of the kind."""
    if response.status == _TOO_MANY:
        return SAID
    return SAID if _LOCKED.search(text_of(response)[:_MOST_SEARCHED].lower()) else ""
