"""What an answer gives away of the inside: stack traces, pages of debuggers, and secrets; lists of our own.

A trace counts only with the frames that make it one, so that a page which speaks of exceptions is none.
"""

import re
from typing import NamedTuple

TRACE, DEBUG, SECRET, LISTING = "stack trace", "debug page", "secret", "directory listing"
# What a running service tells of itself to its own monitoring.
METRICS = "metrics"
# What was never meant to be handed out: dumps, settings, data of version control.
DEPLOYED = "file of the deployment"
# What readers of somebody's words have no use for.
CONTACTS = "contacts"


class Leak(NamedTuple):
    """One finding. kind: one of the words above. what: for people, never the secret itself."""

    kind: str
    what: str


# With words of which one is in whatever the expression finds: most answers hold none, and to look for words is a hundred times
# as fast.
_SIGNATURES = (
    (TRACE, "Python", ("Traceback (most recent call last)",), r"Traceback \(most recent call last\)[\s\S]{1,400}?File (?:\"|&quot;|\\\"|&#34;)[^\n]{1,300}?, line \d+"),
    (TRACE, "Java", (".java:", ".kt:", ".scala:", ".groovy:"), r"(?:\bat |\\n\\tat |&#9;at |\"|\n\t)[\w$./@]{3,160}\([\w$]{1,60}\.(?:java|kt|scala|groovy):\d{1,6}\)"),
    (TRACE, "Node", ("js:", "jsx:", "ts:", "tsx:", ".vue:", ".svelte:", "node:"), r"\bat [^\n()]{0,120}\(?(?:(?:/|[A-Z]:\\{1,2}|file://)[^\n()<>]{1,250}?\.(?:[cm]?[jt]sx?|vue|svelte)|node:[\w/.-]{1,120}):\d{1,6}:\d{1,6}\)?"),
    (TRACE, "PHP", ("on line ",), r"(?:Fatal error|Warning|Notice|Parse error|Deprecated)(?:</b>)?: [^\n]{1,400}? in (?:<b>)?(?:/|[A-Z]:\\)[^\n<]{1,250}?\.php(?:</b>)? on line (?:<b>)?\d+"),
    (TRACE, "PHP", (".php(",), r"#0 (?:/|[A-Z]:\\)[^\n]{1,250}?\.php\(\d+\): "),
    (TRACE, ".NET", (":line ",), r"\bat [\w.`<>\[\], ]{3,200}\([^\n)]{0,200}\) in [^\n]{1,250}?:line \d+"),
    (TRACE, ".NET", ("System.Web.", "System.Data.", "System.IO."), r"\[\w{3,60}Exception[^\n]{0,200}\]\s[\s\S]{0,200}?System\.(?:Web|Data|IO)\.[\w.]{3,100}\("),
    (TRACE, "Ruby", (".rb:",), r"(?:/[\w.@-]{1,60}){2,20}\.rb:\d{1,6}:in [`']"),
    (TRACE, "Perl", (".pm line ", ".pl line ", ".psgi line ", ".cgi line "), r" at (?:\.{0,2}/)?[\w./@-]{1,200}\.(?:p[lm]|psgi|cgi) line \d{1,6}[.,]"),
    (TRACE, "Go", ("goroutine ",), r"goroutine \d+ \[running\]:"),
    (TRACE, "frames in JSON", ('"file"',), r"(?:\"file\"\s*:\s*\"(?:[A-Z]:)?(?:\\{1,2}|\\?/)[^\"\n]{1,250}\.(?:php|py|rb|[jt]sx?|cs|go|java|ex)\"\s*,\s*\"line\"\s*:\s*\"?\d+[^{}\[\]]{0,300}[{}\[\],\s]{1,200}){2}"),
    (DEBUG, "Werkzeug", ("// Werkzeug Debugger", "__debugger__=yes"), r"<title>[^<]{0,200}// Werkzeug Debugger</title>|__debugger__=yes"),
    (DEBUG, "Django", ("seeing this error because you have",), r"You(?:'|&#x27;|&#39;)re seeing this error because you have <code>DEBUG = True</code>"),
    (DEBUG, "Django", ("seeing this error because you have",), r"You(?:'|&#x27;|&#39;)re seeing this error because you have DEBUG = True in your"),
    (DEBUG, "environment variables", ('"PATH"',), r"\"PATH\"\s*:\s*\"/[^\"\n]{0,2000}/bin[^{}]{0,4000}\"(?:HOME|PWD|USER|HOSTNAME|LANG|SHELL|LOGNAME|[A-Z_]*(?:SECRET|PASSWORD|KEY))\"\s*:"),
    (DEBUG, "environment variables", ('"PATH"',), r"\"(?:HOME|PWD|USER|HOSTNAME|LANG|SHELL|LOGNAME|[A-Z_]*(?:SECRET|PASSWORD|KEY))\"\s*:\s*\"[^{}]{0,4000}\"PATH\"\s*:\s*\"/[^\"\n]{0,2000}/bin"),
    (DEBUG, "Laravel or Symfony", ("Whoops", "Ignition.start", "sf-toolbar", "Symfony Exception"), r"<title>[^<]{0,100}Whoops[^<]{0,60}</title>|Ignition\.start|sf-toolbar|Symfony Exception"),
    (DEBUG, "ASP.NET", ("Server Error in ", "DeveloperExceptionPage"), r"Server Error in &#39;|Server Error in '/[^']{0,60}' Application|DeveloperExceptionPage"),
    (DEBUG, "Rails", ("Full Trace", "Full-Trace"), r"<h2>Full Trace</h2>|id=\"Full-Trace"),
    (DEBUG, "PHP", ("phpinfo()", "PHP Version "), r"<title>phpinfo\(\)</title>|<h1 class=\"p\">PHP Version "),
    (DEBUG, "Spring Boot actuator", ('"propertySources"',), r"\"propertySources\":\[\{\"name\":"),
    (DEBUG, "Spring Boot actuator", ('"_links"',), r"\"_links\":\{\"self\":\{\"href\":\"[^\"]{1,300}\"[^{}]{0,60}\}[\s\S]{0,6000}?\"(?:env|heapdump|threaddump|configprops|mappings|beans|loggers|httptrace|httpexchanges|shutdown)\":\{\"href\":"),
    (DEBUG, "the web server's status", ("Apache Status",), r"<title>Apache Status</title>[\s\S]{1,4000}?Server uptime:"),
    (DEBUG, "Go's profiles", ("/debug/pprof/", '"memstats"'), r"<title>/debug/pprof/</title>|\"cmdline\":\s?\[[\s\S]{1,4000}?\"memstats\":\s?\{"),
    (DEBUG, "a database's console", ("H2 Console",), r"<title>H2 Console</title>"),
    (DEBUG, "Symfony's profiles", ("Symfony Profiler",), r"<title>[^<]{0,40}Symfony Profiler</title>"),
    (SECRET, "a private key", ("PRIVATE KEY-----",), r"-----BEGIN (?:RSA |EC |OPENSSH |DSA |ENCRYPTED )?PRIVATE KEY-----(?:\\r|\\n|\s)+[A-Za-z0-9+/=]{40}"),
    (SECRET, "an Amazon access key", ("AKIA", "ASIA"), r"\b(?:AKIA|ASIA)(?!IOSFODNN7EXAMPLE)[A-Z0-9]{16}\b"),
    (SECRET, "a GitHub token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"\bgh[pousr]_[A-Za-z0-9]{36}\b"),
    (SECRET, "a Slack token", ("xox",), r"\bxox[abpr]-\d{8,14}-[\w-]{20,80}"),
    (SECRET, "a Stripe secret key", ("sk_live_",), r"\bsk_live_[A-Za-z0-9]{20,80}"),
    (SECRET, "a database address with its password", ("postgres://", "postgresql://", "mysql://", "mongodb://", "mongodb+srv://", "redis://", "amqp://"), r"\b(?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|redis|amqp)://[^\s:/@\"'<>]{0,60}:(?!\*|\$|<|\{|xxx|password@|pass@)[^\s/@\"'<>]{3,100}@(?!(?:[\w-]{1,60}\.){0,5}example\b|host(?:name)?(?![\w.-])|your[_-])[\w.-]{1,200}"),
    (SECRET, "a password's hash", ("$2a$", "$2b$", "$2y$", "$argon2", "pbkdf2", "scrypt:", "$1$", "$5$", "$6$"), r"(?<![\w$])\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}|\$argon2(?:id|i|d)\$v=\d+\$m=|\bpbkdf2[_:]sha\d+[$:]\d+[$:][^\s\"<]{20}|\bscrypt:\d+:\d+:\d+\$|(?<![\w$])\$[156]\$[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{22}"),
    (SECRET, "a password's hash", ('"pass', '"pwd'), r"\"(?:password|passwd|pwd|pass)_?-?(?:hash|digest|md5|sha1|sha256)?\"\s*:\s*\"(?:[a-f0-9]{32}|[a-f0-9]{40}|[a-f0-9]{64}|[a-f0-9]{128})\""),
    (DEPLOYED, "settings with a password or a key", ("PASSWORD=", "PASSWD=", "SECRET=", "_KEY="), r"(?m)^(?:export )?[A-Z][A-Z0-9_]{0,60}(?:PASSWORD|PASSWD|SECRET|SECRET_KEY|API_KEY|PRIVATE_KEY|ACCESS_KEY)=(?![\"']?(?:\*|x{3}|<|\$|change|your|example|password|secret|todo|\s))\S{6,200}[^\S\n]*$(?=[\s\S]{0,2000}^[A-Z][A-Z0-9_]{1,60}=)"),
    (DEPLOYED, "settings with a password or a key", ("PASSWORD=", "PASSWD=", "SECRET=", "_KEY="), r"(?m)^[A-Z][A-Z0-9_]{1,60}=\S[\s\S]{0,2000}?^(?:export )?[A-Z][A-Z0-9_]{0,60}(?:PASSWORD|PASSWD|SECRET|SECRET_KEY|API_KEY|PRIVATE_KEY|ACCESS_KEY)=(?![\"']?(?:\*|x{3}|<|\$|change|your|example|password|secret|todo|\s))\S{6,200}[^\S\n]*$"),
    (DEPLOYED, "a dump of a database", ("CREATE TABLE ",), r"(?m)^CREATE TABLE [^\n;]{1,200}\([\s\S]{1,20000}?^(?:INSERT INTO [^\n]{1,200}? VALUES ?\(|COPY [^\n]{1,400} FROM stdin;)"),
    (DEPLOYED, "version control", ("repositoryformatversion", "ref: refs/heads/"), r"\A\s*\[core\]\s+repositoryformatversion = \d|\Aref: refs/heads/[\w./-]{1,100}\s*\Z"),
    (DEPLOYED, "source code", ("<?php",), r"\A\s*<\?php\s[\s\S]{0,20000}?(?:\$\w+\s*=|function\s+\w+\s*\(|require|include|use\s+\w)"),
    (DEPLOYED, "a log of requests", ('] "',), r"\A(?:[\da-fA-F.:]{3,45} \S{1,60} \S{1,60} \[\d\d/\w{3}/\d{4}[^\]\n]{0,40}\] \"[A-Z]{3,7} [^\n]{1,4000}(?:\n|\Z)){2}"),
    (METRICS, "of the web server", ("Active connections:",), r"\AActive connections: \d+ *\nserver accepts handled requests"),
    (METRICS, "in Prometheus' format", ("# TYPE ",), r"(?m)^# TYPE (?:process_|go_|jvm_|nodejs_|python_|http_)\w{1,100} (?:counter|gauge|histogram|summary)$"),
    (LISTING, "of a folder", ("Index of /", "Directory listing for /"), r"<title>Index of /[^<]{0,200}</title>[\s\S]{1,2000}?(?:Parent Directory|<a href=\"\.\./\">)|<title>Directory listing for /"),
    (LISTING, "of a folder", ("listing directory /", "Directory Listing For ", "[To Parent Directory]"), r"<title>listing directory /|<title>Directory Listing For \[?/|\[To Parent Directory\]</A>"),
    (LISTING, "of a folder", ("<title>Directory: /", "<pre>\n<a href"), r"<title>Directory: /[^<]{0,200}</title>|<pre>\n(?:<a href=\"[^\"\n]{1,300}\">[^<\n]{1,300}</a>\n){1,2000}</pre>\s*\Z"),
)  # fmt: skip
_ANY = tuple((kind, what, hints, re.compile(pattern)) for kind, what, hints, pattern in _SIGNATURES)
_MOST = 300_000
# How a key goes on behind what it is known by, also over lines.
_GOES_ON = re.compile(r"(?:[\w+/=$.]|\\[nr]|\s(?=[A-Za-z0-9+/=]{20}))*+")


def leaks(text: str) -> frozenset[Leak]:
    """What a text gives away, each kind once."""
    text = text[:_MOST]
    found: set[Leak] = set()
    for kind, what, hints, pattern in _ANY:
        for hint in hints:
            if hint in text:
                if pattern.search(text):
                    found.add(Leak(kind, what))
                break
    return frozenset(found)


def passages(text: str, leak: Leak) -> frozenset[str]:
    """What of a text gives that away, word by word; never to be shown or logged."""
    text = text[:_MOST]
    patterns = (pattern for kind, what, _, pattern in _ANY if (kind, what) == leak)
    found = (match for pattern in patterns for match in pattern.finditer(text))
    return frozenset(match[0] + (_GOES_ON.match(text, match.end()) or match)[0] for match in found)
