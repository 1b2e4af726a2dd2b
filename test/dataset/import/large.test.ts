import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codes, createBench, json, lines, type Bench } from './support.ts';

let bench: Bench;
beforeEach(() => (bench = createBench()));
afterEach(() => bench.close());

const MIB = 1024 * 1024;
const chat = (bytes: number) => ({
  messages: [
    { role: 'user', content: 'x'.repeat(bytes) },
    { role: 'assistant', content: 'yes' },
  ],
});

describe('a record or a message beyond a MiB', () => {
  it.each([
    ['the first line', lines(chat(2 * MIB), chat(3)), 2],
    ['the second line, after one that says nothing', lines({ made_by: 'us' }, chat(2 * MIB)), 1],
    ['the first of a list', json([chat(2 * MIB), chat(3)]), 2],
    ['one document', json(chat(2 * MIB)), 1],
    ['one document, long before its messages', json({ about: 'y'.repeat(2 * MIB), ...chat(3 * MIB) }), 1],
  ])('is read as any other: %s', async (_what, content, episodes) => {
    const { report, ids } = await bench.one(content, 'a.jsonl');

    expect(report.failure).toBeNull();
    expect(report.format).toBe('chat');
    expect(ids).toHaveLength(episodes);
  });

  it('is read up to the limit of a line', async () => {
    const { report, ids } = await bench.one(lines(chat(50 * MIB)), 'a.jsonl');

    expect(report.failure).toBeNull();
    expect(ids).toHaveLength(1);
  });

  it('is told apart and named where a line is beyond the limit', async () => {
    const { report, ids } = await bench.one(lines(chat(65 * MIB), chat(3)), 'a.jsonl');

    expect(report.format).toBe('chat');
    expect(codes(report)).toContain('too_long');
    expect(ids).toHaveLength(1);
  });

  it('hides no other format', async () => {
    const long = 'x'.repeat(2 * MIB);
    const step = { action: long, observation: 'o', response: 'r', state: {} };
    const swe = await bench.one(json({ history: [], trajectory: [step], info: {} }));
    const session = { agent: { name: 'a' }, steps: [{ source: 'user', message: long }] };
    const atif = await bench.one(json({ ...session, schema_version: 'ATIF-v1.4' }));

    expect([swe.report.format, atif.report.format]).toEqual(['swe_agent', 'atif']);
    expect([swe.ids, atif.ids].map((ids) => ids.length)).toEqual([1, 1]);
  });
});
