"""Two MCP environments of ours, served by the real OpenEnv server: the shelf, and a quiz with an action of its own.

The quiz takes calls of tools and refuses `list_tools`, as a class of action of one's own does; answering ends it. Prints
its port, then serves until it is ended.
"""

import sys

from environment import ShelfEnvironment
from fastmcp import FastMCP
from openenv.core.env_server import create_fastapi_app
from openenv.core.env_server.mcp_environment import MCPEnvironment
from openenv.core.env_server.mcp_types import CallToolAction, CallToolObservation
from openenv.core.env_server.types import Observation, State
from serving import serve


class StrictCallToolAction(CallToolAction):
    """A call of a tool, and nothing else."""


class QuizEnvironment(MCPEnvironment):
    """What is six times seven? One hint may be had."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        self._state = State(episode_id=None, step_count=0)
        mcp = FastMCP("quiz")

        @mcp.tool
        def hint() -> str:
            """A hint."""
            return "more than forty"

        @mcp.tool
        def submit_answer(answer: int) -> str:
            """Ends the quiz."""
            return "submitted"

        super().__init__(mcp)

    def reset(self, seed: int | None = None, episode_id: str | None = None, **kwargs) -> Observation:
        self._state = State(episode_id=episode_id, step_count=0)
        return Observation(done=False, reward=0.0)

    async def step_async(self, action, timeout_s: float | None = None, **kwargs):
        self._state.step_count += 1
        observation = await super().step_async(action, timeout_s=timeout_s, **kwargs)
        if action.tool_name == "submit_answer":
            observation.reward = 1.0 if action.arguments.get("answer") == 42 else 0.0
            observation.done = True
        return observation

    def _step_impl(self, action, timeout_s: float | None = None, **kwargs) -> Observation:
        raise ValueError(f"unknown action {type(action).__name__}")

    @property
    def state(self) -> State:
        return self._state


KINDS = {"shelf": (ShelfEnvironment, CallToolAction), "quiz": (QuizEnvironment, StrictCallToolAction)}

if __name__ == "__main__":
    environment, action = KINDS[sys.argv[1]]
    serve(create_fastapi_app(environment, action, CallToolObservation, max_concurrent_envs=8))
