"""Words for the smoke run's model: a random one never calls a tool.

With an expert every other rollout asks first, then makes the calls of the advice one by one, then ends; the rest, and all
without an expert, end at once. So the rollouts of a group with an expert earn different rewards, as GRPO needs. Only the choice of tokens is scripted: loss, gradients
and update come from the model's own probabilities of them.
"""

from __future__ import annotations

import json
import re
from typing import Any

import torch
from transformers import AutoTokenizer, PreTrainedTokenizerBase, Qwen2ForCausalLM


class RehearsalModel(Qwen2ForCausalLM):
    tokenizer: PreTrainedTokenizerBase

    def generate(self, input_ids: torch.Tensor, **_: Any) -> torch.Tensor:
        texts = self.tokenizer.batch_decode(input_ids)
        said = [reply(text, asks=place % 2 == 0) for place, text in enumerate(texts)]
        replies = [self.tokenizer.encode(text + self.tokenizer.eos_token) for text in said]
        longest = max(map(len, replies))
        padded = [ids + [self.tokenizer.pad_token_id] * (longest - len(ids)) for ids in replies]
        return torch.cat([input_ids, torch.tensor(padded, device=input_ids.device)], dim=1)


def rehearsing(folder: str) -> tuple[RehearsalModel, PreTrainedTokenizerBase]:
    """The model in a folder, with its words scripted, and its tokenizer."""
    model = RehearsalModel.from_pretrained(folder)
    model.tokenizer = AutoTokenizer.from_pretrained(folder)
    return model, model.tokenizer


def reply(conversation: str, asks: bool) -> str:
    """What to say next in a rendered conversation. asks: whether one that begins asks, where it can."""
    head, *turns = conversation.split("<|turn|>assistant\n")
    if '"ask_expert"' not in head or (len(turns) == 1 and not asks):
        return "I cannot do this."
    if len(turns) == 1:
        return _call("ask_expert", {"task": "What should I do?"})
    calls = planned(turns[0])
    made = len(turns) - 2
    return _call(*calls[made]) if made < len(calls) else "Done."


def planned(advice: str) -> list[tuple[str, dict[str, Any]]]:
    """The calls an advice names: a JSON plan, or lines `tool({...})`."""
    decoder = json.JSONDecoder()
    for found in re.finditer(r"\{", advice):
        try:
            value, _ = decoder.raw_decode(advice, found.start())
        except ValueError:
            continue
        if isinstance(value, dict) and isinstance(value.get("plan"), list):
            return [(step["tool"], step.get("args", {})) for step in value["plan"]]
    calls = []
    for found in re.finditer(r"\b([A-Za-z_]\w*)\((?=\{)", advice):
        arguments, _ = decoder.raw_decode(advice, found.end())
        calls.append((found.group(1), arguments))
    return calls


def _call(name: str, arguments: dict[str, Any]) -> str:
    return f"<tool_call>{json.dumps({'name': name, 'arguments': arguments})}</tool_call>"
