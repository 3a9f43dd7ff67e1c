"""Which segments are identifiers, and what they are called."""

import pytest

from gatecrash.core.inventory.identifiers import (
    is_identifier,
    is_random,
    look_in_path,
    look_of,
    parameter_name,
    singular,
)

WORDS = [
    "users",
    "orders",
    "v1",
    "v2",
    "v1.2",
    "api",
    "graphql",
    "oauth2",
    "base64",
    "html2pdf",
    "getUserById",
    "wp-admin",
    "admin.php",
    "well-known",
    ".well-known",
    "openapi.json",
    "robots.txt",
    "i18n",
    "l10n",
    "user_profiles",
    "OAuthCallback",
    "XMLHttpRequest",
    "s3",
    "utf8",
    "report.pdf",
    "swagger-ui",
    "index.html",
    "checkout",
    "search-results",
    "3d",
    "mp3",
    "sitemap.xml",
    "iOS",
    "README",
    "k8s",
    "b2b",
    "v1beta1",
    "1.0",
    "4.17.21",
    "2fa",
    "utf-8",
    "en-US",
    "@scope",
    "xmlrpc.php",
    "htmlcss",
    "mqtt",
    "UTF-8",
    "getXmlHttpPdfCss",
    "findByIdInDbOrCache",
]
SECRETS = [
    "kX9fQ2",
    "dQw4w9WgXcQ",
    "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
    "eyJhbGciOiJIUzI1NiJ9.e30.abc",
    "AbCdEfGhIjKl",
    "qwrtpsdfgh",
    "Zm9vYmFyYmF6",
    "8fJk2Lm9",
    "qzroeekpbvyBqOyeypGpAJmt",
]


@pytest.mark.parametrize("segment", WORDS)
def test_words_are_no_identifiers(segment):
    assert look_in_path(segment) is None


@pytest.mark.parametrize("segment", [*SECRETS, "a" * 65])
def test_random_looking_segments_are_identifiers(segment):
    assert is_random(segment)


@pytest.mark.parametrize(
    ("segment", "kind"),
    [
        ("0", "id"),
        ("-17", "id"),
        ("12345678901234567890", "id"),
        ("6f1c0e6a-6d1b-4c80-a6f7-1d0c5a3a3a10", "id"),
        ("01ARZ3NDEKTSV4RRFFQ69G5FAV", "id"),
        ("507f1f77bcf86cd799439011", "id"),
        ("d41d8cd98f00b204e9800998ecf8427e", "id"),
        ("2024-05-17", "date"),
        ("2024-05", "date"),
        ("2024-05-17T10:00:00Z", "date"),
        ("ann@example.com", "email"),
        ("ann%40example.com", "email"),
    ],
)
def test_identifiers_by_their_look(segment, kind):
    assert look_of(segment) == look_in_path(segment) == kind


@pytest.mark.parametrize(
    ("segment", "kind"),
    [
        ("ann@localhost", "id"),
        ("2026-W05", "date"),
        ("05-01-2026", "date"),
        ("05.01.2026", "date"),
        ("2026.01.05", "date"),
        ("4111-1111-1111-1111", "id"),
        ("%2B48-123-456-789", "id"),
        ("50.06,19.94", "id"),
        ("192.168.1.7", "id"),
        ("2001:db8::1", "id"),
        ("00:1a:2b:3c:4d:5e", "id"),
        ("apple-100", "id"),
        ("TEA-42", "id"),
        ("KB2-7", "id"),
        ("42-apple", "id"),
        ("42:cancel", "id"),
        ("index-2026.01.05", "id"),
        ("Ann%20Smith", "id"),
    ],
)
def test_more_are_identifiers_in_a_path(segment, kind):
    assert look_in_path(segment) == kind


@pytest.mark.parametrize("value", ["green tea", "127.0.0.1", "apple-100", "1.5,2.5", "a@b"])
def test_a_parameters_value_may_look_so_and_be_any_text(value):
    assert look_of(value) is None


@pytest.mark.parametrize(
    "value",
    ["INV-0031", "CLM-2026-0412", "PH-3305", "ORD_1001", "7", "ann@club.test", "ord_1043", "usr_117", "re-1139"],
)
def test_what_offices_and_programs_count_by_chooses_something_wherever_it_stands(value):
    assert is_identifier(value)


@pytest.mark.parametrize(
    "value",
    [
        *("UTF-16", "SHA-256", "AES-128", "A-1", "COVID-19", "summer-2025", "INV-", "2026-11-29"),
        *("utf-8", "sha_256", "iso-8859", "windows-1252", "room-101", "report_2026", "top_10", "covid-19"),
    ],
)
def test_names_of_standards_words_and_dates_choose_nothing(value):
    assert not is_identifier(value)


def test_a_parameter_is_named_after_what_stands_before_it():
    assert parameter_name("id", "users") == "user_id"
    assert parameter_name("id", "user-profiles") == "user_profile_id"
    assert parameter_name("id", "lineItems") == "line_item_id"
    assert parameter_name("id", None) == "id"
    assert parameter_name("id", "v1") == "id"
    assert parameter_name("id", "{user_id}") == "id"
    assert parameter_name("email", "users") == "email"
    assert parameter_name("id", "stra%C3%9Fe") == "id"
    assert parameter_name("id", "Orders({order_id})") == "order_id"
    assert parameter_name("id", "users", ("user_id",)) == "user_id_2"


@pytest.mark.parametrize(
    ("plural", "one"),
    [
        ("categories", "category"),
        ("boxes", "box"),
        ("addresses", "address"),
        ("status", "status"),
        ("buses", "bus"),
        ("movies", "movie"),
        ("tea_caches", "tea_cache"),
        ("houses", "house"),
        ("items", "item"),
        ("analysis", "analysis"),
        ("class", "class"),
        ("branches", "branch"),
        ("series", "series"),
    ],
)
def test_singulars_follow_the_common_rules_and_only_those(plural, one):
    assert singular(plural) == one
