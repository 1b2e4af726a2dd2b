"""An empty environment with the action and observation models of the Agent World Model, on the real OpenEnv server.

It plays no world: it is there for what the server itself says of frames, so that our world can be compared with it.
Prints its port, then serves until it is ended.
"""

import sys
from typing import Annotated, Any

from models import AwmListToolsObservation, AwmObservation
from openenv.core.env_server import create_fastapi_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.mcp_types import CallToolAction, ListToolsAction
from openenv.core.env_server.types import Action, State
from pydantic import Field, TypeAdapter
from serving import serve

_adapter = TypeAdapter(Annotated[ListToolsAction | CallToolAction, Field(discriminator="type")])


class AwmAction(Action):
    """Either of the two actions, told apart by `type`, which is therefore required."""

    @classmethod
    def model_validate(cls, obj: Any, **kwargs: Any) -> Action:
        return _adapter.validate_python(obj)


class EmptyEnvironment(Environment):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._state = State(episode_id=None, step_count=0)

    def reset(self, seed: int | None = None, episode_id: str | None = None, **kwargs: Any) -> AwmObservation:
        return AwmObservation(reward_type="reset_error", error="Parameter 'scenario' is required")

    def step(self, action: Action, timeout_s: float | None = None, **kwargs: Any):
        self._state.step_count += 1
        if isinstance(action, ListToolsAction):
            return AwmListToolsObservation(tools=[], error="Sub-environment is not running. Call reset() first.")
        return AwmObservation(
            reward=0.0,
            reward_type="server_error",
            tool_name=action.tool_name,
            error="Sub-environment is not running. Call reset() first.",
        )

    @property
    def state(self) -> State:
        return self._state


if __name__ == "__main__":
    serve(create_fastapi_app(EmptyEnvironment, AwmAction, AwmObservation, max_concurrent_envs=int(sys.argv[1])))
