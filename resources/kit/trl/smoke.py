"""What `--smoke` needs: a tiny random model with a tokenizer of its own, the words that it trained on, and the proof that
training changed it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

STEPS = 2
ARGUMENTS: dict[str, Any] = {
    "max_steps": STEPS,
    "learning_rate": 1e-3,
    "logging_steps": 1,
    "use_cpu": True,
    "bf16": False,
    "save_strategy": "no",
    "per_device_train_batch_size": 1,
    "gradient_checkpointing": False,
}
RESPONSE_TEMPLATE = {
    "defaults": {"role": "assistant"},
    "start_anchor": "<|turn|>assistant\n",
    "fields": {
        "tool_calls": {
            "open": "<tool_call>",
            "close": "</tool_call>",
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "function": "{content}"},
        },
        "content": {"close_pattern": r"<\|end\|>\s*", "content": "text"},
    },
}


def tiny(folder: str, texts: Iterable[str]) -> str:
    """Writes a model of two layers of random weights and its tokenizer into a folder of its own. Returns where."""
    # So small a model gains nothing from threads, which only wait for each other on a busy machine.
    torch.set_num_threads(1)
    torch.manual_seed(0)
    tokenizer = _tokenizer(texts)
    model = Qwen2ForCausalLM(
        Qwen2Config(
            vocab_size=len(tokenizer),
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=2,
            num_key_value_heads=2,
            max_position_embeddings=65_536,
            pad_token_id=tokenizer.pad_token_id,
            eos_token_id=tokenizer.eos_token_id,
        )
    )
    path = str(Path(folder) / "tiny")
    model.save_pretrained(path)
    tokenizer.save_pretrained(path)
    return path


def _tokenizer(texts: Iterable[str]) -> PreTrainedTokenizerFast:
    """A byte-level BPE tokenizer trained on the texts, with the kit's chat template."""
    core = Tokenizer(models.BPE())
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    core.train_from_iterator(
        texts,
        trainers.BpeTrainer(
            vocab_size=2048,
            special_tokens=["<|pad|>", "<|turn|>", "<|end|>"],
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        ),
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=core, pad_token="<|pad|>", eos_token="<|end|>", padding_side="left"
    )
    tokenizer.chat_template = Path(__file__).with_name("chat_template.jinja").read_text("utf-8")
    tokenizer.response_template = RESPONSE_TEMPLATE
    return tokenizer


def trained_parts(inputs: dict[str, Any]) -> Iterator[tuple[str, torch.Tensor, torch.Tensor]]:
    """What one call of a loss trains on, a row at a time: what the row is, its tokens, and which of them have a loss.

    inputs: as TRL gives them to `compute_loss` of its SFT, DPO, KTO and GRPO trainers.
    """
    if "labels" in inputs:
        for ids, labels in zip(inputs["input_ids"], inputs["labels"], strict=True):
            yield "completion", ids, labels != -100
    elif "completion_ids" in inputs:
        mask = inputs["completion_mask"] * inputs.get("tool_mask", 1)
        for ids, row in zip(inputs["completion_ids"], mask, strict=True):
            yield "rollout", ids, row.bool()
    else:
        rows = len(inputs["input_ids"])
        if "label" in inputs:
            names = ["desirable" if label else "undesirable" for label in inputs["label"]]
        else:
            # Both sides of the pairs lie in one batch: first every chosen one.
            names = ["chosen"] * (rows // 2) + ["rejected"] * (rows // 2)
        yield from zip(names, inputs["input_ids"], inputs["completion_mask"].bool(), strict=True)


def stretches(ids: torch.Tensor, mask: torch.Tensor) -> list[list[int]]:
    """The tokens under a mask, those that follow one another together."""
    found: list[list[int]] = []
    was_trained = False
    for token, trains in zip(ids.tolist(), mask.tolist(), strict=True):
        if trains and was_trained:
            found[-1].append(token)
        elif trains:
            found.append([token])
        was_trained = trains
    return found


def print_trained(trainer: Any) -> None:
    """From now on prints the words that have a loss, a line of JSON for each row that a step trains on."""
    compute_loss = trainer.compute_loss

    def printing(model: Any, inputs: dict[str, Any], *args: Any, **rest: Any) -> Any:
        for what, ids, mask in trained_parts(inputs):
            words = [trainer.processing_class.decode(stretch) for stretch in stretches(ids, mask)]
            print(json.dumps({"trained": what, "words": words}, ensure_ascii=False), flush=True)
        return compute_loss(model, inputs, *args, **rest)

    trainer.compute_loss = printing


def proven(trainer: Any, name: str) -> None:
    """Trains and prints the words that it trains on, then says what happened. Ends with 1 unless every loss was finite
    and the parameters changed."""
    print_trained(trainer)
    before = [parameter.detach().clone() for parameter in trainer.model.parameters()]
    trainer.train()
    after = [parameter.detach() for parameter in trainer.model.parameters()]
    change = math.sqrt(sum(float((new - old).pow(2).sum()) for new, old in zip(after, before, strict=True)))
    logs = trainer.state.log_history
    losses = [entry["loss"] for entry in logs if "loss" in entry]
    is_ok = len(losses) == STEPS and all(map(math.isfinite, losses)) and math.isfinite(change) and change > 0
    said = {"smoke": name, "ok": is_ok, "steps": trainer.state.global_step, "loss": losses, "parameter_change": change}
    print(json.dumps(said), flush=True)
    if not is_ok:
        raise SystemExit(1)
