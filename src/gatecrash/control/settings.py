"""Django's settings, read from the environment and nowhere else.

GATECRASH_DATA_DIR       data directory (default: ~/.local/share/gatecrash)
GATECRASH_KEY_DIR        key files, outside the data directory (default: ~/.config/gatecrash)
GATECRASH_DATABASE_URL   sqlite:///PATH or postgresql://USER:PASSWORD@HOST:PORT/NAME (default: SQLite in the data directory)
GATECRASH_SECRET_KEY     signs sessions (default: a key file)
GATECRASH_KEYS           keys of secrets at rest, comma-separated, newest first (default: a key file)
GATECRASH_RATE_LIMIT     API requests a minute and token, per process; 0 for no limit (default: 1000)
GATECRASH_NODE_TIMEOUT   seconds of silence after which a node's runs are interrupted (default: 3600)
GATECRASH_POOL_SIZE      PostgreSQL connections per process (default: 20)
"""

import os
from pathlib import Path

from gatecrash.control import keys
from gatecrash.control.database import parse_url
from gatecrash.control.parts import APPS


def _folder(variable: str, xdg: str, fallback: str) -> Path:
    """A folder from the environment, else below the XDG base directory."""
    given = os.environ.get(variable)
    base = os.environ.get(xdg) or Path.home() / fallback
    return Path(given).expanduser().absolute() if given else Path(base) / "gatecrash"


DATA_DIR = _folder("GATECRASH_DATA_DIR", "XDG_DATA_HOME", ".local/share")
KEY_DIR = _folder("GATECRASH_KEY_DIR", "XDG_CONFIG_HOME", ".config")
DATA_DIR.mkdir(parents=True, exist_ok=True, mode=0o700)

SECRET_KEY = keys.secret_key(DATA_DIR, KEY_DIR)
VAULT_KEYS = keys.ring(DATA_DIR, KEY_DIR)
DEBUG = False
ALLOWED_HOSTS = ["*"]  # tokens, not names, guard the API; pages check the Host against their own origin
ROOT_URLCONF = "gatecrash.control.urls"
WSGI_APPLICATION = "gatecrash.control.wsgi.application"

INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    *(f"gatecrash.control.{name}" for name in APPS),
]
# Nothing else stands before the API: a poll of a run must cost little more than its one read.
MIDDLEWARE = ["gatecrash.control.api.gate.Gate"]
APPEND_SLASH = False

DATABASES = {
    "default": parse_url(
        os.environ.get("GATECRASH_DATABASE_URL") or f"sqlite:///{DATA_DIR / 'gatecrash.sqlite3'}",
        pool_size=int(os.environ.get("GATECRASH_POOL_SIZE") or 20),
    )
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "accounts.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = False

MAX_API_BODY = 1024 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = None  # the gate bounds every body before it is read
RATE_LIMIT = int(os.environ.get("GATECRASH_RATE_LIMIT") or 1000) if os.environ.get("GATECRASH_RATE_LIMIT") != "0" else 0

NODE_TIMEOUT = int(os.environ.get("GATECRASH_NODE_TIMEOUT") or 3600)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": os.environ.get("GATECRASH_LOG_LEVEL") or "INFO"},
    "loggers": {
        "django": {"handlers": [], "level": "WARNING", "propagate": True},
        # Each 4xx answer would be a warning; they are the callers' affair and counted in /metrics.
        "django.request": {"handlers": [], "level": "ERROR", "propagate": True},
    },
}
