"""A student from nothing: a tokenizer trained on the world's own texts and a small model of random weights, trained with
the kit of a data set. `table.py` has the same functions for where torch is not.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import AutoModelForCausalLM, AutoTokenizer, Lfm2Config, Lfm2ForCausalLM, PreTrainedTokenizerFast

from exported import messages_of, words_in

NEW_TOKENS = 80
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

TURN, END, PAD = "<|turn|>", "<|end|>", "<|pad|>"
PIECES = Regex(r"[A-Za-z_]+|\d+|[^A-Za-z_\d]+")
"""A word, a number, or what stands between: a name is the same tokens in a sentence and in JSON, so it can be copied."""


def tokenizer_of(texts: Iterable[str]) -> PreTrainedTokenizerFast:
    """A byte-level BPE tokenizer of at most 1,024 tokens, enough for each word of these worlds to be one."""
    core = Tokenizer(models.BPE())
    core.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(PIECES, "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    core.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=1024,
        special_tokens=[PAD, TURN, END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    core.train_from_iterator(texts, trainer)
    core.add_tokens([AddedToken(tag, normalized=False) for tag in ("<tool_call>", "</tool_call>")])
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=core, pad_token=PAD, eos_token=END, padding_side="left")
    tokenizer.chat_template = Path(__file__).with_name("template.jinja").read_text("utf-8")
    return tokenizer


def write_new(folder: Path, rows: list[dict[str, Any]], *, hidden: int, layers: int) -> str:
    """Writes model and tokenizer. Returns what the student is, in words.

    Short convolutions before each attention (LFM2) show it which token stands before which, which is what it needs to
    copy. Weights begin larger than is usual: from 0.02 a student like this completed 47 % of tasks with unique names after
    1,400 updates, from 0.1 all of them after 1,000.
    """
    torch.manual_seed(0)
    tokenizer = tokenizer_of(words_in(rows))
    model = Lfm2ForCausalLM(
        Lfm2Config(
            vocab_size=len(tokenizer),
            hidden_size=hidden,
            intermediate_size=2 * hidden,
            block_auto_adjust_ff_dim=False,
            num_hidden_layers=layers,
            layer_types=["full_attention" if at % 2 else "conv" for at in range(layers)],
            conv_L_cache=5,
            num_attention_heads=hidden // 32,
            num_key_value_heads=hidden // 32,
            max_position_embeddings=2048,
            tie_word_embeddings=True,
            initializer_range=0.1,
            pad_token_id=tokenizer.pad_token_id,
            eos_token_id=tokenizer.eos_token_id,
        )
    )
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return f"a student of {sum(parameter.numel() for parameter in model.parameters()):,} parameters"


def train(
    students: dict[str, int], models: Path, start: str, data: Path, kind: str, log: Path, *, steps: int, batch: int, rate: float
) -> None:
    """Fine-tunes a student of each name, with its seed, by the kit of the data set itself."""
    args = [
        f"--model={models / start}", f"--data={data}", f"--rows={kind}", f"--max_steps={steps}",
        f"--per_device_train_batch_size={batch}", f"--learning_rate={rate}", f"--warmup_steps={max(1, steps // 20)}",
        "--lr_scheduler_type=cosine", "--weight_decay=0.01", f"--use_cpu={not torch.cuda.is_available()}", "--bf16=false",
        "--gradient_checkpointing=false", "--save_strategy=no", "--logging_steps=25", "--max_length=1024",
    ]  # fmt: skip
    script = str(data / "kit" / "sft.py")
    jobs = [{"script": script, "args": [*args, f"--output_dir={models / name}", f"--seed={seed}"]} for name, seed in students.items()]
    command = [sys.executable, str(Path(__file__).with_name("train_many.py"))]
    done = subprocess.run(command, input=json.dumps(jobs), capture_output=True, text=True)
    log.write_text(done.stdout + done.stderr, "utf-8")
    if done.returncode != 0:
        raise SystemExit(f"Training {', '.join(students)} failed:\n{done.stderr[-3000:]}")


def trained_tokens(folder: Path, rows: list[dict[str, Any]]) -> int:
    """How many tokens of the agent's own words the rows hold: those that have a loss."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    total = 0
    for row in rows:
        messages, first = messages_of(row)
        masked = tokenizer.apply_chat_template(messages, return_dict=True, return_assistant_tokens_mask=True)
        before = tokenizer.apply_chat_template(messages[:first], return_dict=True, return_assistant_tokens_mask=True) if first else {"assistant_masks": []}
        total += sum(masked["assistant_masks"]) - sum(before["assistant_masks"])
    return total


class Students:
    """Answers as the student of a folder: greedy decoding, no grammar. Loads what is asked for and keeps the last one:
    evaluations come a student after the other."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._name = ""
        self._held: tuple[Any, Any] | None = None

    def reply(self, name: str, messages: list[dict[str, Any]]) -> tuple[str, int, int]:
        """What it says next, and how many tokens were read and written. Raises KeyError for a name that is no student."""
        with self._lock, torch.inference_mode():
            tokenizer, model = self._load(name)
            prompt = tokenizer.apply_chat_template(messages, add_generation_prompt=True, tokenize=False)
            inputs = tokenizer(prompt, return_tensors="pt", add_special_tokens=False, return_token_type_ids=False).to(DEVICE)
            read = inputs["input_ids"].shape[1]
            out = model.generate(**inputs, max_new_tokens=NEW_TOKENS, do_sample=False)[0, read:]
            return tokenizer.decode(out, skip_special_tokens=True), read, len(out)

    def _load(self, name: str) -> tuple[Any, Any]:
        if name != self._name or self._held is None:
            path = self._folder / name
            if not re.fullmatch(r"[\w.-]+", name) or not (path / "config.json").is_file():
                raise KeyError(name)
            self._held = (AutoTokenizer.from_pretrained(path), AutoModelForCausalLM.from_pretrained(path).to(DEVICE).eval())
            self._name = name
        return self._held
