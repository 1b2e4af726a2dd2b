import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ran, pythonRows, root } from '../../peers/support.ts';

type Message = {
  role: string;
  content: string;
  tool_calls?: { function: { name: string; arguments: unknown } }[];
};
type Call = { tool: string; args?: Record<string, unknown> };

const WORLD = 'loomline_workflows';
const TASKS = [0, 1, 2];

/** What an expert would write: the reference plan, in the lines the agent can follow. */
function adviceFor(task: { reference: Call[] }): string {
  const lines = task.reference.map(({ tool, args = {} }) => `${tool}(${JSON.stringify(args)})`);
  return `Do exactly this, in this order:\n${lines.join('\n')}`;
}

describe('what an export holds, loaded with the real datasets package', () => {
  let folder = '';
  let rows: { sft: Record<string, unknown>[]; preference: Record<string, unknown>[] };
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'interject-peers-'));
    const home = ['--data', join(folder, 'home')];
    const tasks = JSON.parse(readFileSync(join(root, 'resources/worlds', WORLD, 'tasks.json'), 'utf8')) as {
      reference: Call[];
    }[];
    const answers = TASKS.flatMap((task_idx) => {
      const task = tasks[task_idx];
      return task === undefined ? [] : [{ task_idx, ask: 1, do: 'send', text: adviceFor(task) }];
    });
    writeFileSync(join(folder, 'answers.jsonl'), answers.map((line) => JSON.stringify(line)).join('\n'));
    await ran(
      ['run', '--world', WORLD, '--task', '0-2', '--condition', 'human+draft', ...home].concat(
        '--answers',
        join(folder, 'answers.jsonl'),
      ),
    );
    const load = async (format: string) => {
      const out = join(folder, format);
      await ran(['export', '--format', format, '--out', out, ...home]);
      return pythonRows('openenv-0.10.0', 'load_rows.py', [out, join(folder, 'cache')]);
    };
    rows = { sft: await load('sft'), preference: await load('preference') };
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has for each answered question a conversation that continues after the advice', () => {
    expect(rows.sft).toHaveLength(TASKS.length);
    for (const row of rows.sft) {
      const [prompt, completion] = [row['prompt'] as Message[], row['completion'] as Message[]];
      expect(prompt[0]?.role).toBe('system');
      expect(prompt.at(-1)?.role).toBe('tool');
      expect(prompt.at(-1)?.content).toContain('Do exactly this');
      expect(completion[0]?.role).toBe('assistant');
      expect(completion.at(-1)?.role).toBe('assistant');
      expect(row).toMatchObject({ scenario: WORLD, reward: 1, reward_type: 'complete' });
    }
  });

  it('keeps tool calls and tools as objects, as chat templates want them', () => {
    const row = rows.sft[0] as { completion: Message[]; tools: unknown[] };
    const call = row.completion.find(({ tool_calls: calls }) => calls !== undefined);
    expect(call?.tool_calls?.[0]?.function.arguments).toBeTypeOf('object');
    expect(row.tools[0]).toMatchObject({
      type: 'function',
      function: { name: expect.any(String) as string, parameters: { type: 'object' } },
    });
  });

  it('says that a file answered, not a person', () => {
    expect(new Set([...rows.sft, ...rows.preference].map((row) => row['actor']))).toEqual(
      new Set(['scripted']),
    );
  });

  it('pairs what was sent with the draft it replaced, from the same prompt', () => {
    expect(rows.preference.length).toBeGreaterThan(0);
    for (const row of rows.preference) {
      expect(row['chosen']).not.toEqual(row['rejected']);
      expect(JSON.stringify(row['chosen'])).toContain('Do exactly this');
      expect((row['prompt'] as Message[]).length).toBeGreaterThan(0);
    }
  });
});
