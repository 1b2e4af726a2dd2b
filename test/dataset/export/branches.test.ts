// Episodes that begin with the turns of another: branches someone chose, and interrupted ones that went on.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Policy } from '../../../src/main/agent/policy.ts';
import { interrupt } from '../../../src/main/episode/restart.ts';
import type { LlmReply } from '../../../src/main/llm/port.ts';
import { SYSTEM } from '../../../src/shared/events/actor.ts';
import type { ExportRules } from '../../../src/shared/contract/export.ts';
import { makeRows, type RowKind } from '../../support/exporting.ts';
import { createFlow, serveEnvironment, spec } from '../../support/flow.ts';
import { asking, ME, native, replies, reply, startStepIn } from '../../support/stepIn.ts';
import { callsOf, rowsOf, type Made, type Row } from './episodes.ts';

/** What a killed process left behind. */
const BEFORE = 'interrupted';
const TIMING = { first_seen_at: null, active_ms: null };
let environment: Awaited<ReturnType<typeof serveEnvironment>>;
beforeAll(async () => {
  environment = await serveEnvironment();
});
afterAll(() => environment.close());

const find = (id: number): LlmReply => native('find_workflow', { id });
const rename = (id: number): LlmReply => native('rename_workflow', { id });
const done = (content: string): LlmReply => reply({ content });

/** A solo episode of three turns, and a branch after its first that does the rest its own way; both complete. */
async function branched() {
  const policy = replies(find(1), rename(2), done('First.'), find(2), rename(2), done('Second.'));
  const { log, supervisor } = createFlow({ policy });
  const first = supervisor.start(spec(environment.url, { condition: 'none' }));
  await first.ended;
  const from = { episode: first.id, turn: 1, why: 'fork' as const };
  const fork = supervisor.start(spec(environment.url, { condition: 'none', from }));
  await fork.ended;
  return { log, first: first.id, fork: fork.id };
}

/** One call made, and labelled; the next reply is being written when the process is killed. Then it goes on, and completes. */
async function resumed({ isLabelled = false } = {}) {
  const first = [find(1)];
  const policy: Policy = {
    next: (_asked, signal) => {
      const said = first.shift();
      return said === undefined
        ? new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('gone'))))
        : Promise.resolve(said);
    },
  };
  const flow = startStepIn(environment.url, policy);
  await flow.until(({ messages }) => messages.some(({ role }) => role === 'tool'));
  const move = { type: 'call_tool' as const, tool_name: 'find_workflow', arguments: { id: 2 } };
  if (isLabelled) await flow.commands['label.give']({ episode: flow.id, turn: 1, move, timing: TIMING }, ME);
  const next = createFlow({ policy: replies(rename(2), done('I am done.')) });
  const events = flow.log.read(flow.id).map(({ actor, event }) => ({ actor, event }));
  next.log.appendAll(BEFORE, events);
  interrupt(next.log, BEFORE);
  flow.supervisor.stop(flow.id, SYSTEM, null);
  await flow.ended;
  const how = { episode: BEFORE, turn: 1, why: 'resume' as const };
  const again = next.supervisor.start(spec(environment.url, { condition: 'none', from: how }));
  await again.ended;
  return { log: next.log, id: again.id };
}

const rowsIn = async (log: Made['log'], format: RowKind, rules: Partial<ExportRules> = {}) =>
  (await makeRows(log, format, rules)) as { rows: Row[]; dropped: Record<string, number> };

describe('a branch', () => {
  it('teaches what came after it alone: its shared past trains once, in the episode it came from', async () => {
    const { log, first, fork } = await branched();
    const { rows } = await rowsIn(log, 'sft');

    const taught = (id: string) =>
      rows.filter(({ episode }) => episode === id).flatMap(({ completion }) => callsOf(completion));
    expect(taught(first)).toEqual(['find_workflow {"id":1}', 'rename_workflow {"id":2}', 'First.']);
    expect(taught(fork)).toEqual(['find_workflow {"id":2}', 'rename_workflow {"id":2}', 'Second.']);
    expect(callsOf(rows.find(({ episode }) => episode === fork)?.prompt ?? [])).toEqual([
      'find_workflow {"id":1}',
    ]);
  });

  it('is no whole conversation to train on', async () => {
    const { log, fork } = await branched();
    expect(rowsOf('sft_messages', { log, id: fork })).toMatchObject({ rows: [], dropped: { copied: 1 } });
    expect(rowsOf('demonstrations', { log, id: fork })).toMatchObject({ rows: [], dropped: { copied: 1 } });
  });

  it('gives the moments of its own at which the agent could have asked', async () => {
    const policy = replies(find(1), rename(2), done('First.'), rename(2), done('Second.'));
    const { log, supervisor } = createFlow({ policy });
    const first = supervisor.start(spec(environment.url));
    await first.ended;
    const from = { episode: first.id, turn: 1, why: 'fork' as const };
    const fork = supervisor.start(spec(environment.url, { from }));
    await fork.ended;

    const { rows, dropped } = rowsOf('when_to_ask', { log, id: fork.id });

    expect(rows.map(({ turn }) => turn)).toEqual([2, 3]);
    expect(dropped).toEqual({ copied: 1 });
  });

  it('says in records which steps and acts are another’s', async () => {
    const policy = replies(find(1), rename(2), done('First.'), rename(2), done('Second.'));
    const flow = startStepIn(environment.url, policy, asking());
    await flow.held();
    await flow.commands['call.decide'](
      {
        act: 'edit',
        ...flow.about('t1'),
        tool_name: 'find_workflow',
        arguments: { id: 2 },
        reason: null,
        is_unchecked: false,
      },
      ME,
    );
    await flow.commands['note.send']({ episode: flow.id, text: 'Look twice.', timing: TIMING }, ME);
    await flow.until(({ turns }) => turns.length > 1 && turns.at(-1)?.call?.held);
    await flow.commands['call.decide']({ act: 'approve', ...flow.about('t2'), similar: false }, ME);
    await flow.ended;
    const from = { episode: flow.id, turn: 1, why: 'fork' as const };
    const fork = flow.supervisor.start(spec(environment.url, { condition: 'none', from }));
    await fork.ended;

    const [row] = rowsOf('atif', { log: flow.log, id: fork.id }).rows;
    const { steps, extra } = row as unknown as {
      steps: { source: string; is_copied_context?: boolean }[];
      extra: { interventions: { type: string; is_copied?: boolean }[] };
    };

    const own = steps.filter(({ source }) => source === 'agent');
    expect(own.map((step) => step.is_copied_context ?? false)).toEqual([true, false, false]);
    expect(extra.interventions.map(({ type, is_copied }) => [type, is_copied ?? false])).toEqual([
      ['call_edited', true],
      ['note', true],
    ]);
    expect(rowsOf('preference', { log: flow.log, id: fork.id }).rows).toEqual([]);
    expect(rowsOf('preference', { log: flow.log, id: flow.id }).rows).toHaveLength(1);
  });
});

describe('an episode that goes on with an interrupted one', () => {
  it('is one episode with it: all of it trains, and the interrupted one is left out', async () => {
    const { log, id } = await resumed();
    const { rows, dropped } = await rowsIn(log, 'sft');

    expect(dropped).toEqual({ interrupted: 1 });
    expect(rows).toMatchObject([{ episode: id, act: 'solo' }]);
    expect(callsOf(rows[0]?.completion ?? [])).toEqual([
      'find_workflow {"id":1}',
      'rename_workflow {"id":2}',
      'I am done.',
    ]);
    expect((await rowsIn(log, 'demonstrations')).rows).toHaveLength(1);
  });

  it('keeps what a label there said: a reply that was labelled as wrong does not train', async () => {
    const { log } = await resumed({ isLabelled: true });
    const solo = ['solo', ['rename_workflow {"id":2}', 'I am done.']];
    const taught = async (over: Parameters<typeof rowsIn>[2]) =>
      (await rowsIn(log, 'sft', over)).rows.map(({ act, completion }) => [act, callsOf(completion)]);

    expect(await taught({})).toEqual([solo]);
    expect(await taught({ include: ['contrary'] })).toEqual([solo, ['label', ['find_workflow {"id":2}']]]);
  });

  it('has its past from the interrupted one where that gives rows itself', async () => {
    const { log, id } = await resumed();
    const { rows } = await rowsIn(log, 'sft', { verdict: 'any' });

    expect(rows.map(({ episode, completion }) => [episode, callsOf(completion)])).toEqual([
      [BEFORE, ['find_workflow {"id":1}']],
      [id, ['rename_workflow {"id":2}', 'I am done.']],
    ]);
  });
});
