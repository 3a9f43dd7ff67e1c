from gatecrash.control.accounts import tokens


def test_a_token_has_256_bits_behind_a_prefix_that_scanners_know() -> None:
    made = {tokens.new() for _ in range(100)}
    assert len(made) == 100
    assert all(one.startswith("gck_") and len(one) == 4 + 43 for one in made)


def test_only_a_digest_is_kept_and_any_header_has_one() -> None:
    assert len(tokens.digest("gck_x")) == 64
    assert tokens.digest("a") != tokens.digest("b")
    assert tokens.digest("\udcff\u20ac")
