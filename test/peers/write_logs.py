"""Logs written by the real packages, for the import to read: Inspect in three shapes, ATIF, OpenEnv's collect."""

import json
import sys
from pathlib import Path


def inspect_logs(folder: Path) -> None:
    from inspect_ai import Task, eval as run
    from inspect_ai.dataset import Sample
    from inspect_ai.log import convert_eval_logs
    from inspect_ai.log._recorders.chunked.convert import convert_eval_logs_to_chunked
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import includes
    from inspect_ai.solver import generate, use_tools
    from inspect_ai.tool import ToolError, tool

    @tool
    def find_bread():
        async def execute(kind: str) -> str:
            """Finds bread.

            Args:
                kind: What kind of bread.
            """
            if kind == "none":
                raise ToolError("there is no such bread")
            return f"{kind}: 1.80 " + "crumb " * 400

        return execute

    def outputs():
        for _ in range(2):
            for output in (
                ModelOutput.for_tool_call("mockllm/model", "find_bread", {"kind": "none"}),
                ModelOutput.for_tool_call("mockllm/model", "find_bread", {"kind": "rye"}),
                ModelOutput.from_content("mockllm/model", "Rye costs 1.80."),
            ):
                # Else they are counted with tables from the network.
                output.usage = ModelUsage(input_tokens=7, output_tokens=3, total_tokens=10)
                yield output

    task = Task(
        name="bread",
        dataset=[Sample(id="a/1", input="Find rye.", target="1.80"), Sample(id=2, input="Find rye again.", target="9.99")],
        solver=[use_tools(find_bread()), generate()],
        scorer=includes(),
    )
    model = get_model("mockllm/model", custom_outputs=outputs())
    run(task, model=model, log_dir=str(folder / "eval"), log_format="eval", display="none", max_samples=1)
    (log,) = (folder / "eval").glob("*.eval")
    convert_eval_logs(str(log), "json", str(folder / "json"))
    convert_eval_logs_to_chunked(str(log), str(folder / "chunked"), chunk_size=2)


def inspect_subagents(folder: Path) -> None:
    """Two agents called as tools, one of them by the other; beside it what Inspect's own reader says of the log."""
    from inspect_ai import Task, eval as run
    from inspect_ai.agent import as_solver, as_tool, react
    from inspect_ai.dataset import Sample
    from inspect_ai.event import ModelEvent, SpanBeginEvent
    from inspect_ai.log import convert_eval_logs, read_eval_log
    from inspect_ai.log._recorders.chunked.convert import convert_eval_logs_to_chunked
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.tool import tool

    @tool
    def find_bread():
        async def execute(kind: str) -> str:
            """Finds bread.

            Args:
                kind: What kind of bread.
            """
            return f"{kind}: 1.80"

        return execute

    def outputs():
        call = lambda name, arguments: ModelOutput.for_tool_call("mockllm/model", name, arguments)
        for output in (
            call("buyer", {"input": "Find out what rye costs."}),
            call("searcher", {"input": "Look for rye."}),
            call("find_bread", {"kind": "rye"}),
            call("submit", {"answer": "The searcher says 1.80."}),
            call("submit", {"answer": "The buyer says 1.80."}),
            call("buyer", {"input": "Find out what wheat costs."}),
            call("submit", {"answer": "The buyer does not know wheat."}),
            call("submit", {"answer": "Rye costs 1.80."}),
        ):
            output.usage = ModelUsage(input_tokens=7, output_tokens=3, total_tokens=10)
            yield output

    searcher = react(name="searcher", description="Searches bread.", prompt="You search.", tools=[find_bread()])
    buyer = react(name="buyer", description="Buys bread.", prompt="You buy.", tools=[as_tool(searcher)])
    main = react(name="main", description="Asks others.", prompt="You ask.", tools=[as_tool(buyer)])
    task = Task(name="errand", dataset=[Sample(id="a/1", input="What does rye cost?")], solver=as_solver(main))
    model = get_model("mockllm/model", custom_outputs=outputs())
    run(task, model=model, log_dir=str(folder / "eval"), log_format="eval", display="none", max_samples=1)
    (log,) = (folder / "eval").glob("*.eval")
    convert_eval_logs(str(log), "json", str(folder / "json"))
    convert_eval_logs_to_chunked(str(log), str(folder / "chunked"), chunk_size=2)

    (sample,) = read_eval_log(str(log)).samples
    spans = {event.id: event for event in sample.events if isinstance(event, SpanBeginEvent)}

    def agent(span: str | None) -> str | None:
        while span is not None and spans[span].type != "agent":
            span = spans[span].parent_id
        return span

    said: dict[str, list[object]] = {}
    for event in sample.events:
        if isinstance(event, ModelEvent):
            (choice,) = event.output.choices
            calls = [[call.function, call.arguments] for call in choice.message.tool_calls or []]
            said.setdefault(agent(event.span_id) or "", []).append(
                {"calls": calls, "tokens": [event.output.usage.input_tokens, event.output.usage.output_tokens]}
            )
    usage = sample.model_usage["mockllm/model"]
    totals = {"input": usage.input_tokens, "output": usage.output_tokens}
    agents = [{"name": spans[span].name if span else "", "said": turns} for span, turns in said.items()]
    # Of the sample's own agent Inspect keeps a conversation, and leaves the call out of it that submits the answer.
    kept = [[call.function, call.arguments] for message in sample.messages for call in getattr(message, "tool_calls", None) or []]
    truth = {"agents": agents, "kept": kept, "usage": totals}
    (folder.parent / "truth.json").write_text(json.dumps(truth))


def atif_trajectory(folder: Path) -> None:
    from atif import Agent, Metrics, Observation, ObservationResult, Step, ToolCall, Trajectory

    trajectory = Trajectory(
        schema_version="ATIF-v1.8",
        session_id="s-1",
        agent=Agent(name="baker", version="1", model_name="m"),
        steps=[
            Step(step_id=1, source="user", message="Find rye.", timestamp="2026-01-01T00:00:00Z"),
            Step(
                step_id=2,
                source="agent",
                message="I look.",
                timestamp="2026-01-01T00:00:02Z",
                tool_calls=[ToolCall(tool_call_id="c1", function_name="find_bread", arguments={"kind": "rye"})],
                observation=Observation(results=[ObservationResult(source_call_id="c1", content="1.80")]),
                metrics=Metrics(prompt_tokens=7, completion_tokens=3),
            ),
            Step(step_id=3, source="agent", message="Rye costs 1.80.", timestamp="2026-01-01T00:00:04Z"),
        ],
    )
    (folder / "atif.json").write_text(trajectory.model_dump_json(exclude_none=True))
    (folder / "atif-nulls.json").write_text(trajectory.model_dump_json(indent=2))


def collected(folder: Path) -> None:
    from openenv.core.harness.collect import EpisodeRecord, RolloutSerializer

    serializer = RolloutSerializer(folder / "collect")
    for number in range(2):
        record = EpisodeRecord(
            episode_id=f"ep-{number:06d}",
            messages=[
                {"role": "user", "content": "Find rye."},
                {
                    "role": "assistant",
                    "content": "",
                    "tool_calls": [
                        {"id": "c1", "type": "function", "function": {"name": "find_bread", "arguments": json.dumps({"kind": "rye"})}}
                    ],
                },
                {"role": "tool", "tool_call_id": "c1", "name": "find_bread", "content": "1.80"},
                {"role": "assistant", "content": "Rye costs 1.80."},
            ],
            reward=float(number),
            done=True,
            tool_trace=[
                {
                    "tool_name": "find_bread",
                    "arguments": {"kind": "rye"},
                    "result": {"data": "1.80", "done": False, "metadata": {"reward": 0.25}, "error": None},
                }
            ],
            metrics={"turns": 1},
            verify_metrics={},
            artifacts={},
        )
        serializer.write_episode(record)
    serializer.write_metadata({"model": "m"})


if __name__ == "__main__":
    what, target = sys.argv[1], Path(sys.argv[2])
    target.mkdir(parents=True, exist_ok=True)
    {"inspect": inspect_logs, "subagents": inspect_subagents, "atif": atif_trajectory, "collect": collected}[what](target)
    print(json.dumps({"written": what}))
