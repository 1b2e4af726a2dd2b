"""A client that is told nothing but a file of mcpServers, as desktop agents are: lists the tools and asks."""
import asyncio
import json
import sys
from pathlib import Path

from fastmcp import Client


async def main() -> None:
    config = json.loads(Path(sys.argv[1]).read_text())
    async with Client(config) as client:
        tools = sorted(tool.name for tool in await client.list_tools())
        answer = await client.call_tool("ask_expert", {"question": "Which workflow runs every Monday?"})
        print(json.dumps({"tools": tools, "text": answer.content[0].text}))


asyncio.run(main())
