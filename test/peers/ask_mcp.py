"""The real mcp client against the MCP door: tools, a question with progress, one that is cancelled, the status."""
import asyncio
import json
import sys
from datetime import timedelta

from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client
from mcp.shared.exceptions import McpError

url, key = sys.argv[1:3]
say = lambda **row: print(json.dumps(row), flush=True)


async def main() -> None:
    headers = {"Authorization": f"Bearer {key}"}
    async with streamablehttp_client(url, headers=headers) as (read, write, _):
        async with ClientSession(read, write) as session:
            hello = await session.initialize()
            say(step="hello", server=hello.serverInfo.name, version=str(hello.protocolVersion))
            say(step="tools", names=[tool.name for tool in (await session.list_tools()).tools])

            heard = []

            async def progress(done, total, message):
                heard.append(message)

            answer = await session.call_tool(
                "ask_expert", {"question": "plain: which one?", "task": "Rename it."}, progress_callback=progress)
            say(step="ask", text=answer.content[0].text, progress=heard[:1], is_error=answer.isError)

            try:
                await session.call_tool(
                    "ask_expert", {"question": "gone: which one?"}, read_timeout_seconds=timedelta(seconds=1))
            except McpError as error:
                say(step="timeout", message=str(error))

            wrong = await session.call_tool("ask_expert", {"question": "x", "urgency": "now"})
            say(step="wrong", is_error=wrong.isError, names_it="urgency" in wrong.content[0].text)

            status = await session.call_tool("expert_status", {})
            say(step="status", keys=sorted(status.structuredContent))


asyncio.run(main())
