"""Opening a page in a browser, asked for by a dialogue: whether a script of ours runs there.

    answer = yield TestRequest(request, opening=Opening(names=("kzqmwp",), behind="%3Cimg…"))
    "kzqmwp" in answer.ran        the page called the function of this name

The functions do nothing but tell that they were called, and only pages of the request's own origin have them.
"""

import msgspec


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """names: of the functions, each drawn for this test. behind: what stands behind the hash of the address, as a browser writes it.
    window: what whoever opens the page calls its window.
    """

    names: tuple[str, ...]
    behind: str = ""
    window: str = ""
