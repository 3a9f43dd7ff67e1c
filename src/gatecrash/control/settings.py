"""Django's settings, read from the environment and nowhere else.

GATECRASH_DATA_DIR       data directory (default: ~/.local/share/gatecrash)
GATECRASH_KEY_DIR        key files, outside the data directory (default: ~/.config/gatecrash)
GATECRASH_DATABASE_URL   sqlite:///PATH or postgresql://USER:PASSWORD@HOST:PORT/NAME (default: SQLite in the data directory)
GATECRASH_SECRET_KEY     signs sessions (default: a key file)
GATECRASH_KEYS           keys of secrets at rest, comma-separated, newest first (default: a key file)
GATECRASH_RATE_LIMIT     API requests a minute and token, per process; 0 for no limit (default: 1000)
GATECRASH_NODE_TIMEOUT   seconds of silence after which a node's runs are interrupted (default: 3600)
GATECRASH_POOL_SIZE      PostgreSQL connections per process (default: 20; 0: one for each thread, no pool)
GATECRASH_PUBLIC_URL     address at which browsers reach the pages, as https://host (default: any, over plain HTTP)
GATECRASH_WEBHOOK_HOSTS  private hosts, and hosts over plain HTTP, that notifications may go to (default: loopback)
GATECRASH_OWN_ADDRESSES  where the service listens, comma-separated, the pages first; `gatecrash up` fills it in
GATECRASH_OIDC_ISSUER    single sign-on; with _CLIENT_ID, _CLIENT_SECRET (or _CLIENT_SECRET_FILE) and _NAME
"""

import os

from gatecrash.control import keys, places, public_address
from gatecrash.control.accounts import single_sign_on
from gatecrash.control.database import parse_url
from gatecrash.control.notifications import destinations
from gatecrash.control.parts import APPS

DATA_DIR = places.data_dir()
KEY_DIR = places.key_dir()
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
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    *(f"gatecrash.control.{name}" for name in APPS),
    "gatecrash.control.ui",  # before allauth: its templates are ours
    "allauth",
    "gatecrash.control.ui.allauth_account.Account",
    "allauth.mfa",
    "allauth.socialaccount",
    "axes",
    "django_htmx",
]
# Nothing else stands before the API: a poll of a run must cost little more than its one read. What pages need (session,
# CSRF, sign-in, assets) is inside the doorway, which lets the API's addresses pass untouched.
MIDDLEWARE = ["gatecrash.control.api.gate.Gate", "gatecrash.control.ui.doorway.Doorway"]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["gatecrash.control.ui.templatetags.gatecrash"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.messages.context_processors.messages",
                "gatecrash.control.ui.frame.frame",
            ],
        },
    }
]
APPEND_SLASH = False

DATABASES = {"default": parse_url(places.database_url(), pool_size=int(os.environ.get("GATECRASH_POOL_SIZE") or 20))}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",  # accounts of earlier versions; hashed anew at their next sign-in
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

PUBLIC_URL = public_address.read(os.environ.get("GATECRASH_PUBLIC_URL"))
OWN_ADDRESSES = [one for one in os.environ.get("GATECRASH_OWN_ADDRESSES", "").split(",") if one]
WEBHOOK_HOSTS = destinations.read_hosts(os.environ.get("GATECRASH_WEBHOOK_HOSTS"))
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
SESSION_COOKIE_NAME = "gatecrash_session"
SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = PUBLIC_URL.startswith("https://")
CSRF_COOKIE_NAME = "gatecrash_csrf"
CSRF_USE_SESSIONS = False
CSRF_COOKIE_HTTPONLY = True
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL] if PUBLIC_URL else []
CSRF_FAILURE_VIEW = "gatecrash.control.ui.refusals.csrf_failed"
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
STATIC_URL = "/static/"

# What single sign-on is told to come back to: the proxy speaks TLS, the service behind it does not.
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if PUBLIC_URL.startswith("https://") else "http"
ACCOUNT_ADAPTER = "gatecrash.control.accounts.sign_in.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 600
SOCIALACCOUNT_ADAPTER = "gatecrash.control.accounts.sign_in.SocialAdapter"
SOCIALACCOUNT_PROVIDERS = single_sign_on.providers(os.environ)
SOCIALACCOUNT_EMAIL_AUTHENTICATION = True  # an account made by an administrator is found by its verified address
SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT = True
SOCIALACCOUNT_OPENID_CONNECT_URL_PREFIX = ""
SOCIALACCOUNT_LOGIN_ON_GET = True  # a form that ends at another host would need a hole in form-action
MFA_ADAPTER = "gatecrash.control.accounts.two_factor.Adapter"
MFA_ALLOW_UNVERIFIED_EMAIL = True  # addresses come from administrators
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Gatecrash"
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
# As `sign_in` calls it. Left to itself axes takes the model's field, counts tries under no name, and locks nobody out.
AXES_USERNAME_FORM_FIELD = "username"
AXES_LOCKOUT_CALLABLE = "gatecrash.control.accounts.sign_in.locked_out"
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True
AXES_VERBOSE = False
AXES_ENABLE_ADMIN = False

SILENCED_SYSTEM_CHECKS = ["axes.W002"]  # its middleware, too, stands inside the doorway

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
        # Four lines for each sign-in that went well; what failed and who is locked out are warnings.
        "axes": {"handlers": [], "level": "WARNING", "propagate": True},
    },
}
