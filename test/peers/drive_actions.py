"""Drives an environment of actions with the real OpenEnv client, at each address: reset, then each action of the JSON.

Prints a JSON object for the reset and for each action: what was observed, or the error the client raised.
"""

import asyncio
import inspect
import json
import sys

from openenv.core.generic_client import GenericEnvClient


async def settled(value):
    return await value if inspect.isawaitable(value) else value


def row(result) -> str:
    return json.dumps({"observation": result.observation, "reward": result.reward, "done": result.done})


async def drive(url: str, actions: list) -> None:
    client = GenericEnvClient(base_url=url)
    await settled(client.connect())
    try:
        print(row(await settled(client.reset())))
        for action in actions:
            try:
                print(row(await settled(client.step(action))))
            except RuntimeError as error:
                print(json.dumps({"error": str(error)}))
    finally:
        await settled(client.close())


actions, *addresses = sys.argv[1:]
for address in addresses:
    asyncio.run(drive(address, json.loads(actions)))
