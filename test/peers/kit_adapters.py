"""A merged model against its base and its adapter, without the kit and mostly without peft:
`python kit_adapters.py BASE ADAPTER MERGED [TEXT]`. Prints one line of JSON."""

import json
import sys
from pathlib import Path

import torch
from peft import PeftModel
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM, AutoTokenizer

base, adapter, merged = map(Path, sys.argv[1:4])
text = sys.argv[4] if len(sys.argv) > 4 else "Rename workflow 3, then archive it."

config = json.loads((adapter / "adapter_config.json").read_text("utf-8"))
scale = config["lora_alpha"] / config["r"]
deltas = load_file(adapter / "adapter_model.safetensors")
before, after = load_file(base / "model.safetensors"), load_file(merged / "model.safetensors")

# The sum of LoRA (Hu et al. 2021) by hand, rounded once: W + alpha / r * B A.
changed, wrong = [], []
for name, weight in before.items():
    expected = weight.float()
    key = f"base_model.model.{name.removesuffix('.weight')}"
    if f"{key}.lora_A.weight" in deltas:
        changed.append(name)
        expected = expected + scale * (deltas[f"{key}.lora_B.weight"].float() @ deltas[f"{key}.lora_A.weight"].float())
    apart = (expected - after[name].float()).abs()
    # Half a step of bfloat16, and a little for the order in which the product is summed.
    if after[name].dtype != torch.bfloat16 or (apart > expected.abs() * 2**-8 + 1e-7).any():
        wrong.append(name)

ids = AutoTokenizer.from_pretrained(merged)(text, return_tensors="pt").input_ids
with torch.inference_mode():
    alone = AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32)(ids).logits
    plain = AutoModelForCausalLM.from_pretrained(merged, dtype=torch.float32)(ids).logits
    on_base = AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32)
    adapted = PeftModel.from_pretrained(on_base, str(adapter))(ids).logits
said = {
    "changed": len(changed),
    "wrong": wrong,
    "files": sorted(path.name for path in merged.iterdir()),
    "training_moved": float((adapted - alone).abs().max()),
    "merging_moved": float((plain - adapted).abs().max()),
}
print(json.dumps(said), flush=True)
