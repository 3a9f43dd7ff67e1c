"""What was decided about paths, by people and by OpenAPI documents, in the form in which it travels to the nodes."""

import msgspec


class HostTemplate(msgspec.Struct, frozen=True, array_like=True, order=True):
    """A path template on a host, as a user decided about it. host: as in an endpoint's key; "" is every host."""

    host: str
    template: str


class DocumentPaths(msgspec.Struct, frozen=True, array_like=True):
    """The paths of one uploaded document behind one of its servers.

    host: as in an endpoint's key; "" where the document names none. base_path: the server's path without a slash at its
    end, "" at the root. operations: method in uppercase and template below the base path, as the document writes it.
    """

    host: str
    base_path: str
    operations: tuple[tuple[str, str], ...]
