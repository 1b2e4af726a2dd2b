// The kit's shaping and ours are the same numbers by the same rules, also where the environment gives them.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { offeredTools } from '../../src/main/agent/conversation.ts';
import { functionTools } from '../../src/main/dataset/export/transcriptLine.ts';
import type { RewardFacts } from '../../src/main/reward/facts.ts';
import { checkRewards } from '../../src/main/reward/settings.ts';
import { shapedReward } from '../../src/main/reward/shaping.ts';
import { isFormatError } from '../../src/shared/episode/turns.ts';
import type { ToolSpec } from '../../src/shared/events/lifecycle.ts';
import type { Move } from '../../src/shared/events/turns.ts';
import { REWARD_DEFAULTS } from '../../src/shared/rewards/settings.ts';
import { isToolError } from '../../src/shared/wire.ts';
import { interject, pythonProgram, pythonRows, root, type Program } from './support.ts';

const RELEASE = 'openenv-0.10.0';
const kit = join(root, 'resources/kit/trl');
const folder = mkdtempSync(join(tmpdir(), 'interject-shaping-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const written = (name: string, value: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(value));
  return path;
};

type Outcome = 'ok' | 'failed' | 'format_error';
type KitFacts = {
  label: string | null;
  outcomes: Outcome[];
  helped_after: number | null;
  help: RewardFacts['help'];
  unsent: number;
  other_turns: number;
};
const OUTCOMES: Outcome[] = ['ok', 'failed', 'format_error'];
const HELP = ['none', 'advised', 'unknown'] as const;
const sequences = (length: number): Outcome[][] =>
  length === 0 ? [[]] : sequences(length - 1).flatMap((head) => OUTCOMES.map((one) => [...head, one]));

/** Every episode of up to three calls, asked or not before each, finished or not, with every label and kind of help. */
const EPISODES: KitFacts[] = ['complete', 'incomplete', 'others', 'judge_error', null].flatMap((label) =>
  [0, 1, 2, 3].flatMap(sequences).flatMap((outcomes) =>
    [null, ...outcomes.map((_, at) => at), outcomes.length].flatMap((helped_after) =>
      [0, 1].flatMap((unsent) =>
        [0, 1].flatMap((final) => {
          const other_turns = final + (helped_after === null ? 0 : 1);
          return HELP.map((help) => ({ label, outcomes, helped_after, help, unsent, other_turns }));
        }),
      ),
    ),
  ),
);

/** The same episode as our rewards read it. */
function ours({ label, outcomes, helped_after, help, unsent, other_turns }: KitFacts): RewardFacts {
  const badlyFormed = outcomes.filter((outcome) => outcome === 'format_error').length;
  return {
    label,
    turns: outcomes.length + unsent + other_turns,
    wellFormed: outcomes.length - badlyFormed + other_turns,
    calls: outcomes.map((outcome, at) => ({
      turn: helped_after !== null && at >= helped_after ? at + 1 : at,
      key: at,
      outcome,
      by: 'agent',
    })),
    moves: 0,
    length: 0,
    firstHelp: helped_after,
    help,
    asks: helped_after === null ? 0 : 1,
  };
}

describe('the kit’s shaping', () => {
  it('is worth what our own rewards say, for every short episode', async () => {
    const cases = EPISODES.map((facts) => ({ facts, numbers: {} }));
    const rows = await pythonRows(RELEASE, 'shape_facts.py', [kit, written('cases.json', cases)]);

    expect(rows).toHaveLength(EPISODES.length);
    const expected = EPISODES.map((facts) => shapedReward(ours(facts), REWARD_DEFAULTS.shaping));
    expect(rows).toEqual(expected);
  });

  it('refuses the numbers that our own settings refuse', async () => {
    const steps = [-1, -0.2, 0, 0.3, 1];
    const numbers = steps.flatMap((solo) =>
      steps.flatMap((recovery) =>
        steps.flatMap((blind) =>
          [0.1, 0.9, 1.2].map((incomplete) => ({ solo, recovery, blind, incomplete })),
        ),
      ),
    );
    const facts = EPISODES[0];
    const cases = written(
      'numbers.json',
      numbers.map((some) => ({ facts, numbers: some })),
    );
    const rows = await pythonRows(RELEASE, 'shape_facts.py', [kit, cases]);

    const refusedByUs = numbers.map(({ solo, recovery, blind, incomplete }) => {
      const { shaping, rubric } = REWARD_DEFAULTS;
      const base = { ...shaping.base, incomplete };
      try {
        checkRewards({ shaping: { ...shaping, base, modifiers: { solo, recovery, blind } }, rubric });
        return false;
      } catch {
        return true;
      }
    });
    expect(rows.map((row) => 'refused' in row)).toEqual(refusedByUs);
    expect(new Set(refusedByUs)).toEqual(new Set([true, false]));
  });
});

describe('a failed call', () => {
  it('is a format error to the kit where it is one to our own rewards, with a listing and without', async () => {
    const listed = JSON.parse(
      readFileSync(join(root, 'resources/worlds/loomline_workflows/tools.json'), 'utf8'),
    ) as ToolSpec[] | { tools: ToolSpec[] };
    const nested: ToolSpec = {
      name: 'nested',
      description: '',
      input_schema: {
        $defs: { Step: { type: 'object', properties: { at: { minimum: 1 } }, required: ['at'] } },
        properties: {
          steps: { type: 'array', items: { $ref: '#/$defs/Step' } },
          note: { anyOf: [{ type: 'string', maxLength: 2 }, { type: 'null' }] },
          kind: { enum: [1, true, 'a'] },
        },
        additionalProperties: false,
      },
    };
    const tools = [...(Array.isArray(listed) ? listed : listed.tools), nested];
    const values = [1, 0, 1.5, true, null, 'a', 'abc', '7', [], [{ at: 1 }], [{ at: 0 }], [{}], {}];
    const names = ['steps', 'note', 'kind', 'run_id', 'workflow_id', 'status', 'limit'];
    const given = [{}, ...names.flatMap((name) => values.map((value) => ({ [name]: value })))];
    const answers = [
      ['tool_not_found', 'Status code: 404. {"detail":"Run 7 not found"}'],
      ['tool_not_found', 'Unknown tool: fly'],
      ['invalid_args', 'Invalid'],
      ['server_error', 'closed'],
      ['tool_not_found', null],
      ['tool_call_ok', null],
    ] as const;
    const cases = [...tools.map(({ name }) => name), 'fly', 'verify'].flatMap((name) =>
      given.flatMap((args) =>
        answers.flatMap(([reward_type, error]) =>
          [tools, [], [{ name, description: '', input_schema: {} }]].map((known, at) => ({
            name,
            arguments: args,
            observation: { reward_type, error },
            tools: at === 0 ? known.filter((tool) => tool.name === name || tool.name === 'nested') : known,
          })),
        ),
      ),
    );
    const rows = await pythonRows(RELEASE, 'judge_calls.py', [kit, written('calls.json', cases)]);

    const expected = cases.map(({ name, arguments: args, observation, tools: known }) => {
      const { reward_type, error } = observation;
      const move: Move = { type: 'call_tool', tool_name: name, arguments: args };
      if (isFormatError(known, move, null, { error, reward_type })) return { outcome: 'format_error' };
      return { outcome: isToolError(error, reward_type) ? 'failed' : 'ok' };
    });
    expect(rows).toEqual(expected);
    expect(new Set(expected.map(({ outcome }) => outcome))).toEqual(new Set(OUTCOMES));
  });
});

describe('the tools the kit offers a model', () => {
  it('are those our own agent is offered, so that what was learnt from exports fits', async () => {
    const pack = JSON.parse(
      readFileSync(join(root, 'resources/worlds/loomline_workflows/tools.json'), 'utf8'),
    ) as ToolSpec[] | { tools: ToolSpec[] };
    const generated: ToolSpec = {
      name: 'GET /runs/{id}',
      description: 'A run.\n\n### Responses\n\n**200**: fine',
      input_schema: {
        title: 'Run',
        type: 'object',
        properties: { title: { type: 'string', title: 'Title', example: 'a' }, id: { enum: ['title'] } },
        required: ['title'],
      },
    };
    const again = { ...generated, name: 'GET /runs/(id)' };
    const own = (Array.isArray(pack) ? pack : pack.tools).map(({ name, description, input_schema }) => ({
      name,
      description,
      input_schema,
    }));
    const listed = [...own, generated, again];

    const rows = await pythonRows(RELEASE, 'kit_tools.py', [kit, written('listed.json', listed)]);

    const words = (name: string): string =>
      readFileSync(join(root, `resources/prompts/agent/${name}.md`), 'utf8').trim();
    const descriptions = { list: words('list_tool'), ask: words('ask_tool') };
    expect(rows).toEqual(functionTools(offeredTools(listed, descriptions)));
  }, 180_000);
});

describe('a shaped environment in front of another', () => {
  let world: Program;
  let shapedWorld: Program;
  let rows: Record<string, unknown>[];
  beforeAll(async () => {
    world = interject(['world', '--port', '0', '--json']);
    const { url } = JSON.parse(await world.firstLine) as { url: string };
    const script = join(kit, 'shaped_environment.py');
    shapedWorld = pythonProgram(RELEASE, script, ['--env', url, '--port', '0']);
    const ready = JSON.parse(await shapedWorld.firstLine) as { url: string };
    const tasks = JSON.parse(
      readFileSync(join(root, 'resources/worlds/loomline_workflows/tasks.json'), 'utf8'),
    ) as { reference: { tool: string; args?: object }[]; rehearsal: { final: string } }[];
    const plan = {
      calls: tasks[0]?.reference.map(({ tool, args = {} }) => [tool, args]),
      final: tasks[0]?.rehearsal.final,
      failing: ['retry_run', { run_id: 2001 }],
    };
    rows = await pythonRows(RELEASE, 'drive_shaped.py', [kit, ready.url, written('plan.json', plan)]);
  }, 180_000);
  afterAll(async () => {
    await shapedWorld.end();
    await world.end();
  });
  const played = (...deeds: string[]): unknown =>
    rows.find((row) => JSON.stringify(row['deeds']) === JSON.stringify(deeds));

  it('rewards a task completed alone over one after a try and advice, over one after advice at once', () => {
    expect(played('do')).toMatchObject({ reward: 2, label: 'complete' });
    expect(played('fail', 'ask', 'do')).toMatchObject({ reward: 1.3, outcomes: ['failed', 'ok'] });
    expect(played('ask', 'do')).toMatchObject({ reward: 0.8 });
  });

  it('pays least where the client does not declare that it has no other expert', () => {
    expect(played('undeclared', 'do')).toMatchObject({ reward: 0.8, label: 'complete' });
  });

  it('takes a badly formed call for no try, and pays for nothing that was not completed', () => {
    expect(played('malformed', 'ask', 'do')).toMatchObject({ reward: 0.8, outcomes: ['format_error', 'ok'] });
    expect(played('ask')).toMatchObject({ reward: 0, label: 'others' });
    expect(played('fail')).toMatchObject({ reward: 0 });
    expect(played('malformed')).toMatchObject({ reward: -1 });
  });

  it('says beside the reward what it is made of, the environment’s own included', () => {
    expect(rows.at(-1)).toEqual({
      reward: 0,
      metadata: { shaping: { environment_reward: 0, total: 0, base: 0, modifier: 0, pattern: null } },
    });
  });
});
