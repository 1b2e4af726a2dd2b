"""LoRA adapters: what is trained in place of all weights, on a base in 4 bits where there is a GPU, and merged at the end.

Needs `requirements-gpu.txt`; nothing here is imported without `--lora`.
"""

from __future__ import annotations

from typing import Any

import torch
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

SIXTEEN_BITS = (torch.bfloat16, torch.float16)


def adapter_of(rank: int, is_4bit: bool) -> dict[str, Any]:
    """What TRL's trainers are told to train an adapter of this rank on every linear layer; nothing for rank 0."""
    if not rank:
        return {}
    try:
        from peft import LoraConfig
    except ImportError as error:
        raise SystemExit("--lora needs peft: pip install -r requirements-gpu.txt") from error
    lora = LoraConfig(r=rank, lora_alpha=2 * rank, target_modules="all-linear", task_type="CAUSAL_LM")
    return {"peft_config": lora, "quantization_config": _four_bits() if is_4bit else None}


def _four_bits() -> Any:
    """NF4 with nested scales, as QLoRA (Dettmers et al. 2023, arXiv 2305.14314) has it."""
    if not torch.cuda.is_available():
        raise SystemExit("--load_4bit needs a GPU that torch reaches through CUDA; without one leave it out.")
    from transformers import BitsAndBytesConfig

    return BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16,
    )


def merge(base: str, adapter: str, to: str) -> None:
    """Writes the base with the adapter merged into it, and the tokenizer, as a model that needs no peft.

    The base is read anew, never from its 4 bits, and the sum is rounded once, to the base's own 16-bit type or bfloat16.
    """
    from peft import PeftModel

    own = AutoConfig.from_pretrained(base).dtype
    model = AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32)
    merged = PeftModel.from_pretrained(model, adapter).merge_and_unload()
    merged.to(own if own in SIXTEEN_BITS else torch.bfloat16).save_pretrained(to)
    AutoTokenizer.from_pretrained(adapter).save_pretrained(to)
