"""Fields that are checked: ruling D7."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.faithfulness import (
    COMPOSITE_POLICIES,
    DEFAULT_POLICIES,
    ClaimExtractor,
    FieldPolicies,
    FieldPolicy,
    read_policies,
)

KEYS = st.lists(st.text(max_size=8), min_size=1, max_size=5)


@pytest.mark.parametrize(
    ("pattern", "keys", "decides"),
    [
        ("age", ["age"], True),
        ("age", ["demographics", "age"], False),
        ("**.age", ["age"], True),
        ("**.age", ["demographics", "person", "age"], True),
        ("*.age", ["demographics", "age"], True),
        ("*.age", ["age"], False),
        ("demographics", ["demographics", "age"], True),
        ("demographics.age", ["demographics"], False),
        ("a.**.z", ["a", "z"], True),
        ("a.**.z", ["a", "b", "c", "z"], True),
        ("a.**.z", ["b", "z"], False),
        ("*_id", ["external_id"], True),
        ("*_id", ["id"], False),
        ("image_*", ["image_url"], True),
        ("image_*", ["imagery"], False),
        ("created_at", ["createdAt"], True),
        ("createdAt", ["created-at"], True),
        ("created at", ["CREATED_AT"], True),
        ("a.b", ["a.b"], False),
        ("c++", ["C++"], True),
        ("**", ["anything", "at", "all"], True),
    ],
)
def test_a_pattern_decides_on_paths(pattern, keys, decides):
    """`*` is a key or a part of one, `**` any number of keys; fields inside follow the same rule."""
    policies = FieldPolicies(((pattern, FieldPolicy.SYNTHETIC),))
    assert (policies.policy(keys) is FieldPolicy.SYNTHETIC) == decides


def test_the_last_rule_that_matches_decides():
    """This allows exceptions from skipped fields and changes of defaults."""
    policies = FieldPolicies.of({"metadata.age": "check", "id": "check"})
    assert policies.policy(["metadata"]) == "skip"
    assert policies.policy(["metadata", "age"]) == "check"
    assert policies.policy(["id"]) == "check"
    assert ClaimExtractor(policies=policies).policies is policies


@pytest.mark.parametrize(
    "key", ["id", "uuid", "image", "image_url", "avatarUrl", "created_at", "metadata", "embedding"]
)
def test_records_are_skipped_by_default(key):
    """Identifiers, pictures and dates of the record are no statements about a person."""
    assert ClaimExtractor().extract({key: "x"}) == []


@pytest.mark.parametrize("key", ["identity", "imagery", "name", "age", "created", "ideal_day", "model"])
def test_everything_else_is_checked_by_default(key):
    """An unknown field is checked."""
    assert [claim.policy for claim in ClaimExtractor().extract({key: "x"})] == ["check"]


def test_names_of_composite_personas_are_synthetic_by_policy():
    """Ruling D7: their claims are marked; the employer's name is not synthetic."""
    persona = {"name": "Sarah Chen", "demographics": {"first_name": "Sarah"}, "employer": {"name": "TechCorp"}}
    found = ClaimExtractor(policies=COMPOSITE_POLICIES).extract(persona)
    assert [(claim.path, claim.policy.value) for claim in found] == [
        ("name", "synthetic"),
        ("demographics.first_name", "synthetic"),
        ("employer.name", "check"),
    ]


def test_a_part_of_a_skipped_container_can_be_checked():
    """Only the claims of that part are returned."""
    extractor = ClaimExtractor(policies={"private": "skip", "private.age": "check"})
    found = extractor.extract({"private": {"age": 34, "diary": "x", "more": [{"age": 5}]}})
    assert [claim.path for claim in found] == ["private.age"]


def test_a_file_of_policies(tmp_path):
    """Dotted keys and tables are paths."""
    path = tmp_path / "policies.toml"
    path.write_text(
        '[policies]\nname = "synthetic"\ndemographics.age = "skip"\n"**.note" = "skip"\n\n'
        '[policies.job]\ntitle = "skip"\n',
        encoding="utf-8",
    )
    for policies in (read_policies(path), FieldPolicies.of(path), ClaimExtractor(policies=path).policies):
        assert policies.policy(["name"]) == "synthetic"
        assert policies.policy(["demographics", "age"]) == "skip"
        assert policies.policy(["a", "note"]) == "skip"
        assert policies.policy(["job", "title"]) == "skip"
        assert policies.policy(["job"]) == "check"
        assert policies.policy(["id"]) == "skip"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = 1", 'needs a table "policies"'),
        ("policies = 5", 'needs a table "policies"'),
        ("[policies]\nname = 1", "must be one of check, skip, synthetic, got int"),
        ("[policies]\nname = 'ignore'", 'must be one of check, skip, synthetic, got "ignore"'),
        ("[policies", "at end of document"),
    ],
)
def test_an_invalid_policy_file_is_an_error(tmp_path, text, message):
    """A clear error."""
    path = tmp_path / "policies.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises((ValueError, TypeError), match=message):
        read_policies(path)


@pytest.mark.parametrize(
    ("policies", "error", "message"),
    [
        ({"": "skip"}, ValueError, "a pattern must have 1 to 200 characters"),
        ({"a..b": "skip"}, ValueError, "a pattern must have 1 to 200 characters"),
        ({"a" * 201: "skip"}, ValueError, "a pattern must have 1 to 200 characters"),
        ({"goals[0]": "skip"}, ValueError, "a pattern has no list indices"),
        ({"*a*": "skip"}, ValueError, "one `\\*` in a key and two"),
        ({"**.a.**.b.**": "skip"}, ValueError, "and two `\\*\\*`"),
        ({5: "skip"}, TypeError, "a pattern must be a str, got int"),
        ({"a": None}, TypeError, "a policy must be one of check, skip, synthetic, got NoneType"),
        (["a"], TypeError, "policies must be a mapping of patterns or a path, got list"),
        ("policies.toml", TypeError, "policies must be a mapping of patterns or a path, got str"),
    ],
)
def test_an_invalid_rule_is_an_error(policies, error, message):
    """The error comes before a persona is read."""
    with pytest.raises(error, match=message):
        ClaimExtractor(policies=policies)


def test_hostile_keys_take_linear_time():
    """Keys of a hundred thousand characters, in the deepest paths, take linear time."""
    policies = FieldPolicies((("**.*a.**.*b", FieldPolicy.SKIP),))
    assert policies.policy(["a" * 10_000] * 10 + ["c"]) == "check"


@given(KEYS)
def test_every_path_has_a_policy(keys):
    """`**` matches any keys."""
    assert FieldPolicies.of().policy(keys) in set(FieldPolicy)
    assert FieldPolicies.of({"**": "synthetic"}).policy(keys) == "synthetic"


def test_defaults_are_data():
    """The mapping can be read and copied, and has skips only."""
    assert {*DEFAULT_POLICIES.values()} == {FieldPolicy.SKIP}
