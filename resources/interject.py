"""Tells Interject which episode a question belongs to. One file, no dependencies, Python 3.9 or newer.

    from interject import Episode
    episode = Episode(run="grpo-7", step=12, group="task-3")
    env.reset(scenario="loomline_workflows", task_idx=0, **episode.reset_kwargs)
    client.chat.completions.create(model="expert", messages=messages, extra_headers=episode.headers)

The reset arguments are read and taken out by the tap: your environment never sees them.
Rollouts of one prompt share a group, so that they stand side by side in the console.
"""

import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

__all__ = ["Episode", "InterjectError"]


class InterjectError(RuntimeError):
    """Interject said no, or could not be reached."""


class Episode:
    """One rollout, named the same to the environment's tap and to the expert.

    run, step, checkpoint: where the rollout stands in your training. group: what rollouts of one prompt share.
    arm: "expert" where it may ask one, "solo" where it may not, "evaluation" where it only measures.
    hint: what its prompt has beside the task: "knowledge", "plan" or "solution".
    id: your own name for it; without one it gets a random name.
    """

    def __init__(self, run=None, step=None, group=None, checkpoint=None, id=None, arm=None, hint=None):
        self.id = str(id) if id is not None else uuid.uuid4().hex
        self.run = run
        self.step = step
        self.group = group
        self.checkpoint = checkpoint
        self.arm = arm
        self.hint = hint

    @property
    def reset_kwargs(self):
        """For env.reset(...): what is not set is left out."""
        told = {
            "interject_episode": self.id,
            "interject_run": self.run,
            "interject_step": None if self.step is None else int(self.step),
            "interject_group": self.group,
            "interject_checkpoint": self.checkpoint,
            "interject_arm": self.arm,
            "interject_hint": self.hint,
        }
        return {name: value for name, value in told.items() if value is not None}

    @property
    def headers(self):
        """For requests to the expert, to MCP, and to the pass-through of the agent's own model."""
        return {"X-Interject-Episode": self.id}

    def tell(self, address, key, messages, tools=None, model=None, timeout=30, no_other_expert=False):
        """Hands over the rollout's chat messages: the environment's wire carries none. Returns what they completed.

        address: http://127.0.0.1:4747. Tell at the end, or after each turn; what is told again changes nothing.
        no_other_expert: your agent has no expert, brief or hint but what it asks Interject for. Only with this, and
        with every message told, can an episode that asked nothing be called unaided.
        """
        body = {"messages": messages, "tools": tools, "model": model, "no_other_expert": bool(no_other_expert)}
        return self._call(address, key, "messages", timeout, body)

    def mask(self, address, key, timeout=30):
        """Which turns a person changed: {"episode", "turns": [{"turn", "touched"}], "touched": [...]}.

        Every call that has returned to you is among the turns.
        """
        return self._call(address, key, "mask", timeout)

    def _call(self, address, key, what, timeout, body=None):
        name = urllib.parse.quote(self.id, safe="")
        request = urllib.request.Request(
            "%s/episodes/%s/%s" % (address.rstrip("/"), name, what),
            data=None if body is None else json.dumps(body).encode("utf-8"),
            headers={"Authorization": "Bearer " + key, "Content-Type": "application/json"},
        )
        until = time.monotonic() + timeout
        while True:
            try:
                with urllib.request.urlopen(request, timeout=max(until - time.monotonic(), 0.1)) as response:
                    return json.loads(response.read().decode("utf-8"))
            except urllib.error.HTTPError as error:
                # Not yet recorded: it says when to ask again.
                pause = error.headers.get("Retry-After") if error.code == 503 else None
                if pause is None or not pause.isdigit() or time.monotonic() + int(pause) >= until:
                    raise InterjectError(error.read().decode("utf-8", "replace")) from error
                time.sleep(int(pause))
            except OSError as error:
                raise InterjectError("%s cannot be reached: %s" % (address, error)) from error
