import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { jsonLine, makeRows, writeExport } from '../../src/main/dataset/exportData.ts';
import type { PreferenceRow } from '../../src/main/dataset/preference.ts';
import type { SftRow } from '../../src/main/dataset/sft.ts';
import { attachAnswers } from '../../src/main/desk/scriptedAnswers.ts';
import type { LlmReply } from '../../src/main/llm/port.ts';
import { createFlow, serveEnvironment, spec } from '../support/flow.ts';

let environment: Awaited<ReturnType<typeof serveEnvironment>>;
let folder = '';
beforeEach(async () => {
  environment = await serveEnvironment();
  folder = mkdtempSync(join(tmpdir(), 'interject-export-'));
});
afterEach(() => {
  environment.close();
  rmSync(folder, { recursive: true, force: true });
});

const GOOD = 'rename_workflow({"id": 2})';

/** A log with one edited answer that completed, one accepted wrong draft, one decline, one timeout. */
async function exampleLog(protocol: 'native' | 'xml' = 'native') {
  const { log, desk, supervisor } = createFlow({ places: 1 });
  const agent = { policy: 'rehearsal' as const, protocol, model: null };
  const run = async (line: Parameters<typeof attachAnswers>[1][number] | null): Promise<string> => {
    const undo = attachAnswers({ log, desk }, line === null ? [] : [line]);
    const { id, ended } = supervisor.start(spec(environment.url, { agent, fallback: 'proceed' }));
    await ended;
    undo();
    return id;
  };
  const edited = await run({ ask: 1, do: 'send', text: GOOD });
  environment.calls.length = 0;
  await run({ ask: 1, do: 'accept' });
  await run({ ask: 1, do: 'decline', reason: 'no' });
  await run(null);
  return { log, edited };
}

describe('supervised rows', () => {
  it('take only what completed, cut at the intervention, and say who gave the advice and what they had seen', async () => {
    const { log, edited } = await exampleLog();

    const { rows, dropped } = makeRows(log, 'sft');
    const row = rows[0] as SftRow;

    expect(rows).toHaveLength(1);
    expect(dropped).toEqual({ not_completed: 3 });
    expect(row).toMatchObject({
      episode: edited,
      actor: 'scripted',
      act: 'edit',
      privilege: 'reference',
      leak_free: false,
    });
    expect(row.prompt.at(-1)?.content).toContain(GOOD);
    expect(row.completion[0]?.tool_calls?.[0]?.function).toEqual({
      name: 'rename_workflow',
      arguments: { id: 2 },
    });
    expect(row.completion.at(-1)).toMatchObject({ role: 'assistant' });
  });

  it('pair every tool result with the call it answers, and offer the tools the agent had', async () => {
    const { log } = await exampleLog();
    const { prompt, completion, tools } = makeRows(log, 'sft').rows[0] as SftRow;
    const messages = [...prompt, ...completion];
    const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? []).map(({ id }) => id);

    expect(messages.filter(({ role }) => role === 'tool').map(({ tool_call_id }) => tool_call_id)).toEqual(
      calls,
    );
    expect(tools.map(({ function: { name } }) => name)).toEqual([
      'find_workflow',
      'rename_workflow',
      'list_tools',
      'ask_expert',
    ]);
    expect(messages.every(({ content }) => typeof content === 'string')).toBe(true);
  });

  it('keep XML conversations as the plain text they were', async () => {
    const { log } = await exampleLog('xml');
    const { completion, tools } = makeRows(log, 'sft').rows[0] as SftRow;

    expect(completion[0]?.content).toContain('<tool_call>');
    expect(completion[0]).not.toHaveProperty('tool_calls');
    expect(tools).toEqual([]);
  });
});

describe('preference rows', () => {
  it('pair the advice with the draft it was edited from, and nothing else', async () => {
    const { log, edited } = await exampleLog();

    const { rows, dropped } = makeRows(log, 'preference');
    const row = rows[0] as PreferenceRow;

    expect(rows).toHaveLength(1);
    expect(dropped).toEqual({ draft_unchanged: 1, declined: 1, expired: 1 });
    expect(row).toMatchObject({ pair: 'advice', episode: edited });
    expect(row.chosen[0]?.content).toBe(GOOD);
    expect(row.rejected[0]?.content).toContain('"id": 1');
    expect(row.prompt.at(-1)?.role).toBe('user');
  });

  it('never show the answer key in the prompt', async () => {
    const { log } = await exampleLog();

    expect(JSON.stringify((makeRows(log, 'preference').rows[0] as PreferenceRow).prompt)).not.toContain(
      'Workflow 2 is renamed',
    );
  });

  it('pair a refused call with the one that went through at the same state', async () => {
    const call = (name: string, id: string): LlmReply => ({
      content: '',
      reasoning: null,
      toolCalls: [{ id, name, arguments: '{}' }],
      model: null,
      stopReason: null,
      usage: null,
    });
    const list = [call('verify', 'a'), call('find_workflow', 'b')];
    const policy = {
      next: () => Promise.resolve(list.shift() ?? { ...call('x', 'c'), content: 'done', toolCalls: [] }),
    };
    const { log, supervisor } = createFlow({ policy });
    await supervisor.start(spec(environment.url, { condition: 'none' })).ended;

    const [row] = makeRows(log, 'preference').rows as PreferenceRow[];

    expect(row).toMatchObject({ pair: 'call', actor: 'agent' });
    expect(row?.rejected[0]?.tool_calls?.[0]?.function.name).toBe('verify');
    expect(row?.chosen[0]?.tool_calls?.[0]?.function.name).toBe('find_workflow');
    expect(row?.prompt.at(-1)?.role).toBe('user');
  });
});

describe('the folder', () => {
  it('holds the rows and a card with the rules and the counts, the same bytes each time', async () => {
    const { log } = await exampleLog();

    const first = writeExport(log, { format: 'sft', folder: join(folder, 'a'), isForced: false });
    writeExport(log, { format: 'sft', folder: join(folder, 'b'), isForced: false });

    expect(first.files).toEqual(['data/sft-train.jsonl', 'README.md']);
    for (const file of first.files) {
      expect(readFileSync(join(folder, 'a', file), 'utf8')).toBe(
        readFileSync(join(folder, 'b', file), 'utf8'),
      );
    }
    expect(readFileSync(join(folder, 'a', 'README.md'), 'utf8')).toContain('- not_completed: 3');
  });

  it('is never written over what is there, unless that is asked for', async () => {
    const { log } = await exampleLog();
    writeExport(log, { format: 'sft', folder, isForced: false });

    expect(() => writeExport(log, { format: 'sft', folder, isForced: false })).toThrow(/is not empty/);
    expect(writeExport(log, { format: 'sft', folder, isForced: true }).rows).toBe(1);
  });

  it('has the same columns on every line, none of them null, and no line break that a reader could trip over', async () => {
    const { log } = await exampleLog();
    const rows = [...makeRows(log, 'sft').rows, ...makeRows(log, 'sft').rows] as Record<string, unknown>[];

    expect(new Set(rows.map((row) => Object.keys(row).join())).size).toBe(1);
    expect(rows.every((row) => Object.values(row).every((value) => value !== null))).toBe(true);
    expect(jsonLine({ text: 'a\u2028b\u2029c' })).toBe('{"text":"a\\u2028b\\u2029c"}');
  });
});
