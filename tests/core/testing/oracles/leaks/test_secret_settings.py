"""A setting counts by its name and the one above it, where its value is neither masked nor a word for people."""

import json

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.leaks.secret_settings import REACHING, SIGNING, secret_settings_in

JSON = ((b"Content-Type", b"application/json"),)


def told(document: object, sent: str = "") -> set:
    return set(secret_settings_in(Response(200, JSON, json.dumps(document).encode()), sent))


@pytest.mark.parametrize(
    "document",
    [
        {"jwt_secret": "kh83hfk2"},
        {"config": [{"JWT_SECRET_KEY": "kh83hfk2"}]},
        {"auth": {"jwt": {"secret": "clay"}}},
        {"sessionSecret": "kh83hfk2"},
        {"flask.secret.key": "kh83hfk2"},
        {"secret_key_base": "kh83hfk2"},
        {"jwt": {"signingKey": "kh83hfk2"}},
        {"SECRET_KEY": "kh83hfk2", "DEBUG": True},
        {"config": {"SECRET_KEY": "kh83hfk2", "SQLALCHEMY_DATABASE_URI": "sqlite:///a.db"}},
        {"secret_key": "kh83hfk2", "session": {"user": 7}, "env": {}},
    ],
)
def test_what_signs_is_known_by_its_name(document):
    assert told(document) == {SIGNING}


@pytest.mark.parametrize(
    "document",
    [
        {"spring.datasource.password": "Vault-77-x"},
        {"database": {"user": "shop", "password": "kh83hfk2"}},
        {"DB_PASS": "kh83hfk2"},
        {"redisPassword": "kh83hfk2"},
        {"smtp_auth_password": "kh83hfk2"},
        {"mqtt": {"user": "buoy", "password": "kh83hfk2"}},
        {"influxdb2": {"password": "kh83hfk2"}},
        {"EMAIL_HOST_PASSWORD": "kh83hfk2"},
        {"archive": [{"host": "tapes.example", "user": "buoy", "passwd": "kh83hfk2"}]},
        {"tideGauge": {"hostName": "gauge.example", "port": 9000, "apiPassword": "kh83hfk2"}},
    ],
)
def test_what_opens_another_service_is_known_by_its_name(document):
    assert told(document) == {REACHING}


@pytest.mark.parametrize(
    "document",
    [
        {"jwt_secret": "********", "db_password": "<hidden>"},
        {"jwt_secret": "", "db_password": None, "redis": {"password": True}},
        {"db_password": "Datenbankpasswort", "jwt_secret": "Geheimnis"},
        {"jwt_key": "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0"},
        {"secret": "kh83hfk2", "client_secret": "kh83hfk2", "webhook": {"secret": "whsec_81"}},
        {"secret_key": "kh83hfk2", "environment": "live"},
        {"secret_key": "kh83hfk2", "access_key": "AK71", "session": "s1"},
        {"secretKey": "kh83hfk2", "publicKey": "pk81", "debug": False},
        {"SECRET_KEY": "********", "DEBUG": True},
        {"session_key": "9f0c", "token_secret": "9f0c", "password": "kh83hfk2", "user": {"password": "kh83hfk2"}},
        {"jwt_secret_length": "32", "has_db_password": "1"},
        {"jwt_secret": "configured", "db_password": "not_set", "redis_password": "missing"},
        {"jwt_secret": "vault:secret/data/shop#jwt", "db_password": "/run/secrets/db2", "smtp_password": "$SMTP_PASS1"},
        {"config": {"db_password": "db_password", "smtp_pass": "{{ smtp_pass1 }}"}},
        {"host": "db.example", "password": "********", "port": 5432},
        {"host": {"name": "Ann", "password_hint": "kh83hfk2"}, "meeting": {"password": "kh83hfk2"}},
        {"meeting": {"host": "ann", "password": "kh83hfk2"}, "guests": [{"host": "Ann Bell", "passwd": "kh83hfk2"}]},
        ["jwt_secret", "kh83hfk2"],
        "jwt_secret",
    ],
)
def test_other_values_and_names_are_none(document):
    assert told(document) == set()


def test_what_the_caller_sent_is_no_news_to_him():
    document = {"smtp": {"host": "mail", "password": "kh83hfk2"}}
    assert told(document, "host=mail&password=kh83hfk2") == set()


def test_an_answer_that_is_no_json_tells_none():
    assert secret_settings_in(Response(200, (), b"jwt_secret=kh83hfk2")) == frozenset()
