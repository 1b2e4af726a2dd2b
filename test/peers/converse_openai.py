"""The real openai client holds one conversation: two calls in a reply, their results, a refusal. One JSON a reply.

Arguments: the base URL, the origin of the server, the key, and the ways in which to hold it.
"""
import json
import sys

from openai import AzureOpenAI, OpenAI
from openai.lib.streaming.chat import ChatCompletionStreamState

base_url, origin, key, *ways = sys.argv[1:]
TOOLS = [
    {"type": "function", "function": {"name": "look_up", "description": "Finds an order.", "parameters": {
        "type": "object", "properties": {"order_id": {"type": "integer"}}, "required": ["order_id"]}}},
    {"type": "function", "function": {"name": "list_all", "description": "Lists them.", "parameters": {
        "type": "object", "properties": {}}}},
]


def read(way, completion):
    choice = completion.choices[0]
    message, usage = choice.message, completion.usage
    cached = usage.prompt_tokens_details and usage.prompt_tokens_details.cached_tokens
    thought = usage.completion_tokens_details and usage.completion_tokens_details.reasoning_tokens
    print(json.dumps({
        "way": way,
        "content": message.content or "",
        "reasoning": (message.model_extra or {}).get("reasoning_content"),
        "refusal": message.refusal,
        "calls": [
            {"id": call.id, "name": call.function.name, "arguments": call.function.arguments}
            for call in message.tool_calls or []
        ],
        "model": completion.model,
        "stop": choice.finish_reason,
        "usage": {"input_tokens": usage.prompt_tokens, "output_tokens": usage.completion_tokens,
                  **({} if cached is None else {"cached_tokens": cached}),
                  **({} if thought is None else {"reasoning_tokens": thought})},
    }), flush=True)
    return message


for way in ways:
    is_azure, is_stream = way == "azure", way.endswith("stream")
    client = (
        AzureOpenAI(azure_endpoint=origin, api_key=key, api_version="2024-10-21", max_retries=0)
        if is_azure
        else OpenAI(base_url=base_url, api_key=key, max_retries=0)
    )

    def ask(messages, **more):
        asked = {"model": "m", "messages": messages, **more}
        if not is_stream:
            return read(way, client.chat.completions.create(**asked))
        state = ChatCompletionStreamState()
        for chunk in client.chat.completions.create(**asked, stream=True, stream_options={"include_usage": True}):
            state.handle_chunk(chunk)
        return read(way, state.get_final_completion())

    messages = [{"role": "system", "content": "You look after orders."}, {"role": "user", "content": "Pay order 7 – now."}]
    if way.startswith("plain"):
        ask(messages)
        continue
    settings = {"tools": TOOLS, "temperature": 0.2, "seed": 7, "max_tokens": 400}
    reply = ask(messages, **settings)
    # The package's own way to hand a reply back.
    messages.append(reply)
    messages += [{"role": "tool", "tool_call_id": call.id, "content": f"result of {call.function.name}"}
                 for call in reply.tool_calls]
    ask(messages, **settings)
    ask(messages[:2], tools=TOOLS)
