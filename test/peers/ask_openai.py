"""The real openai client against the expert's door: plain, streamed, retried after a timeout, given up. One JSON a line."""
import json
import sys
import threading
import time

import openai
from openai import OpenAI

base_url, key = sys.argv[1:3]
ask = lambda text: [{"role": "system", "content": "You advise an agent."}, {"role": "user", "content": text}]
say = lambda **row: print(json.dumps(row), flush=True)

client = OpenAI(base_url=base_url, api_key=key, max_retries=0)
say(step="models", ids=[model.id for model in client.models.list().data])

plain = client.chat.completions.create(model="gpt-anything", messages=ask("plain: which one?"), max_completion_tokens=4000)
say(step="plain", text=plain.choices[0].message.content, finish=plain.choices[0].finish_reason, model=plain.model,
    total=plain.usage.total_tokens)

text, usage, finish = "", None, None
for chunk in client.chat.completions.create(
    model="expert", messages=ask("stream: which one?"), stream=True, stream_options={"include_usage": True}
):
    if chunk.choices:
        text += chunk.choices[0].delta.content or ""
        finish = chunk.choices[0].finish_reason or finish
    usage = chunk.usage or usage
say(step="stream", text=text, finish=finish, total=usage.total_tokens)

# A read timeout shorter than the signs of life: the library gives up and sends the same again.
retrying = OpenAI(base_url=base_url, api_key=key, max_retries=4, timeout=1.5)
again = retrying.chat.completions.create(model="expert", messages=ask("slow: which one?"))
say(step="retry", text=again.choices[0].message.content)

try:
    OpenAI(base_url=base_url, api_key=key, max_retries=0, timeout=1).chat.completions.create(
        model="expert", messages=ask("gone: which one?")
    )
except openai.APITimeoutError:
    say(step="abort", error="timeout")

for name, extra in [("n", {"n": 2}), ("logprobs", {"logprobs": True}), ("tool_choice", {"tool_choice": "required", "tools": [
    {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}]})]:
    try:
        client.chat.completions.create(model="expert", messages=ask("refused"), **extra)
    except openai.BadRequestError as error:
        say(step="refused", asked=name, param=error.param, type=error.type)

try:
    OpenAI(base_url=base_url, api_key="wrong", max_retries=0).chat.completions.create(model="expert", messages=ask("x"))
except openai.AuthenticationError as error:
    say(step="wrong_key", status=error.status_code)

formatted = client.chat.completions.create(
    model="expert", messages=ask("json: which one?"), response_format={"type": "json_object"})
say(step="json", value=json.loads(formatted.choices[0].message.content))
