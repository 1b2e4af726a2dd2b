"""A student from nothing: a tokenizer trained on the world's own texts and a small model of random weights."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import torch
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import Lfm2Config, Lfm2ForCausalLM, PreTrainedTokenizerFast

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


def write_student(folder: Path, texts: Iterable[str], *, hidden: int, layers: int, seed: int) -> int:
    """Writes model and tokenizer. Returns how many parameters the model has.

    Short convolutions before each attention (LFM2) show it which token stands before which, which is what it needs to
    copy. Weights begin larger than is usual: from 0.02 a student like this completed 47 % of tasks with unique names after
    1,400 updates, from 0.1 all of them after 1,000.
    """
    torch.manual_seed(seed)
    tokenizer = tokenizer_of(texts)
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
    return sum(parameter.numel() for parameter in model.parameters())
