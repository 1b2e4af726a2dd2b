import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileReport } from '../../../src/shared/contract/import.ts';
import { createBench, json, lines, type Bench } from './support.ts';

let bench: Bench;
beforeEach(() => (bench = createBench()));
afterEach(() => bench.close());

const noted = ({ diagnostics }: FileReport): [string, string | null][] =>
  diagnostics.map(({ code, pointer }) => [code, pointer]);
const atif = (steps: unknown) => json({ schema_version: 'ATIF-v1.4', agent: { name: 'a' }, steps });
const said = (id: number, more: object = {}) => ({ step_id: id, source: 'user', message: 'm', ...more });

describe('what is odd in an ATIF trajectory', () => {
  it('refuses one whose steps are no list, and names the place', async () => {
    const { report, ids } = await bench.one(atif('nope'));

    expect(ids).toEqual([]);
    expect(report.failure?.code).toBe('import_failed');
    expect(noted(report)).toContainEqual(['no_steps', '/steps']);
  });

  it('passes over one among others and names it', async () => {
    const { report, ids } = await bench.one(
      lines(JSON.parse(atif([said(1)])), { ...(JSON.parse(atif(7)) as object) }),
    );

    expect(ids).toHaveLength(1);
    expect(noted(report)).toContainEqual(['no_steps', 'line 2 /steps']);
  });

  it('names repeated numbers, times that cannot be read and times that run backwards', async () => {
    const steps = [
      said(1, { timestamp: '2026-01-01T00:00:05Z' }),
      said(1, { timestamp: 'garbage' }),
      said(2, { timestamp: '2026-01-01T00:00:01Z' }),
    ];
    const { report, ids } = await bench.one(atif(steps));

    expect(ids).toHaveLength(1);
    expect(noted(report)).toEqual([
      ['repeated_step', '/steps/1'],
      ['bad_time', '/steps/1/timestamp'],
      ['time_backwards', '/steps/2/timestamp'],
    ]);
    expect(report.conservation?.not_read.map(({ path }) => path)).toContain('steps.*.timestamp');
  });

  it('names arguments that are no JSON, and calls and results that are no list', async () => {
    const call = { tool_call_id: 'c', function_name: 'f', arguments: '{"a": ' };
    const results = { results: [{ source_call_id: 'c', content: 'x' }] };
    const { report } = await bench.one(
      atif([
        said(1),
        { source: 'agent', message: '', tool_calls: [call], observation: results },
        { source: 'agent', message: 'a', tool_calls: 'x', observation: { results: 'y' } },
      ]),
    );

    expect(noted(report)).toEqual([
      ['bad_arguments', '/steps/1'],
      ['no_list', '/steps/2/tool_calls'],
      ['no_list', '/steps/2/observation/results'],
      ['not_all_read', null],
    ]);
  });
});

describe('what is odd in other logs', () => {
  const step = { action: 'ls', observation: 'o', response: 'r', thought: 't', state: {} };

  it('names steps of SWE-agent that are no step, and a history that is no list', async () => {
    const { report, ids } = await bench.one(json({ trajectory: [step, null, 1], history: 'x', info: {} }));

    expect(ids).toHaveLength(1);
    expect(noted(report)).toEqual([
      ['no_list', '/history'],
      ['no_step', '/trajectory/1'],
      ['no_step', '/trajectory/2'],
      ['not_all_read', null],
    ]);
  });

  it('refuses a SWE-agent file with neither steps nor messages', async () => {
    const { report, ids } = await bench.one(json({ trajectory: 'x', history: 'x', info: {} }));

    expect(ids).toEqual([]);
    expect(report.failure).not.toBeNull();
  });

  it('makes no episode of a conversation without messages', async () => {
    const good = { messages: [{ role: 'user', content: 'hi' }] };
    const { report, ids } = await bench.one(lines(good, { messages: [] }));

    expect(ids).toHaveLength(1);
    expect(noted(report)).toEqual([['no_messages', 'line 2']]);
  });

  it('names times of messages that run backwards', async () => {
    const message = (timestamp: unknown) => ({ role: 'user', content: 'hi', timestamp });
    const { report } = await bench.one(
      lines({ messages: [message('2026-01-02'), message('2026-01-01'), message('soon')] }),
    );

    expect(noted(report)).toEqual([
      ['time_backwards', 'line 1 /messages/1'],
      ['bad_time', 'line 1 /messages/2'],
    ]);
  });

  it('names an AWM step that is no object', async () => {
    const awm = { action: 'call_tool', tool_name: 'a', arguments: {}, success: true, result: 'x' };
    const { report } = await bench.one(
      json({ scenario: 's', task: 't', task_idx: 0, steps: 2, trajectory: [awm, null] }),
    );

    expect(noted(report)).toContainEqual(['no_step', '/trajectory/1']);
  });

  it('lists an empty file of a folder', async () => {
    const { reports } = await bench.many({
      'good.jsonl': lines({ messages: [{ role: 'user', content: 'hi' }] }),
      'nothing.jsonl': '',
    });

    expect(reports.map(({ failure }) => failure?.message ?? null)).toEqual([null, 'the file is empty']);
  });
});
