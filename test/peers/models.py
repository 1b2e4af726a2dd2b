"""The observation models of the Agent World Model's client, which is on no package index: our own, from its documented fields."""

from typing import Any

from openenv.core.env_server.mcp_types import ListToolsObservation
from openenv.core.env_server.types import Observation


class AwmObservation(Observation):
    """Refuses any field it does not know, as AWM's own does; leaves absent values out of the wire."""

    reward_type: str | None = None
    scenario: str | None = None
    task: str | None = None
    task_idx: int | None = None
    has_verifier: dict[str, bool] | None = None
    num_tools: int | None = None
    tool_name: str | None = None
    tool_result: Any = None
    error: str | None = None
    warning: str | None = None
    verify_result: dict[str, Any] | None = None
    steps_taken: int | None = None
    scenarios: list[Any] | None = None
    total: int | None = None
    trajectory_path: str | None = None
    session_dir: str | None = None

    def model_dump(self, **kwargs: Any) -> dict[str, Any]:
        return super().model_dump(**{"exclude_none": True, **kwargs})


class AwmListToolsObservation(ListToolsObservation):
    error: str | None = None
