"""Two environments of ours that are driven by their own actions, served by the real OpenEnv server.

`grid` moves over a board by one of four words; `thrusters` fires one of 13 thrusters in a control mode and says of what
parts its reward is made. Prints its port, then serves until it is ended.
"""

import sys
from enum import Enum
from typing import Literal

from openenv.core.env_server import create_fastapi_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field
from serving import serve


class Direction(str, Enum):
    UP = "UP"
    DOWN = "DOWN"
    LEFT = "LEFT"
    RIGHT = "RIGHT"


class GridAction(Action):
    """Moves the agent by one field."""

    direction: Direction = Field(..., description="Where to go.")


class GridObservation(Observation):
    board: list[list[int]]
    message: str


STEPS = {"UP": (0, -1), "DOWN": (0, 1), "LEFT": (-1, 0), "RIGHT": (1, 0)}


class Grid(Environment):
    """The goal is the field at the bottom right."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self.at = (0, 0)
        self._state = State()

    def seen(self, message: str, reward: float, done: bool) -> GridObservation:
        board = [[1 if (x, y) == self.at else 0 for x in range(3)] for y in range(3)]
        return GridObservation(board=board, message=message, reward=reward, done=done)

    def reset(self, seed=None, episode_id=None, **kwargs) -> GridObservation:
        self.at = (0, 0)
        self._state = State(episode_id=episode_id, step_count=0)
        return self.seen("You are in the corner.", 0.0, False)

    def step(self, action: GridAction, timeout_s=None, **kwargs) -> GridObservation:
        x, y = (here + by for here, by in zip(self.at, STEPS[action.direction.value]))
        if not (0 <= x < 3 and 0 <= y < 3):
            raise ValueError("there is a wall")
        self.at = (x, y)
        self._state.step_count += 1
        done = self.at == (2, 2)
        return self.seen("You are there." if done else "Keep going.", 1.0 if done else -0.25, done)

    @property
    def state(self) -> State:
        return self._state


class ThrusterAction(Action):
    """Fires one thruster."""

    thruster: int = Field(..., ge=0, le=12)
    mode: Literal["coarse", "fine"] = "coarse"


class ThrusterObservation(Observation):
    velocity: list[float]
    reward_breakdown: dict[str, float] = Field(default_factory=dict)


class Thrusters(Environment):
    """Comes to rest when thruster 7 has been fired twice, finely."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self.speed = 1.0
        self._state = State()

    def reset(self, seed=None, episode_id=None, **kwargs) -> ThrusterObservation:
        self.speed = 1.0
        self._state = State(episode_id=episode_id, step_count=0)
        return ThrusterObservation(velocity=[self.speed, 0.0], reward=0.0, done=False)

    def step(self, action: ThrusterAction, timeout_s=None, **kwargs) -> ThrusterObservation:
        self._state.step_count += 1
        is_right = action.thruster == 7 and action.mode == "fine"
        if is_right:
            self.speed -= 0.5
        parts = {"progress": 0.5 if is_right else 0.0, "fuel": -0.1}
        return ThrusterObservation(
            velocity=[self.speed, 0.0],
            reward_breakdown=parts,
            reward=sum(parts.values()),
            done=self.speed == 0.0,
        )

    @property
    def state(self) -> State:
        return self._state


class TaskGrid(Grid):
    """A grid whose tasks are listed by splits; a reset says which one it was given."""

    TASKS = {"train": ["walk to the corner", "walk back"], "test": ["walk around"]}

    def list_splits(self):
        return list(self.TASKS)

    def list_tasks(self, split):
        return [{"id": f"{split}-{at}", "question": text} for at, text in enumerate(self.TASKS[split])]

    def num_tasks(self, split):
        return len(self.TASKS[split])

    def reset(self, seed=None, episode_id=None, split="train", index=0) -> GridObservation:
        super().reset(seed=seed, episode_id=episode_id)
        return self.seen(self.TASKS[split][index], 0.0, False)


KINDS = {
    "tasks": (TaskGrid, GridAction, GridObservation),
    "grid": (Grid, GridAction, GridObservation),
    "thrusters": (Thrusters, ThrusterAction, ThrusterObservation),
}

if __name__ == "__main__":
    environment, action, observation = KINDS[sys.argv[1]]
    serve(create_fastapi_app(environment, action, observation, max_concurrent_envs=8))
