import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeAside, writeEventBundle, writeSources } from '../../src/main/dataset/bundle.ts';
import { write } from '../support/exported.ts';
import { rulesOf } from '../support/exporting.ts';
import { filesOf } from '../support/filesOf.ts';
import { createBench, lines, type Bench } from './import/support.ts';

const chat = (content: string) => ({
  messages: [
    { role: 'user', content },
    { role: 'assistant', content: 'b' },
  ],
  reward: 1,
  reward_type: 'complete',
});

let bench: Bench;
let out = '';
beforeEach(async () => {
  bench = createBench();
  out = join(bench.folder, 'out');
  await bench.one(lines(chat('one'), chat('two')), 'rows.jsonl');
});
afterEach(() => bench.close());

const bundle = (over: { isForced?: boolean; signal?: AbortSignal } = {}) =>
  writeEventBundle(bench.log, { folder: out, isForced: false, ...over });
const sources = (over: { isForced?: boolean; signal?: AbortSignal } = {}) =>
  writeSources(bench.log, bench.sources, { folder: out, isForced: false, ...over });
const verified = (): string => execFileSync('sha256sum', ['-c', 'CHECKSUMS'], { cwd: out, encoding: 'utf8' });
const put = (name: string, text: string): void => {
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, name), text);
};

describe('the events of the log, written out', () => {
  it('leave nothing when they are broken off, and what was there as it was', async () => {
    const stopping = new AbortController();
    const stopped = bundle({ signal: stopping.signal });
    stopping.abort();
    await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
    expect(readdirSync(bench.folder)).not.toContain('out');
    expect(readdirSync(bench.folder).filter((name) => name.includes('partial'))).toEqual([]);

    await bundle();
    const before = filesOf(out);
    await bench.one(lines(chat('three')), 'more.jsonl');
    const again = bundle({ isForced: true, signal: AbortSignal.abort() });
    await expect(again).rejects.toMatchObject({ code: 'cancelled' });
    expect(filesOf(out)).toEqual(before);
  });

  it('never replace an events.jsonl of somebody else', async () => {
    put('events.jsonl', '{"type":"theirs"}\n');

    await expect(bundle({ isForced: true })).rejects.toThrow(/put there by no export/);
    expect(filesOf(out)).toEqual({ 'events.jsonl': '{"type":"theirs"}\n' });
  });

  it('replace a data set whole, and leave what lies beside it', async () => {
    await write(bench.log, out);
    put('mine.txt', 'mine');

    await bundle({ isForced: true });

    expect(Object.keys(filesOf(out))).toEqual(['CHECKSUMS', 'events.jsonl', 'mine.txt']);
    expect(existsSync(join(out, 'data'))).toBe(false);
    expect(verified()).toBe('events.jsonl: OK\n');
  });

  it('replace those of an older version, which had no sums', async () => {
    await bundle();
    const { 'events.jsonl': events } = filesOf(out);
    rmSync(join(out, 'CHECKSUMS'));

    await expect(bundle()).rejects.toThrow(/is not empty/);
    await bundle({ isForced: true });

    expect(filesOf(out)['events.jsonl']).toBe(events);
    await write(bench.log, out, { isForced: true });
    expect(existsSync(join(out, 'rules.json'))).toBe(true);
  });
});

describe('imported files, written back', () => {
  it('replace what was written back before, and nothing else', async () => {
    await bench.one(lines(chat('three')), 'more.jsonl');
    await sources();
    expect(verified()).toContain('rows.jsonl: OK');
    put('mine.txt', 'mine');
    const [episode = ''] = bench.log.projections.ended();

    await writeSources(bench.log, bench.sources, {
      folder: out,
      isForced: true,
      rules: rulesOf({ episodes: [episode] }),
    });
    expect(Object.keys(filesOf(out))).toEqual(['.interject-export', 'CHECKSUMS', 'mine.txt', 'rows.jsonl']);
    await bundle({ isForced: true });

    expect(Object.keys(filesOf(out))).toEqual(['CHECKSUMS', 'events.jsonl', 'mine.txt']);
  });

  it('never replace a file of another content under their name', async () => {
    put('rows.jsonl', 'mine');

    await expect(sources({ isForced: true })).rejects.toThrow(/put there by no export/);
    expect(filesOf(out)).toEqual({ 'rows.jsonl': 'mine' });
    put('rows.jsonl', lines(chat('one'), chat('two')));
    expect((await sources({ isForced: true })).files).toEqual(['rows.jsonl']);
  });

  it('give way to the sums where one of them has their name', async () => {
    await bench.one(lines(chat('three')), 'CHECKSUMS');

    const { files } = await sources();

    expect(files).toEqual(['rows.jsonl', expect.stringMatching(/^CHECKSUMS-[0-9a-f]{8}$/)]);
    expect(verified()).toContain('rows.jsonl: OK');
  });

  it('leave nothing when they are broken off', async () => {
    await expect(sources({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
    expect(readdirSync(bench.folder).filter((name) => name.startsWith('out'))).toEqual([]);
  });
});

describe('any file written aside', () => {
  it('is put in place when it is whole, and gone when its writer fails', async () => {
    const into = { folder: out, isForced: false };
    const failed = writeAside(into, { places: ['a.jsonl'] }, (stage) => {
      writeFileSync(stage.path('a.jsonl'), 'half');
      throw new Error('no more space');
    });

    await expect(failed).rejects.toThrow('no more space');
    expect(readdirSync(bench.folder).filter((name) => name.startsWith('out'))).toEqual([]);
  });
});
