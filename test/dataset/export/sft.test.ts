import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toChat } from '../../../src/main/agent/toChat.ts';
import type { ExportRules } from '../../../src/shared/contract/export.ts';
import { parseJson } from '../../../src/shared/json.ts';
import { checkExport } from '../../../src/main/dataset/export/runExport.ts';
import { HOOKS } from '../../support/exported.ts';
import { asked, makeRows } from '../../support/exporting.ts';
import { serveEnvironment } from '../../support/flow.ts';
import { openLog } from '../../support/log.ts';
import { asking, ME, native, replies, reply, startStepIn } from '../../support/stepIn.ts';
import {
  advised,
  answered,
  callsOf,
  edited,
  expired,
  GOOD,
  labelled,
  type Made,
  type Row,
  rowsOf,
  solo,
  takenOver,
} from './episodes.ts';

let environment: Awaited<ReturnType<typeof serveEnvironment>>;
beforeEach(async () => {
  environment = await serveEnvironment();
});
afterEach(() => environment.close());

describe('supervised rows', () => {
  it.each(['native', 'xml'] as const)(
    'hold a call a person changed as it took effect, with its own result and without word of the change (%s)',
    async (protocol) => {
      const { rows } = rowsOf('sft', await edited(environment, protocol));
      const [row] = rows;

      expect(rows).toHaveLength(1);
      expect(row).toMatchObject({ act: 'edited_call', actor: 'human' });
      const [call, result] = row?.completion ?? [];
      const text = protocol === 'native' ? JSON.stringify(call?.tool_calls) : (call?.content ?? '');
      expect(JSON.stringify(row)).not.toContain('the second is meant');
      expect(JSON.stringify(row)).not.toContain('I rename it.');
      expect(text).toMatch(/"id":\s*2/);
      expect(JSON.stringify(row)).not.toMatch(/\{\\?"id\\?":\s*1\}/);
      expect(result?.content).toContain('"tool": "rename_workflow"');
      expect(JSON.stringify(row)).not.toContain('A person changed your call');
    },
  );

  it('teach the moves of a person who took over, and the agent’s after the hand-back, in rows of their own', async () => {
    const { rows } = rowsOf('sft', await takenOver(environment));

    expect(rows.map(({ act, actor }) => [act, actor])).toEqual([
      ['take_over', 'human'],
      ['hand_back', 'human'],
    ]);
    expect(callsOf(rows[0]?.completion ?? [])).toEqual(['rename_workflow {"id":2}']);
    expect(callsOf(rows[1]?.completion ?? [])).toEqual(['I am done.']);
    expect(rows[1]?.prompt.at(-1)?.content).toContain('It is renamed now.');
  });

  it.each([
    [[], 'none', true],
    [['criteria', 'reference'], 'criteria+reference', false],
  ] as const)(
    'of a take-over, and of what follows it, say what the person had seen: %j',
    async (saw, privilege, leak_free) => {
      const made = await takenOver(environment, false, saw);

      expect(rowsOf('sft', made).rows).toMatchObject([
        { act: 'take_over', privilege, leak_free },
        { act: 'hand_back', privilege, leak_free },
      ]);
      expect(rowsOf('atif', made).facts[0]?.privilege).toEqual(saw);
    },
  );

  it('of a take-over of which that was not recorded say that nobody knows', async () => {
    const { log, id } = await takenOver(environment);
    const other = openLog();
    const old = log.read(id).map(({ actor, event }) => {
      if (event.kind !== 'turn.generated') return { actor, event };
      const { privilege: _unknown, ...before } = event;
      return { actor, event: before };
    });
    other.appendAll(id, old);

    expect(rowsOf('sft', { log: other, id }).rows).toMatchObject([
      { act: 'take_over', privilege: 'unknown', leak_free: false },
      { act: 'hand_back', privilege: 'unknown', leak_free: false },
    ]);
  });

  it('are marked as fabricated where a person gave a tool’s result', async () => {
    const { rows, facts } = rowsOf('sft', await answered(environment));

    expect(rows.map(({ act }) => act)).toEqual(['answered']);
    expect(facts[0]?.hasFabricated).toBe(true);
  });

  it('are marked where nobody decided in time', async () => {
    expect(rowsOf('sft', await expired(environment)).facts.map(({ hasTimeout }) => hasTimeout)).toEqual([
      true,
    ]);
    const unanswered = await advised(environment, null, { deadline_ms: 5 });
    expect(rowsOf('sft', unanswered).facts.map(({ hasTimeout }) => hasTimeout)).toEqual([false, true]);
  });

  it('teach nothing in place of the call that completed the task, unless the rules take it', async () => {
    const { log } = await labelled(environment);
    const labels = async (over: Partial<ExportRules>) => {
      const { rows, dropped } = await makeRows(log, 'sft', over);
      return [rows.filter(({ act }) => act === 'label').length, dropped['rejected_completed'] ?? 0];
    };

    expect(await labels({})).toEqual([0, 1]);
    expect(await labels({ include: ['contrary'] })).toEqual([1, 0]);
  });

  it('teach what a person would have done in place of what the agent did', async () => {
    const { rows } = rowsOf('sft', await labelled(environment));
    const label = rows.find(({ act }) => act === 'label');

    expect(callsOf(label?.completion ?? [])).toEqual(['find_workflow {"id":2}']);
    expect(label?.prompt.at(-1)?.role).toBe('user');
    expect(rows.flatMap(({ completion }) => callsOf(completion))).not.toContain('find_workflow {"id":1}');
  });
});

describe('rows that hold the reason of a decline', () => {
  it.each(['sft', 'kto', 'sft_messages'] as const)(
    'are no leak-free %s: who declined had a draft from the reference on screen',
    async (format) => {
      const reason = 'Not as drafted: the workflow is 2.';
      const made = await advised(environment, { ask: 1, do: 'decline', reason });
      const { rows, facts } = rowsOf(format, made, { verdict: 'any', failed_calls: 'keep' });
      const holding = rows.flatMap((row, i) => (JSON.stringify(row).includes(reason) ? [i] : []));

      expect(holding.length).toBeGreaterThan(0);
      expect(holding.map((i) => facts[i]?.privilege)).toEqual(holding.map(() => ['reference']));
      expect(holding.map((i) => rows[i]?.['leak_free'])).toEqual(holding.map(() => false));
    },
  );
});

describe('rows without the expert', () => {
  it('have neither the question nor the advice, nor the tool to ask with, nor a word that one may ask', async () => {
    const made = await advised(environment, { ask: 1, do: 'send', text: GOOD });
    const { rows, facts } = rowsOf('sft', made, { privilege: 'strip' });
    const text = JSON.stringify([rows[0]?.prompt, rows[0]?.completion, rows[0]?.tools]);

    expect(rows).toHaveLength(1);
    expect(text).not.toContain('ask_expert');
    expect(text).not.toContain('expert');
    expect(text).not.toContain('rename_workflow({');
    expect(rows[0]?.prompt.at(-1)?.role).toBe('tool');
    expect(callsOf(rows[0]?.completion ?? [])[0]).toBe('rename_workflow {"id":2}');
    expect(facts[0]?.privilege).toEqual([]);
    expect(rows[0]).toMatchObject({ privilege: 'reference', leak_free: false });
  });

  it('are not made where a person acted on the environment, under a rule that says so', async () => {
    for (const make of [edited, takenOver, answered]) {
      const { rows, dropped } = rowsOf('sft', await make(environment), { privilege: 'strip' });
      expect(rows.filter(({ act }) => act !== 'label')).toEqual([]);
      expect(dropped['person_acted']).toBeGreaterThan(0);
    }
  });
});

describe('a call that the environment refused as malformed', () => {
  const REFUSED = 'rename_workflow {}';
  /** Two good calls around one without its argument, which a person lets through where calls are held. */
  async function refused(isHeld: boolean): Promise<Made> {
    const policy = replies(
      native('find_workflow', { id: 2 }),
      native('rename_workflow', {}),
      native('rename_workflow', { id: 2 }),
    );
    const rules = [{ glob: 'rename_*', argument: null, does: 'ask' as const, count: null }];
    const flow = startStepIn(environment.url, policy, isHeld ? asking(rules) : {});
    for (const call of isHeld ? ['t2', 't3'] : []) {
      await flow.until(({ turns }) => turns.at(-1)?.callId === call && turns.at(-1)?.call?.held);
      await flow.commands['call.decide']({ act: 'approve', ...flow.about(call), similar: false }, ME);
    }
    await flow.ended;
    return { log: flow.log, id: flow.id };
  }

  it('stands in the prompt, does not train, and is counted, unless the rules keep it', async () => {
    const made = await refused(false);
    const { rows, dropped } = rowsOf('sft', made);

    expect(rows.map(({ completion }) => callsOf(completion))).toEqual([
      ['find_workflow {"id":2}'],
      ['rename_workflow {"id":2}', 'I am done.'],
    ]);
    expect(callsOf(rows[1]?.prompt ?? [])).toContain(REFUSED);
    expect(dropped).toEqual({ failed: 1 });
    expect(rowsOf('sft_messages', made)).toMatchObject({ rows: [], dropped: { untrainable_failed: 1 } });

    for (const format of ['sft', 'sft_messages'] as const) {
      const kept = rowsOf(format, made, { failed_calls: 'keep' });
      expect(callsOf(kept.rows[0]?.completion ?? kept.rows[0]?.messages ?? [])).toContain(REFUSED);
      expect(kept.dropped).toEqual({});
    }
  });

  it('names what would keep it, where no row is left because of it', async () => {
    const { log } = await refused(false);
    const { findings } = await checkExport(log, asked('sft_messages', { verdict: 'any' }), HOOKS);

    expect(findings.find(({ check }) => check === 'no_rows')?.message).toContain('--failed-calls keep');
  });

  it.each([false, true])(
    'is never true in KTO, though the task was completed (let through: %s)',
    async (isHeld) => {
      const made = await refused(isHeld);
      const { rows, dropped } = rowsOf('kto', made);

      const said = rows.map(({ completion, label }) => `${callsOf(completion).join()} ${String(label)}`);
      expect(new Set(said)).toEqual(
        new Set(['I am done. true', 'find_workflow {"id":2} true', 'rename_workflow {"id":2} true']),
      );
      expect(dropped).toEqual({ failed: 1 });
      expect(rowsOf('kto', made, { failed_calls: 'keep' }).rows).toHaveLength(4);
    },
  );
});

describe('tool arguments', () => {
  it.each(['{"id": 1.10', '', ' null', '[]', '[1.10]', '"later"', '{"id": 1.10}'])(
    'stand in a row as the model read them again, and train only where they are its own: %s',
    async (raw) => {
      const called = reply({ toolCalls: [{ id: 'one', name: 'find_workflow', arguments: raw }] });
      const { log, id, ended } = startStepIn(environment.url, replies(called));
      await ended;
      const read = toChat(log.record(id), 'native', (text) => log.texts.loadText(text));
      const [sent] = read.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []));
      for (const style of ['object', 'string'] as const) {
        const { rows } = rowsOf('sft', { log, id }, { arguments: style, failed_calls: 'keep' });
        const said = (row: Row) => JSON.stringify([...row.prompt, ...row.completion]);
        const written = style === 'string' ? sent?.arguments : parseJson(sent?.arguments ?? '');

        expect(rows.map(said).join()).toContain(`"arguments":${JSON.stringify(written)}`);
        const trains = rows.flatMap((row) => row.completion).some((one) => one.tool_calls !== undefined);
        expect(trains).toBe(!(sent?.arguments ?? '').includes('unreadable'));
      }
    },
  );

  it('are an object, or text as DeepSeek V3 wants it', async () => {
    const made = await solo(environment);
    const argumentsOf = (style: 'object' | 'string') =>
      rowsOf('sft', made, { arguments: style }).rows[0]?.completion[0]?.tool_calls?.[0]?.function.arguments;

    expect(argumentsOf('object')).toEqual({ id: 2 });
    expect(argumentsOf('string')).toBe('{"id":2}');
  });
});
