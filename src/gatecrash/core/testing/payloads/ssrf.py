"""Payloads of `ssrf`: addresses of the target itself, and of places where nothing answers.

`{origin}` stands for the target's own origin, `{host}` for its host, `{mark}` for fresh letters, `{port}` for a port of
this machine at which nothing listens. An address that is listened to elsewhere needs no other pattern than OWN.
"""

OWN = "{origin}{path}"
# Ports that are assigned to services nobody runs (IANA: discard and its neighbours); a connection is refused at once.
CLOSED_PORTS = (9, 11, 13, 17)
CLOSED = "http://127.0.0.1:{port}/{mark}"
# RFC 6761 section 6.4: this name never resolves.
NAMELESS = "http://{mark}.invalid/"
# Read as text and not fetched, so that it must not be answered as an address is.
NO_ADDRESS = "hxxp:{mark}/"
# The loopback address as filters know it, and as they often do not (inet_aton(3): one number of 32 bits, two of 8 and 24).
SPELLINGS = ("127.0.0.1", "2130706433", "127.1")
