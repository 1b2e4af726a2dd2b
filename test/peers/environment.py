"""A small MCP environment of ours, served by the real OpenEnv server. Prints its port, then serves until it is ended."""

import sys

from fastmcp import FastMCP
from openenv.core.env_server import create_fastapi_app
from openenv.core.env_server.mcp_environment import MCPEnvironment
from openenv.core.env_server.mcp_types import CallToolAction, CallToolObservation
from openenv.core.env_server.types import Observation, State
from serving import serve


def shelf_server(shelf: dict[str, int]) -> FastMCP:
    """Four tools over one shelf: one that reads, one that writes, one that refuses, one that never ends well."""
    mcp = FastMCP("shelf")

    @mcp.tool
    def count_items(name: str) -> int:
        """How many of an item are on the shelf."""
        return shelf.get(name, 0)

    @mcp.tool
    def put_items(name: str, amount: int) -> dict[str, int]:
        """Put items on the shelf and read the whole shelf back."""
        shelf[name] = shelf.get(name, 0) + amount
        return dict(shelf)

    @mcp.tool
    def take_items(name: str, amount: int) -> dict[str, int]:
        """Take items off the shelf; refuses to take more than there are."""
        if shelf.get(name, 0) < amount:
            raise ValueError(f"only {shelf.get(name, 0)} of {name} left")
        shelf[name] -= amount
        return dict(shelf)

    @mcp.tool
    def long_text(length: int) -> str:
        """A text of the given length, for the frame limits."""
        return "x" * length

    return mcp


class ShelfEnvironment(MCPEnvironment):
    """One shelf per session."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        self._shelf: dict[str, int] = {}
        self._state = State(episode_id=None, step_count=0)
        super().__init__(shelf_server(self._shelf))

    def reset(self, seed: int | None = None, episode_id: str | None = None, **kwargs) -> Observation:
        if kwargs.get("scenario") == "broken":
            raise RuntimeError("the shelf is broken")
        self._shelf.clear()
        self._shelf["apple"] = 3
        self._state = State(episode_id=episode_id or "shelf-1", step_count=0)
        return Observation(done=False, reward=None, metadata={"seed": seed})

    async def step_async(self, action, timeout_s: float | None = None, **kwargs):
        self._state.step_count += 1
        observation = await super().step_async(action, timeout_s=timeout_s, **kwargs)
        if isinstance(action, CallToolAction) and action.tool_name == "take_items":
            observation.reward = 1.0 if observation.error is None else 0.0
            observation.done = self._shelf.get("apple") == 0
        return observation

    def _step_impl(self, action, timeout_s: float | None = None, **kwargs) -> Observation:
        raise ValueError(f"unknown action {type(action).__name__}")

    @property
    def state(self) -> State:
        return self._state


if __name__ == "__main__":
    serve(
        create_fastapi_app(ShelfEnvironment, CallToolAction, CallToolObservation, max_concurrent_envs=int(sys.argv[1]))
    )
