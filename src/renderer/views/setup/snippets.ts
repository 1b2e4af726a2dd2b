// The lines of code and commands the connect view prints. Each of them runs as it stands; tests run them.

export type CodeSnippet = { id: string; title: string; what: string; code: string };

/** Addresses of the doors, and the key that opens them all. */
export type Reach = { tap: string; expert: string; mcp: string; agent: string; key: string };

/** The start of the other lines of a rollout. */
const NAMED = 'rollout = uuid.uuid4().hex[:8]  # the same at all its addresses';

/** The name at the three addresses that rows need. */
export const rolloutSnippet = ({ tap, expert, agent, key }: Reach): CodeSnippet => ({
  id: 'rollout',
  title: 'A rollout at its three addresses',
  what: 'One key for all of them, and the same name behind it.',
  code: `# pip install openenv openai
import uuid

from openai import OpenAI
from openenv.core import GenericEnvClient

rollout = uuid.uuid4().hex[:8]  # one for each rollout
env = GenericEnvClient(base_url=f"${tap}~{rollout}").sync()  # the environment
expert = OpenAI(base_url="${expert}", api_key=f"${key}~{rollout}")  # your expert, a person
agent = OpenAI(base_url="${agent}", api_key=f"${key}~{rollout}")  # its own model`,
});

const TRL = ({ tap }: Reach): string => `# pip install trl openenv
import json
import uuid

from openenv.core import GenericEnvClient


class World:
    """One of these plays each rollout: GRPOTrainer(..., environment_factory=World)."""

    def __init__(self):
        self.rollout = uuid.uuid4().hex[:8]  # the same at all its addresses
        self.env = GenericEnvClient(base_url=f"${tap}~{self.rollout}").sync()
        self.reward = 0.0

    def reset(self, scenario="loomline_workflows", task_idx=0, **columns) -> str:
        start = self.env.reset(scenario=scenario, task_idx=task_idx)
        tools = self.env.step({"type": "list_tools"}).observation["tools"]
        return start.observation["task"] + "\\n\\nTools:\\n" + json.dumps(tools)

    def use_tool(self, tool_name: str, arguments: str) -> str:
        """Uses a tool of the world.

        Args:
            tool_name: Name of the tool.
            arguments: Its arguments as a JSON object.
        """
        action = {"type": "call_tool", "tool_name": tool_name, "arguments": json.loads(arguments)}
        seen = self.env.step(action)
        self.reward = seen.reward or self.reward
        return json.dumps(seen.observation)

    def verify(self) -> str:
        """Says that the task is done and asks whether it is."""
        return self.use_tool("verify", '{"verifier_mode": "code"}')


def reward_world(environments, **rest):
    return [world.reward for world in environments]`;

const VERL = ({ tap }: Reach): string => `# world_tool.py, named in the file of
# actor_rollout_ref.rollout.multi_turn.tool_config_path:
#   tools: [{class_name: world_tool.WorldTool, config: {type: native}}]
import json
from uuid import uuid4

from openenv.core import GenericEnvClient
from verl.tools.base_tool import BaseTool
from verl.tools.schemas import OpenAIFunctionToolSchema, ToolResponse

SCHEMA = OpenAIFunctionToolSchema.model_validate({"type": "function", "function": {
    "name": "use_tool", "description": "Uses a tool of the world.",
    "parameters": {"type": "object", "required": ["tool_name", "arguments"], "properties": {
        "tool_name": {"type": "string", "description": "Name of the tool."},
        "arguments": {"type": "string", "description": "Its arguments as a JSON object."}}}}})


class WorldTool(BaseTool):
    def __init__(self, config, tool_schema=None):
        super().__init__(config, tool_schema or SCHEMA)
        self.worlds = {}

    async def create(self, instance_id=None, **kwargs):
        instance_id = instance_id or str(uuid4())
        task = {"scenario": "loomline_workflows", "task_idx": 0, **kwargs.get("create_kwargs", {})}
        # Up to 64 letters, digits, dots, hyphens and underscores; the same at all addresses of this rollout.
        env = GenericEnvClient(base_url=f"${tap}~{instance_id}")
        await env.connect()
        start = await env.reset(**task)
        self.worlds[instance_id] = env
        return instance_id, ToolResponse(text=start.observation["task"])

    async def execute(self, instance_id, parameters, **kwargs):
        action = {"type": "call_tool", "tool_name": parameters["tool_name"],
                  "arguments": json.loads(parameters["arguments"])}
        seen = await self.worlds[instance_id].step(action)
        return ToolResponse(text=json.dumps(seen.observation)), seen.reward or 0.0, {}

    async def release(self, instance_id, **kwargs):
        await self.worlds.pop(instance_id).close()`;

export const tapSnippets = (reach: Reach): CodeSnippet[] => [
  {
    id: 'openenv',
    title: 'Python OpenEnv',
    what: 'The standard OpenEnv client; only the address changes. The name is made up: nothing is registered.',
    code: `# pip install openenv
import uuid

from openenv.core import GenericEnvClient

${NAMED}
with GenericEnvClient(base_url=f"${reach.tap}~{rollout}").sync() as env:
    start = env.reset(scenario="loomline_workflows", task_idx=0)
    print(start.observation["task"])
    tools = env.step({"type": "list_tools"}).observation["tools"]
    print(len(tools), "tools")
    end = env.step({"type": "call_tool", "tool_name": "verify", "arguments": {"verifier_mode": "code"}})
    print(end.observation["reward_type"], end.reward)`,
  },
  {
    id: 'trl',
    title: 'TRL',
    what: 'An environment factory: TRL creates one World per rollout and offers its methods as tools.',
    code: TRL(reach),
  },
  {
    id: 'verl',
    title: 'verl',
    what: 'A tool whose instances are episodes.',
    code: VERL(reach),
  },
  {
    id: 'awm',
    title: 'AWMEnv',
    what: 'The typed client of the Agent World Model.',
    code: `# The Agent World Model's own client, from the OpenEnv repository.
import asyncio
import uuid

from agent_world_model_env import AWMEnv
from openenv.core.env_server.mcp_types import CallToolAction


async def main():
    ${NAMED}
    async with AWMEnv(base_url=f"${reach.tap}~{rollout}") as env:
        start = await env.reset(scenario="loomline_workflows", task_idx=0)
        print(start.observation.task)
        end = await env.step(CallToolAction(tool_name="verify", arguments={"verifier_mode": "code"}))
        print(end.observation.reward_type, end.reward)


asyncio.run(main())`,
  },
];

export const expertSnippets = ({ expert, agent, key }: Reach): CodeSnippet[] => [
  {
    id: 'openai',
    title: 'openai (Python)',
    what: 'Ask “expert” and the question goes to the desk with a draft. The model “expert-draft” is the advisor alone.',
    code: `# pip install openai
import uuid

from openai import OpenAI

${NAMED}
client = OpenAI(base_url="${expert}", api_key=f"${key}~{rollout}", timeout=600)
answer = client.chat.completions.create(
    model="expert",
    messages=[{"role": "user", "content": "Which workflow runs every Monday?"}],
)
print(answer.choices[0].message.content)`,
  },
  {
    id: 'curl',
    title: 'curl',
    what: 'Streaming: comment lines keep the connection alive while a person thinks.',
    code: `curl -N ${expert}/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "expert", "stream": true, "messages": [{"role": "user", "content": "Which workflow runs every Monday?"}]}'`,
  },
  {
    id: 'models',
    title: 'List the models',
    what: 'A quick check that address and key work.',
    code: `curl ${expert}/models -H "Authorization: Bearer ${key}"`,
  },
  {
    id: 'agent',
    title: 'The agent’s own words',
    what: 'An environment connection carries no model text. Route the agent’s model through here under the rollout’s name, and its episode includes what was said; without it the episode makes no rows.',
    code: `# pip install openai
import uuid

from openai import OpenAI

${NAMED}
# The agent's own model, passed through: the rollout's episode then has its words too.
client = OpenAI(base_url="${agent}", api_key=f"${key}~{rollout}")`,
  },
];

export const mcpSnippets = ({ mcp, key }: Reach): CodeSnippet[] => [
  {
    id: 'mcp-config',
    title: 'Configuration',
    what: 'For desktop agents and editors that read mcpServers: no rollouts, so no name.',
    code: JSON.stringify(
      {
        mcpServers: {
          interject: { type: 'http', url: mcp, headers: { Authorization: `Bearer ${key}` } },
        },
      },
      null,
      2,
    ),
  },
  {
    id: 'mcp-python',
    title: 'mcp (Python)',
    what: 'The official client.',
    code: `# pip install "mcp<2"
import asyncio
import uuid

from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client


async def main():
    ${NAMED}
    headers = {"Authorization": f"Bearer ${key}~{rollout}"}
    async with streamablehttp_client("${mcp}", headers=headers) as (read, write, _):
        async with ClientSession(read, write) as session:
            await session.initialize()
            print([tool.name for tool in (await session.list_tools()).tools])
            answer = await session.call_tool("ask_expert", {"question": "Which workflow runs every Monday?"})
            print(answer.content[0].text)


asyncio.run(main())`,
  },
];

const portOf = (base: string): string => new URL(base).port || '443';

/** The main port, and the tap's own where it has one. */
const throughPorts = (flag: '-L' | '-R', base: string, tap: string | null): string =>
  [...new Set([base, ...(tap === null || tap === '' ? [] : [tap])].map(portOf))]
    .map((port) => `${flag} ${port}:127.0.0.1:${port}`)
    .join(' ');

/** Reaching a console on another machine: every address of the page works there. */
export const remoteSnippets = (base: string, tap: string | null = null): CodeSnippet[] => [
  {
    id: 'ssh-l',
    title: 'From another computer',
    what: 'Run this there. Every address on this page then works there too, with the same keys.',
    code: `ssh -N ${throughPorts('-L', base, tap)} THIS-HOST`,
  },
  {
    id: 'ssh-r',
    title: 'From a cluster that cannot reach you',
    what: 'Run this here. A trainer on that machine then finds Interject at its own 127.0.0.1.',
    code: `ssh -N ${throughPorts('-R', base, tap)} CLUSTER-HOST`,
  },
];

/** Commands beside the gateway. */
export const COMMANDS: readonly CodeSnippet[] = [
  {
    id: 'serve',
    title: 'Serve without a window, in front of your own environment',
    what: 'Prints every address and key on this page.',
    code: 'npm run interject -- serve --env http://127.0.0.1:8899 --json',
  },
  {
    id: 'world',
    title: 'Serve the built-in worlds to any OpenEnv client',
    what: 'Every world at one address, without key or network. Episodes are not recorded here.',
    code: 'npm run interject -- world --port 8899',
  },
  {
    id: 'list',
    title: 'List the worlds',
    what: 'Name, kind, number of tasks and tools.',
    code: 'npm run interject -- world list',
  },
  {
    id: 'run',
    title: 'Run episodes without the console',
    what: 'One line of JSON per episode. Only one process can use a data folder: stop this console first, or pass --data.',
    code: 'npm run interject -- run --world loomline_workflows --task 0-9 --agent rehearsal --condition none --json --data ./run-data',
  },
];

const COVER = '••••••••••••';

/** The same lines with their keys covered. */
export const coveredCode = (code: string, secrets: readonly string[]): string =>
  secrets.filter((secret) => secret !== '').reduce((text, secret) => text.replaceAll(secret, COVER), code);
