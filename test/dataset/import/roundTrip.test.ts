import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeEventBundle, writeSources } from '../../../src/main/dataset/bundle.ts';
import type { Row } from '../export/episodes.ts';
import { makeRows } from '../../support/exporting.ts';
import { drafted, ended, HUMAN, openQuestion, SYSTEM } from '../../support/log.ts';
import { createBench, first, json, lines, type Bench } from './support.ts';

let bench: Bench;
let other: Bench;
beforeEach(() => {
  bench = createBench();
  other = createBench();
});
afterEach(() => {
  bench.close();
  other.close();
});

const said = (content: string) => ({ role: 'assistant', content });
const COMPLETE = {
  messages: [
    { role: 'system', content: 'Act.' },
    { role: 'user', content: 'Find x.' },
    {
      ...said('I look.'),
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: { q: 'x' } } }],
    },
    { role: 'tool', tool_call_id: 'c1', name: 'find', content: 'x!' },
    said('Here.'),
  ],
  tools: [
    { type: 'function', function: { name: 'find', description: 'Finds.', parameters: { type: 'object' } } },
  ],
  scenario: 'shop',
  task_idx: 3,
  reward: 1,
  reward_type: 'complete',
};

describe('our own bundle', () => {
  it('brings every event back as it was, long texts, people’s acts and times among them', async () => {
    openQuestion(bench.log, 'e1');
    bench.log.append('e1', SYSTEM, drafted({ text: 'long '.repeat(20_000) }));
    bench.log.append('e1', HUMAN, {
      kind: 'advice.approved',
      consultation: 'e1:c1',
      act: 'edit',
      text: 'Use the second.',
      draft: 'd1',
      privilege: [],
      seen_seq: 3,
      timing: { first_seen_at: null, active_ms: 1200 },
      human_act: null,
    });
    bench.log.append('e1', SYSTEM, ended());
    await bench.one(lines(COMPLETE));
    const out = join(bench.folder, 'bundle');
    await writeEventBundle(bench.log, { folder: out, isForced: false });

    const { report } = await other.read(join(out, 'events.jsonl'));

    expect(report).toMatchObject({ format: 'interject_events', episodes: 2, failure: null, diagnostics: [] });
    for (const id of bench.log.projections.ended()) {
      const plain = (log: Bench['log']) => log.read(id).map(({ seq: _seq, ...rest }) => rest);
      expect(plain(other.log)).toEqual(plain(bench.log));
      const { seq: _mine, ...mine } = bench.log.projections.episode(id) ?? { seq: 0 };
      const { seq: _theirs, ...theirs } = other.log.projections.episode(id) ?? { seq: 0 };
      expect(theirs).toEqual(mine);
    }
    const again = join(bench.folder, 'again');
    await writeEventBundle(other.log, { folder: again, isForced: false });
    expect(readFileSync(join(again, 'events.jsonl'), 'utf8').length).toBe(
      readFileSync(join(out, 'events.jsonl'), 'utf8').length,
    );
  });

  it('takes in no episode that is not whole, and none that is there already', async () => {
    await bench.one(lines(COMPLETE));
    const out = join(bench.folder, 'bundle');
    await writeEventBundle(bench.log, { folder: out, isForced: false });
    const text = readFileSync(join(out, 'events.jsonl'), 'utf8');

    const cut = await other.one(text.split('\n').slice(0, -2).join('\n'));
    expect(cut.report).toMatchObject({ episodes: 0 });
    expect(other.log.lastSeq()).toBe(0);

    const there = await bench.one(text);
    expect(there.report).toMatchObject({ episodes: 1, known: 1, failure: null });
    expect(there.report.diagnostics[0]?.code).toBe('already_imported');
  });
});

describe('training rows', () => {
  it('come back as conversations that make the same rows, up to where they were cut', async () => {
    await bench.one(lines(COMPLETE));
    const rows = (await makeRows(bench.log, 'sft')).rows as Row[];
    expect(rows).toHaveLength(1);

    await other.one(lines(...rows));
    const again = (await makeRows(other.log, 'sft')).rows as Row[];

    expect(again.map(({ episode: _id, ...row }) => row)).toEqual(rows.map(({ episode: _id, ...row }) => row));
    expect(again[0]?.completion).toEqual(COMPLETE.messages.slice(2));
  });

  it('keep both sides of a preference with their prompt', async () => {
    openQuestion(bench.log, 'e1');
    bench.log.append('e1', SYSTEM, drafted());
    bench.log.append('e1', HUMAN, {
      kind: 'advice.approved',
      consultation: 'e1:c1',
      act: 'edit',
      text: 'Use the second.',
      draft: 'd1',
      privilege: [],
      seen_seq: 3,
      timing: { first_seen_at: null, active_ms: 1 },
      human_act: null,
    });
    bench.log.append('e1', SYSTEM, ended());
    const [row] = (await makeRows(bench.log, 'preference')).rows as Row[];
    expect(row).toBeDefined();

    const { records } = await other.one(lines(row));
    expect(records.map(({ messages }) => messages.map(({ role, content }) => ({ role, content })))).toEqual([
      [...(row?.prompt ?? []), ...(row?.chosen ?? [])],
      [...(row?.prompt ?? []), ...(row?.rejected ?? [])],
    ]);
    expect(new Set(records.map(({ started }) => started?.group)).size).toBe(1);
  });
});

describe('the files episodes came from', () => {
  it('are written back byte for byte, with what lay beside them', async () => {
    const trajectory = Buffer.from(
      `\ufeff${json({ scenario: 'shop', task: 't', task_idx: 0, steps: 1, trajectory: [{ action: 'list_tools', tool_names: [] }] })}\r\n`,
    );
    const database = Buffer.from([1, 2, 3, 0, 255]);
    await bench.many({ 'trajectory.json': trajectory, 'shop_initial.db': database });
    await bench.one(Buffer.from(`${lines(COMPLETE)}broken\n`), 'rows.jsonl');
    const out = join(bench.folder, 'out');

    const { files } = await writeSources(bench.log, bench.sources, { folder: out, isForced: false });

    expect(files.toSorted()).toEqual(['rows.jsonl', 'shop_initial.db', 'trajectory.json']);
    expect(readFileSync(join(out, 'trajectory.json')).equals(trajectory)).toBe(true);
    expect(readFileSync(join(out, 'shop_initial.db')).equals(database)).toBe(true);
    expect(first(files)).toBeTruthy();
  });
});
