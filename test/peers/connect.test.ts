// What the connect page prints, run word for word against the product as `serve` starts it.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  expertSnippets,
  mcpSnippets,
  rolloutSnippet,
  tapSnippets,
  type Reach,
  type CodeSnippet,
} from '../../src/renderer/views/setup/snippets.ts';
import { createSocketTransport } from '../../src/renderer/client/socket.ts';
import type { Transport } from '../../src/renderer/client/transport.ts';
import { RELEASES, root } from './support.ts';

const run = promisify(execFile);
const python = join(import.meta.dirname, '.venv/bin/python');
const has = async (name: string): Promise<boolean> =>
  run(python, ['-c', `import ${name}`]).then(
    () => true,
    () => false,
  );

let server: ChildProcess;
let reach: Reach;
let owner: Transport;
const folder = mkdtempSync(join(tmpdir(), 'interject-connect-'));
const PERSON = 'workflow 3, "Weekly digest"';

type Ready = {
  url: string;
  token: string;
  key: string;
  gateway: { expert: string; mcp: string; agent: string; tap: string };
};

beforeAll(async () => {
  const serve = [
    'bin/interject.mjs',
    'serve',
    '--no-open',
    '--port',
    '0',
    '--mcp',
    '--json',
    '--data',
    folder,
  ];
  server = spawn(process.execPath, serve, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  const line = await new Promise<string>((resolve) =>
    createInterface({ input: server.stdout as NodeJS.ReadableStream }).once('line', resolve),
  );
  const { url, token, key, gateway } = JSON.parse(line) as Ready;
  reach = { ...gateway, key };
  owner = createSocketTransport({
    origin: url.replace(/^http/, 'ws').replace(/\/#.*$/, ''),
    token,
    seat: 'seat-test',
  });
  owner.subscribe({ topic: 'desk' }, (push) => {
    if (push.topic !== 'desk') return;
    for (const { episode, consultation, seq, draft } of push.items) {
      void owner
        .call('desk.answer', {
          episode,
          consultation,
          text: PERSON,
          draft: draft?.id ?? null,
          seen_seq: seq,
          timing: { first_seen_at: null, active_ms: 1 },
        })
        .catch(() => undefined);
    }
  });
}, 60_000);
afterAll(async () => {
  owner.close();
  server.kill('SIGTERM');
  await new Promise((resolve) => server.once('exit', resolve));
  rmSync(folder, { recursive: true, force: true });
});

const find = (snippets: CodeSnippet[], id: string): CodeSnippet => {
  const found = snippets.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no snippet ${id}`);
  return found;
};
const written = ({ id, code }: CodeSnippet, after = ''): string => {
  const path = join(folder, `lines-${id}.py`);
  writeFileSync(path, `${code}\n${after}`);
  return path;
};
/** The Agent World Model's client lies in OpenEnv's repository and in no registry: whoever has it says where. */
const awmClient = process.env['INTERJECT_AWM_CLIENT'] ?? '';
const runPython = async (args: string[], release: string = RELEASES[1]): Promise<string> => {
  const env = {
    ...process.env,
    PYTHONPATH: [join(import.meta.dirname, '.venv', release), awmClient].filter(Boolean).join(delimiter),
    PYTHONWARNINGS: 'ignore',
  };
  return (await run(python, args, { env, timeout: 60_000 })).stdout.trim();
};

describe.skipIf(!existsSync(python))('the lines for an environment', () => {
  it.each(RELEASES)('play an episode with the real OpenEnv client of %s', async (release) => {
    const printed = await runPython([written(find(tapSnippets(reach), 'openenv'))], release);

    expect(printed.split('\n')).toEqual([
      expect.stringMatching(/\w/),
      expect.stringMatching(/^\d+ tools$/),
      expect.stringMatching(/^others 0/),
    ]);
  });

  it('are an environment factory as TRL makes one: reset by columns, tools as methods, a reward at the end', async () => {
    const after = `
world = World()
print(world.reset(prompt="ignored", scenario="loomline_workflows", task_idx=2)[:20])
print(json.loads(world.use_tool("list_workspaces", "{}")).get("error"))
world.verify()
print(reward_world([world], prompts=[]))`;
    const printed = await runPython([written(find(tapSnippets(reach), 'trl'), after)]);

    expect(printed.split('\n').slice(1)).toEqual(['None', expect.stringMatching(/^\[[\d.]+\]$/)]);
  });

  it('are a tool as verl’s rollout uses one: created, executed, released', async () => {
    const tool = written(find(tapSnippets(reach), 'verl'));
    const printed = await runPython([join(import.meta.dirname, 'verl_shape.py'), tool]);

    expect(JSON.parse(printed)).toMatchObject({ reward_type: 'others' });
  });

  it('play an episode with the Agent World Model’s own client', async ({ skip }) => {
    if (!existsSync(join(awmClient, 'agent_world_model_env/client.py')))
      return skip('INTERJECT_AWM_CLIENT names no folder with agent_world_model_env');
    const printed = await runPython([written(find(tapSnippets(reach), 'awm'))]);

    expect(printed.split('\n')).toEqual([expect.stringMatching(/\w/), expect.stringMatching(/^others 0/)]);
  });

  it('show up as tapped episodes', async () => {
    const { rows } = await owner.call('episodes.page', {
      query: '',
      status: null,
      condition: null,
      offset: 0,
      limit: 50,
    });

    expect(rows.filter(({ source }) => source === 'tap').length).toBeGreaterThanOrEqual(4);
  });
});

describe('the lines for a rollout', () => {
  it('put its question into its own episode', async ({ skip }) => {
    if (!(await has('openai'))) return skip('the openai package is not in the environment');
    const after = `
with env:
    env.reset(scenario="loomline_workflows", task_idx=0)
    question = [{"role": "user", "content": "What now?"}]
    answer = expert.chat.completions.create(model="expert", messages=question)
    print(answer.interject["link"]["by"], answer.choices[0].message.content)`;

    expect(await runPython([written(rolloutSnippet(reach), after)])).toBe(`key ${PERSON}`);
  });
});

describe('the lines for the expert', () => {
  it('list the models with curl', async () => {
    const { stdout } = await run('sh', ['-c', find(expertSnippets(reach), 'models').code]);

    expect(stdout).toContain('"expert"');
  });

  it('stream a person’s answer to curl', async () => {
    const { stdout } = await run('sh', ['-c', find(expertSnippets(reach), 'curl').code]);

    expect(stdout).toContain('data: [DONE]');
    expect(stdout).toContain('Weekly digest');
  });

  it('bring a person’s answer to the real openai client', async ({ skip }) => {
    if (!(await has('openai'))) return skip('the openai package is not in the environment');

    expect(await runPython([written(find(expertSnippets(reach), 'openai'))])).toBe(PERSON);
  });
});

describe('the lines for MCP', () => {
  it('are a configuration as clients read it: with it alone the tools are found and a person answers', async ({
    skip,
  }) => {
    if (!(await has('fastmcp'))) return skip('the fastmcp package is not in the environment');
    const config = join(folder, 'mcp.json');
    writeFileSync(config, find(mcpSnippets(reach), 'mcp-config').code);
    const printed = await runPython([join(import.meta.dirname, 'ask_by_config.py'), config]);

    expect(JSON.parse(printed)).toEqual({ tools: ['ask_expert', 'expert_status'], text: PERSON });
  });

  it('bring a person’s answer to the real mcp client', async ({ skip }) => {
    if (!(await has('mcp'))) return skip('the mcp package is not in the environment');
    const printed = await runPython([written(find(mcpSnippets(reach), 'mcp-python'))]);

    expect(printed).toContain('ask_expert');
    expect(printed).toContain('Weekly digest');
  });
});
