// Owns: the commands and lines of code the connect view offers. Each of them exists and runs as it stands.

export type Snippet = { id: string; title: string; what: string; language: 'shell' | 'python'; code: string };

const AWM_CLIENT = `import asyncio

from agent_world_model_env import AWMEnv
from openenv.core.env_server.mcp_types import CallToolAction


async def main():
    async with AWMEnv(base_url="http://127.0.0.1:8899") as env:
        start = await env.reset(scenario="workflow_automation_1", task_idx=0)
        print(start.observation.task)
        for tool in await env.list_tools():
            print(tool.name)
        end = await env.step(CallToolAction(tool_name="verify", arguments={"verifier_mode": "code"}))
        print(end.observation.reward_type, end.reward)


asyncio.run(main())`;

export const SNIPPETS: readonly Snippet[] = [
  {
    id: 'world',
    title: 'Serve the built-in worlds to any OpenEnv client',
    what: 'Every world at one address, without key or network. The scenario is the name of the world.',
    language: 'shell',
    code: 'npm run interject -- world --port 8899',
  },
  {
    id: 'python',
    title: 'Drive a world from Python, with the client you have',
    what: 'Nothing of ours on the Python side: the unchanged OpenEnv client for the Agent World Model.',
    language: 'python',
    code: AWM_CLIENT,
  },
  {
    id: 'list',
    title: 'See which worlds there are',
    what: 'Name, kind, number of tasks and tools.',
    language: 'shell',
    code: 'npm run interject -- world list',
  },
  {
    id: 'run',
    title: 'Run episodes without the console',
    what: 'One line of JSON per episode. With --condition human+draft the command serves a desk and waits for a person. The data folder belongs to one process at a time: end this console first, or give the run its own with --data.',
    language: 'shell',
    code: 'npm run interject -- run --world workflow_automation_1 --task 0-9 --agent rehearsal --condition none --json --data ./run-data',
  },
  {
    id: 'run-env',
    title: 'Run an episode in your own OpenEnv server',
    what: 'Any server that speaks OpenEnv; add it under Settings to start episodes there from here.',
    language: 'shell',
    code: 'npm run interject -- run --env http://127.0.0.1:8899 --scenario workflow_automation_1 --task 0 --json --data ./run-data',
  },
];
