"""Status codes that decisions hang on (RFC 9110 section 15). FIRST_…: where a class of codes begins, to compare with `<`.

NOT_THERE: what says that nothing is at an address.
"""

from typing import Final

OK: Final = 200
CREATED: Final = 201
FIRST_REDIRECT: Final = 300
NOT_MODIFIED: Final = 304
FIRST_ERROR: Final = 400
UNAUTHORIZED: Final = 401
FORBIDDEN: Final = 403
NOT_FOUND: Final = 404
CONFLICT: Final = 409
FIRST_SERVER_ERROR: Final = 500
NOT_THERE: Final = frozenset({NOT_FOUND, 410})
