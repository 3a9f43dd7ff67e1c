"""Files that applications consist of, known by the shape of their content: manifests of packages, descriptions of servlets, settings."""

import re
from typing import Final, NamedTuple

from gatecrash.core.testing.oracles.files.files import readings

_MOST: Final = 500_000


class OwnFile(NamedTuple):
    """A file of an application. path: below its folder, without the extension.

    least: so many times its content has the shape. beside: what its content has as well.
    """

    path: str
    extension: str
    shape: re.Pattern[str]
    least: int = 1
    beside: re.Pattern[str] | None = None

    @property
    def name(self) -> str:
        """The whole of its path."""
        return self.path + self.extension


# npm and Composer: members that nothing else has together. One pattern for both would look ahead from every character.
PACKAGE = OwnFile(
    "package",
    ".json",
    re.compile(r'"(?:dependencies|devDependencies|scripts)"\s{0,9}:\s{0,9}\{'),
    beside=re.compile(r'"version"\s{0,9}:\s{0,9}"\d'),
)
COMPOSER = OwnFile(
    "composer", ".json", re.compile(r'"require(?:-dev)?"\s{0,9}:\s{0,9}\{\s{0,99}"(?:php|ext-|[\w.-]+/)')
)
# What comes with the framework whose name Node's applications tell, for those who read documents alone.
EXPRESS = OwnFile(
    "node_modules/express/Readme",
    ".md",
    re.compile(r"minimalist web framework for"),
    beside=re.compile(r"Express Logo|expressjs\.com"),
)
# pip: a line for each package with its version.
REQUIREMENTS = OwnFile(
    "requirements",
    ".txt",
    re.compile(
        r"(?m)^(?:<[\w /]{1,20}>){0,4}[A-Za-z][\w.-]{0,60}(?:\[[\w,-]{1,60}\])?[ ]?(?:==|>=|~=|<=)[ ]?\d[\w.*]{0,20}"
    ),
    least=2,
)
# Jakarta Servlet, section 14; the JAR file specification; Spring Boot.
WEB_XML = OwnFile("WEB-INF/web", ".xml", re.compile(r"<web-app[\s>]"))
MANIFEST = OwnFile("META-INF/MANIFEST", ".MF", re.compile(r"Manifest-Version: \d"))
PROPERTIES = OwnFile(
    "application",
    ".properties",
    re.compile(r"(?m)(?:^|>)(?:server\.port|(?:spring|logging|management|quarkus)\.[\w.-]{1,80})[ ]?="),
)


def shows_file(file: OwnFile, text: str) -> bool:
    """Whether a text shows the file: as it is, escaped for HTML, or as a JSON text."""
    return any(
        len(file.shape.findall(reading)) >= file.least
        and (file.beside is None or file.beside.search(reading) is not None)
        for reading in readings(text[:_MOST])
    )
