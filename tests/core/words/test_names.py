"""A name's words are the same in every manner of writing it."""

import pytest

from gatecrash.core.words.names import parted, plain, words_in


@pytest.mark.parametrize("name", ["orderId", "order_id", "Order-ID", "order.id", "_orderID_", "/order//id"])
def test_a_name_has_the_same_words_however_it_is_written(name: str) -> None:
    assert words_in(name) == ("order", "id")
    assert plain(name) == "orderid"


def test_what_has_no_words_has_none() -> None:
    assert words_in("") == words_in("-_.") == ()


def test_letters_with_marks_and_digits_belong_to_words() -> None:
    assert words_in("größeIn2Metern") == ("größe", "in2", "metern")


def test_a_name_is_parted_where_a_word_begins_and_stays_as_it_is_else() -> None:
    assert (parted("isAdmin2Team"), parted("is_admin"), parted("HTTPServer")) == (
        "is_Admin2_Team",
        "is_admin",
        "HTTPServer",
    )
    assert parted("myInvoices", "-") == "my-Invoices"
