"""Whether arguments fit a tool's JSON Schema, judged as Interject judges it (`jsonschema` comes with OpenEnv)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import jsonschema
from jsonschema import validators
from referencing import Registry
from referencing.exceptions import Unresolvable

TYPES = {"string", "number", "integer", "boolean", "null", "array", "object"}
ONE = {
    *("items", "additionalItems", "unevaluatedItems", "contains", "additionalProperties", "unevaluatedProperties"),
    *("propertyNames", "not", "if", "then", "else"),
}
LISTS = {"prefixItems", "items", "allOf", "anyOf", "oneOf"}
BY_NAME = {"$defs", "definitions", "properties", "patternProperties", "dependentSchemas"}
DATA = {"default", "example", "examples", "id"}

OLDER = jsonschema.Draft201909Validator.VALIDATORS

PATTERN_TEXT_MAX = 256
"""Longer texts are not held against a pattern."""
REPEATED_GROUP = re.compile(r"\)(?:[*+]|\{\d*,)")
OPEN_REPEAT = re.compile(r"(\\.|\[(?:\\.|[^\]])*\]|.)(?:[*+]|\{\d*,\d*\})(?=(\\\W|[^\\()\[\]{}|.?*+^$])|)")
"""What is repeated without end, and the plain character behind it."""


def is_valid(schema: dict[str, Any], value: Any) -> bool:
    """Whether a JSON Schema takes a value: by the draft that `$schema` names, by 2020-12 else. What cannot be read in a
    schema is not held against a value, nor is a `format`; no schema is ever fetched."""
    try:
        return _validator(_draft(schema))(_prepared(schema), registry=Registry()).is_valid(value)
    except Exception:  # noqa: BLE001 - a schema that cannot be used judges nothing
        return True


def _draft(schema: dict[str, Any]) -> Any:
    named = re.search(r"draft-0([467])|2019-09", str(schema.get("$schema")))
    if named is None:
        return jsonschema.Draft202012Validator
    if named[1] is None:
        return jsonschema.Draft201909Validator
    return jsonschema.Draft4Validator if named[1] == "4" else jsonschema.Draft7Validator


@cache
def _validator(draft: Any) -> Any:
    def ref(validator: Any, target: Any, value: Any, schema: Any) -> Iterator[Any]:
        try:
            yield from draft.VALIDATORS["$ref"](validator, target, value, schema)
        except Unresolvable:
            return  # a schema that is not there asks for nothing

    def pattern(validator: Any, wanted: str, value: Any, schema: Any) -> Iterator[Any]:
        if isinstance(value, str) and len(value) <= PATTERN_TEXT_MAX and not _search(wanted, value):
            yield jsonschema.ValidationError(f"does not match {wanted}")

    def items(validator: Any, inner: Any, value: Any, schema: Any) -> Iterator[Any]:
        # A list of schemas here is of a draft before 2020-12, and still often written.
        rules = OLDER if isinstance(inner, list) else draft.VALIDATORS
        yield from rules["items"](validator, inner, value, schema)

    own = {"$ref": ref, "pattern": pattern, "items": items, "additionalItems": OLDER["additionalItems"]}
    return validators.extend(draft, own)


def _search(pattern: str, text: str) -> bool:
    # In JavaScript `\d` is a digit of ASCII, and a final `$` the very end.
    ending = r"\Z" if pattern.endswith("$") and not pattern.endswith(r"\$") else ""
    return re.search((pattern[:-1] if ending else pattern) + ending, text, re.ASCII) is not None


def _uncertain_ends(pattern: str) -> int:
    """Open repeats that may end at several places: all but those in front of a character that they do not take."""
    return sum(
        1
        for repeated, behind in OPEN_REPEAT.findall(pattern)
        if behind == "" or re.fullmatch(repeated, behind.replace("\\", ""), re.ASCII)
    )


def _is_harmless(pattern: str) -> bool:
    """As in Interject: a pattern of a hostile environment must not be able to stop whoever tries it."""
    try:
        if REPEATED_GROUP.search(pattern) or _uncertain_ends(pattern) > 3:
            return False
        return re.compile(pattern) is not None
    except re.error:
        return False


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_size(value: Any) -> bool:
    return _is_number(value) and value == int(value)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


SHAPES: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(["$ref", "$id", "$anchor", "$schema", "$recursiveRef"], _is_text),
    **dict.fromkeys(["minimum", "maximum"], _is_number),
    **dict.fromkeys(["exclusiveMinimum", "exclusiveMaximum"], lambda value: isinstance(value, (int, float))),
    **dict.fromkeys(["minLength", "maxLength", "minItems", "maxItems", "minContains", "maxContains"], _is_size),
    **dict.fromkeys(["minProperties", "maxProperties"], _is_size),
    **dict.fromkeys(["$recursiveAnchor", "uniqueItems"], lambda value: isinstance(value, bool)),
    "const": lambda value: True,
    "enum": lambda value: isinstance(value, list),
    "required": _are_texts,
    "dependentRequired": lambda value: isinstance(value, dict) and all(map(_are_texts, value.values())),
    "dependencies": lambda value: isinstance(value, dict),
    "multipleOf": lambda value: _is_number(value) and value > 0,
    "pattern": lambda value: isinstance(value, str) and _is_harmless(value),
}


def _prepared(schema: dict[str, Any]) -> dict[str, Any]:
    """What the specification asserts, without what cannot be read; `nullable` is OpenAPI 3.0's."""
    kept = {keyword: _keyword(keyword, value, schema) for keyword, value in schema.items()}
    return {keyword: value for keyword, value in kept.items() if value is not None or keyword == "const"}


def _keyword(keyword: str, value: Any, schema: dict[str, Any]) -> Any:
    if keyword == "type":
        types = value if isinstance(value, list) else [value]
        if not types or not all(isinstance(one, str) and one in TYPES for one in types):
            return None
        return [*types, "null"] if schema.get("nullable") is True else value
    if keyword == "additionalProperties" and not all(map(_is_harmless, _named(schema.get("patternProperties")))):
        return None
    if keyword in LISTS and isinstance(value, list):
        return [_subschema(one) for one in value] or None
    if keyword in ONE:
        return _subschema(value) if isinstance(value, (dict, bool)) else None
    if keyword in BY_NAME:
        names = [name for name in _named(value) if keyword != "patternProperties" or _is_harmless(name)]
        return {name: _subschema(value[name]) for name in names} or None
    if keyword in SHAPES:
        if not SHAPES[keyword](value):
            return None
        return {name: _subschema(one) for name, one in value.items()} if keyword == "dependencies" else value
    return _prepared(value) if isinstance(value, dict) and keyword not in DATA else None


def _named(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _subschema(value: Any) -> Any:
    if isinstance(value, dict):
        return _prepared(value)
    return value if isinstance(value, (bool, list)) else True
