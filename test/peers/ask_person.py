"""The real openai client, asking a person in plain and in streaming form. One JSON a line; what it asks is its arguments."""
import json
import sys

from openai import OpenAI

base_url, key, form, question = sys.argv[1:5]
client = OpenAI(base_url=base_url, api_key=key, max_retries=0)
messages = [
    {"role": "system", "content": "You help an agent that works with tools."},
    {"role": "user", "content": question},
]
tools = [
    {
        "type": "function",
        "function": {"name": "get_workflow", "description": "One workflow", "parameters": {"type": "object", "properties": {}}},
    }
]

if form == "plain":
    answer = client.chat.completions.create(model="expert", messages=messages, tools=tools)
    [choice] = answer.choices
    print(json.dumps({"text": choice.message.content, "finish": choice.finish_reason, "model": answer.model,
                      "total": answer.usage.total_tokens}))
else:
    text, finish, usage, chunks = "", None, None, 0
    for chunk in client.chat.completions.create(
        model="expert", messages=messages, tools=tools, stream=True, stream_options={"include_usage": True}
    ):
        chunks += 1
        if chunk.choices:
            text += chunk.choices[0].delta.content or ""
            finish = chunk.choices[0].finish_reason or finish
        usage = chunk.usage or usage
    print(json.dumps({"text": text, "finish": finish, "model": "expert", "total": usage.total_tokens, "chunks": chunks}))
