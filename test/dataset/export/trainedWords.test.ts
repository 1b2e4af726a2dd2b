// What holds for every row, whatever happened: it is derived from the log, and trains no word of others. Every text of an
// episode has a mark of its own, by who said it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attachAnswers } from '../../../src/main/desk/scriptedAnswers.ts';
import { rowRule } from '../../../src/main/dataset/export/select.ts';
import type { ItemRecord } from '../../../src/shared/review/record.ts';
import type { ExportRules } from '../../../src/shared/contract/export.ts';
import { asked, ROW_KINDS, type RowKind } from '../../support/exporting.ts';
import { jsonLine } from '../../../src/main/dataset/export/lineWriter.ts';
import { withTexts } from '../../../src/shared/events/text.ts';
import { createBench } from '../import/support.ts';
import { serveEnvironment } from '../../support/flow.ts';
import { asking, ME, native, reply, startStepIn } from '../../support/stepIn.ts';
import { rowsOf, type Made, type Row, type Said } from './episodes.ts';

const SEEDS = 40;
const TURNS = 7;

/** Numbers in [0, 1) by a seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const TIMING = { first_seen_at: null, active_ms: null };
const renaming = (id: number) => ({
  type: 'call_tool' as const,
  tool_name: 'rename_workflow',
  arguments: { id },
});

/** An agent that calls, asks, stumbles and ends, and a person who does anything to it. */
async function anything(url: string, seed: number): Promise<Made> {
  const draw = random(seed);
  let turn = 0;
  const policy = {
    next: () => {
      turn += 1;
      const said = { content: `AGENT-${String(turn)} `, reasoning: `THOUGHT-${String(turn)} ` };
      const kind = draw();
      if (turn >= TURNS || kind < 0.08) return Promise.resolve(reply(said));
      if (kind < 0.25) return Promise.resolve({ ...native('ask_expert', { task: 'Which?' }), ...said });
      if (kind < 0.33) {
        const toolCalls = [{ id: `bad${String(turn)}`, name: 'rename_workflow', arguments: '{"id": ' }];
        return Promise.resolve(reply({ ...said, toolCalls }));
      }
      if (kind < 0.43) return Promise.resolve({ ...native('find_workflow', { id: 'REFUSED' }), ...said });
      const name = kind < 0.48 ? 'verify' : kind < 0.75 ? 'find_workflow' : 'rename_workflow';
      return Promise.resolve({ ...native(name, { id: 1 + Math.floor(draw() * 2) }), ...said });
    },
  };
  const flow = startStepIn(url, policy, { ...asking(), condition: 'human', fallback: 'proceed' });
  // Every other person knows how the episode ends.
  flow.desk.noteSeen(ME.seat, flow.id, seed % 2 === 0 ? ['verdict', 'hidden_state'] : []);
  const undo = attachAnswers(flow, [
    { ask: 1, do: 'send', text: 'ADVICE-1 rename_workflow({"id": 2})' },
    { ask: 2, do: 'decline', reason: 'DECLINED-2' },
  ]);
  for (;;) {
    const { ended, turns } = await flow.until((record) => {
      const call = record.turns.at(-1)?.call;
      return record.ended !== null || (call?.held && call.decision === null);
    });
    if (ended !== null) break;
    if (draw() < 0.2) {
      const at = { episode: flow.id, turn: turns.at(-1)?.turn ?? 0, timing: TIMING };
      await flow.commands['label.give']({ ...at, move: renaming(5552) }, ME);
    }
    await act(flow, turns.at(-1)?.callId ?? '', draw);
  }
  await flow.ended;
  undo();
  return { log: flow.log, id: flow.id };
}

async function act(flow: ReturnType<typeof startStepIn>, call: string, draw: () => number): Promise<void> {
  const about = flow.about(call);
  const kind = draw();
  if (kind < 0.4) await flow.commands['call.decide']({ act: 'approve', ...about, similar: false }, ME);
  else if (kind < 0.55) {
    const made = { tool_name: 'rename_workflow', arguments: { id: 5551 }, is_unchecked: false };
    await flow.commands['call.decide'](
      { act: 'edit', ...about, ...made, reason: draw() < 0.5 ? 'REASON' : null },
      ME,
    );
  } else if (kind < 0.7)
    await flow.commands['call.decide']({ act: 'reject', ...about, reason: 'REJECTED-WHY' }, ME);
  else if (kind < 0.8) {
    await flow.commands['call.decide'](
      { act: 'answer', ...about, text: 'FABRICATED {"id": 2}', is_error: draw() < 0.3 },
      ME,
    );
  } else {
    await flow.control('take_over');
    const isDiscarded = draw() < 0.5;
    const made = await flow.commands['takeover.move'](
      {
        episode: flow.id,
        move: { type: 'call_tool', tool_name: 'find_workflow', arguments: { id: 2 } },
        say: isDiscarded ? 'DISCARDED' : 'PERSON',
        is_unchecked: false,
      },
      ME,
    );
    await flow.until(({ turns }) => turns.find((one) => one.turn === made.turn)?.call?.returned);
    await flow.control('hand_back', { is_discarded: isDiscarded, note: draw() < 0.5 ? 'NOTED' : null });
  }
}

/** What a person, or who answers, put into an episode or said of it afterwards. */
const EXPERT = /ADVICE-1|PERSON|DISCARDED|REASON|NOTED|\b555[123]\b/;
/** What nobody trains on, but for what stands behind the format's name. */
const NEVER =
  /REASON|ENVIRONMENT|FABRICATED|NOTED|DECLINED|REJECTED-WHY|DISCARDED|person who watches|A person changed|No advice:|You have worked for|could not be read|is not a tool of yours|Only the first call/;
const text = (value: unknown): string => JSON.stringify(value) ?? '';
const assistants = (list: readonly Said[]): Said[] => list.filter(({ role }) => role === 'assistant');

/** What has a loss, as docs/formats.md tells a trainer of each format. */
function trained(format: RowKind, row: Row): string {
  switch (format) {
    case 'sft':
      return text(assistants(row.completion));
    case 'advisor':
    case 'kto':
      return text(row.completion);
    case 'sft_messages':
    case 'demonstrations':
      return text(assistants(row.messages));
    case 'preference':
      return text([row.chosen, row.rejected]);
    case 'when_to_ask':
      return text(row['label']);
    default:
      return '';
  }
}

/** As an export writes them: what its rules leave out is gone. */
function exported(format: RowKind, one: Made, over: Partial<ExportRules> = {}): Row[] {
  const rules = { ...ALL, ...over };
  const { made } = rowsOf(format, one, rules, [reviewOf(one)]);
  return made.flatMap(({ row, facts }) =>
    rowRule(facts, asked(format, rules).rules) === null ? [row as Row] : [],
  );
}

/** A reviewer puts another move in the place of the first. */
const reviewOf = ({ id }: Made): ItemRecord => ({
  item: 'i1',
  queue: 'q1',
  subject: { type: 'episode', episode: id },
  reviewers: [],
  addedAt: 1,
  seats: new Map([['seat-a', { state: 'done', until: 0, at: 1, n: 1, reason: null, timing: TIMING }]]),
  annotations: [],
  corrections: [
    {
      reviewer: 'seat-a',
      id: 'x',
      at: 1,
      timing: TIMING,
      privilege: ['verdict'],
      target: { episode: id, on: 'step', turn: 1 },
      correct: { type: 'move', move: renaming(5553) },
      reason: null,
    },
  ],
  preferences: [],
  adjudications: [],
});

const TRAINED = ROW_KINDS.filter(
  (format) =>
    !['grpo', 'episode_record', 'human_feedback', 'atif', 'awm', 'scores', 'events'].includes(format),
);
const ALL = {
  verdict: 'any',
  include: ['timeouts', 'late', 'fabricated', 'contrary'],
} satisfies Partial<ExportRules>;

let environment: Awaited<ReturnType<typeof serveEnvironment>>;
let episodes: Made[] = [];
beforeAll(async () => {
  const answer = ({ id }: Record<string, unknown>) =>
    id === 'REFUSED'
      ? {
          observation: { reward_type: 'invalid_args', error: 'ENVIRONMENT 422: id is no number' },
          reward: -1,
        }
      : {
          observation: {
            reward_type: 'tool_call_ok',
            tool_result: 'ENVIRONMENT {"id": 2, "name": "second"}',
          },
        };
  // With every id that an expert names, so that no row is left out for a fact nobody could know.
  const task = 'Rename the second workflow of 1, 2, 5551, 5552 and 5553.';
  const reset = () => ({ observation: { reward_type: 'reset_ok', scenario: 's_1', task, task_idx: 0 } });
  environment = await serveEnvironment({ reset, find_workflow: answer, rename_workflow: answer });
  episodes = await Promise.all(
    Array.from({ length: SEEDS }, (_, seed) => anything(environment.url, seed + 1)),
  );
});
afterAll(() => environment.close());

/** Every text of an episode's events. */
function textsIn({ log, id }: Made): string {
  const texts: string[] = [];
  const take = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(take);
  };
  for (const { event } of log.read(id)) take(withTexts(event, (text) => log.texts.loadText(text)));
  return texts.join('\n');
}

const conversationOf = ({ prompt = [], completion = [], messages = [] }: Partial<Row>): Said[] => [
  ...prompt,
  ...completion,
  ...messages,
];

describe('over random episodes, a row', () => {
  it.each(ROW_KINDS)('of %s is the same where the episode came back from its own events', async (kind) => {
    for (const one of episodes.slice(0, 8)) {
      const events = rowsOf('events', one).made.flatMap(({ row, more = [] }) => [row, ...more]);
      const bench = createBench();
      const { ids } = await bench.one(events.map((event) => `${jsonLine(event)}\n`).join(''));

      const again = rowsOf(kind, { log: bench.log, id: ids[0] ?? '' }, ALL);
      const before = rowsOf(kind, one, ALL);
      expect(again.rows.map(jsonLine)).toEqual(before.rows.map(jsonLine));
      expect(again.dropped).toEqual(before.dropped);
      bench.close();
    }
  });

  it('holds no word that is in no event, and no result that answers no call of the reply before it', () => {
    for (const one of episodes) {
      const log = textsIn(one);
      for (const kind of ['sft', 'sft_messages', 'kto', 'when_to_ask', 'demonstrations', 'grpo'] as const)
        for (const { row } of rowsOf(kind, one, ALL).made) {
          let open: string[] = [];
          for (const { role, content, tool_calls: calls = [], tool_call_id: id } of conversationOf(row)) {
            for (const piece of content.split('\n\n'))
              expect(log).toContain(piece.replace(/^Tool response:\n/, ''));
            if (role === 'assistant') open = calls.map((call) => call.id);
            if (role === 'tool') expect(open).toContain(id);
          }
        }
    }
  });
});

describe('over random episodes, what is trained', () => {
  it.each(TRAINED)(
    'holds in %s no word of the environment, of a notice, of a discarded act or of an expert',
    (format) => {
      let rows = 0;
      for (const one of episodes)
        for (const privilege of ['flag', 'strip'] as const) {
          const { made } = rowsOf(format, one, { ...ALL, privilege });
          for (const { row, facts } of made) {
            rows += 1;
            const by = {
              rule: trained(format, row as Row),
              mask: text(facts.mask().filter(({ trains }) => trains)),
            };
            for (const words of Object.values(by)) {
              expect(words).not.toMatch(NEVER);
              if (format !== 'advisor') expect(words).not.toContain('ADVICE-1');
              if (format !== 'sft' || row['act'] !== 'take_over') expect(words).not.toContain('PERSON');
            }
          }
        }
      if (format !== 'demonstrations') expect(rows).toBeGreaterThan(4);
    },
  );

  it.each(TRAINED)(
    'holds in %s nothing the agent said for a call that a person set aside, but as what to avoid',
    (format) => {
      for (const one of episodes) {
        const { turns, messages } = one.log.record(one.id);
        const bad = turns.flatMap(({ call, turn }) => {
          if (call?.decision?.type !== 'edited' && call?.decision?.type !== 'rejected') return [];
          const wrote = messages.find((message) => message.turn === turn && message.role === 'assistant');
          const nth = /AGENT-(\d+) /.exec(one.log.texts.loadText(wrote?.content ?? ''))?.[1];
          return nth === undefined ? [] : [new RegExp(`(?:AGENT|THOUGHT)-${nth} `)];
        });
        for (const { row } of rowsOf(format, one, ALL).made) {
          const made = row as Row;
          if (format === 'kto' && made['label'] === false) continue;
          const words = trained(format, { ...made, rejected: [] });
          for (const mark of bad) expect(words).not.toMatch(mark);
        }
      }
    },
  );

  it('holds in prompts without the expert no trace of them, in any format of rows', () => {
    for (const format of [...TRAINED, 'grpo'] as const)
      for (const one of episodes)
        for (const row of exported(format, one, { privilege: 'strip' }))
          expect(text(row)).not.toMatch(/ask_expert|ADVICE-1|DECLINED-2/);
  });

  it.each(TRAINED)(
    'holds in %s without the expert no word that one wrote, whatever they had seen',
    (format) => {
      let [all, stripped] = [0, 0];
      for (const one of episodes) {
        for (const row of exported(format, one)) all += EXPERT.test(trained(format, row)) ? 1 : 0;
        for (const row of exported(format, one, { privilege: 'strip' })) {
          stripped += 1;
          expect(trained(format, row)).not.toMatch(EXPERT);
        }
      }
      if (!['demonstrations', 'when_to_ask'].includes(format)) expect(all).toBeGreaterThan(0);
      if (['sft', 'kto', 'when_to_ask'].includes(format)) expect(stripped).toBeGreaterThan(0);
    },
  );

  it.each(TRAINED)('holds in %s no call that the environment refused, but where they are kept', (format) => {
    let [failed, kept] = [0, 0];
    for (const one of episodes) {
      const { rows, dropped } = rowsOf(format, one, ALL);
      failed += (dropped['failed'] ?? 0) + (dropped['untrainable_failed'] ?? 0);
      for (const row of rows)
        if (row['label'] !== false)
          expect(trained(format, { ...row, rejected: [] })).not.toContain('REFUSED');
      for (const row of exported(format, one, { failed_calls: 'keep' }))
        if (row['label'] !== false)
          kept += trained(format, { ...row, rejected: [] }).includes('REFUSED') ? 1 : 0;
    }
    if (['sft', 'kto'].includes(format)) expect(Math.min(failed, kept)).toBeGreaterThan(0);
  });
});
