"""A student from nothing: a tokenizer trained on the world's own texts and a small transformer of random weights."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

TURN, END, PAD = "<|turn|>", "<|end|>", "<|pad|>"


def tokenizer_of(texts: Iterable[str]) -> PreTrainedTokenizerFast:
    """A byte-level BPE tokenizer of 512 tokens. Digits stand alone, so that a number is copied digit by digit."""
    core = Tokenizer(models.BPE())
    core.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    core.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=512,
        special_tokens=[PAD, TURN, END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    core.train_from_iterator(texts, trainer)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=core, pad_token=PAD, eos_token=END, padding_side="left")
    tokenizer.chat_template = Path(__file__).with_name("template.jinja").read_text("utf-8")
    return tokenizer


def write_student(folder: Path, texts: Iterable[str], *, hidden: int, layers: int, seed: int) -> int:
    """Writes model and tokenizer. Returns how many parameters the model has."""
    torch.manual_seed(seed)
    tokenizer = tokenizer_of(texts)
    model = Qwen2ForCausalLM(
        Qwen2Config(
            vocab_size=len(tokenizer),
            hidden_size=hidden,
            intermediate_size=3 * hidden,
            num_hidden_layers=layers,
            num_attention_heads=hidden // 32,
            num_key_value_heads=hidden // 32,
            max_position_embeddings=2048,
            tie_word_embeddings=True,
            pad_token_id=tokenizer.pad_token_id,
            eos_token_id=tokenizer.eos_token_id,
        )
    )
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return sum(parameter.numel() for parameter in model.parameters())
