import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '../../../src/main/dataset/import/limits.ts';
import { codes, createBench, first, json, lines, story, type Bench } from './support.ts';
import { createUnique } from './mutate.ts';
import { RECORDS } from './records.ts';
import { zip } from './zip.ts';

let bench: Bench;
beforeEach(() => (bench = createBench()));
afterEach(() => bench.close());

const row = (content: string) => ({
  messages: [
    { role: 'user', content },
    { role: 'assistant', content: 'yes' },
  ],
});
const kept = (): string[] => {
  try {
    return readdirSync(join(bench.folder, 'home', 'sources'));
  } catch {
    return [];
  }
};

describe('a file that cannot be read', () => {
  it.each([
    ['nothing at all', ''],
    ['only spaces', '  \n \n'],
    ['prose', 'Dear reader,\nthis is a letter.'],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0, 1, 2, 3])],
    ['another document', '{"name": "package", "version": "1.0.0"}'],
    ['a bare number', '12'],
    ['a bracket', '['],
    ['a quote', '"'],
    ['an archive of something else', zip([['readme.txt', 'hello']])],
    ['two bytes', 'PK'],
  ])('is refused with a reason and leaves nothing behind: %s', async (_what, content) => {
    const { report, ids } = await bench.one(content);

    expect(ids).toEqual([]);
    expect(report.failure?.message).toBeTruthy();
    expect(bench.log.lastSeq()).toBe(0);
    expect(kept()).toEqual([]);
  });

  it('is not half imported when its one episode is cut off', async () => {
    const whole = json({
      scenario: 's',
      task: 't',
      task_idx: 0,
      steps: 1,
      trajectory: [
        { action: 'call_tool', tool_name: 'a', arguments: {}, success: true, result: 'x', error: null },
      ],
    });
    for (let cut = 60; cut < whole.length - 1; cut += 7) {
      const { report } = await bench.one(whole.slice(0, cut));
      expect(report.failure).not.toBeNull();
    }
    expect(bench.log.lastSeq()).toBe(0);
    expect(kept()).toEqual([]);
  });
});

describe('odd text', () => {
  const chat = lines(row('Grüße'), row('two'));

  it.each([
    ['a byte order mark', Buffer.from(`\ufeff${chat}`)],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${chat}`, 'utf16le')],
    ['UTF-16 without one', Buffer.from(chat, 'utf16le')],
    ['UTF-16, the other order', Buffer.from(`\ufeff${chat}`, 'utf16le').swap16()],
    ['Latin-1', Buffer.from(chat, 'latin1')],
    ['Windows line ends', chat.replaceAll('\n', '\r\n')],
    ['no last line end', chat.trimEnd()],
    ['empty lines', `\n\n${chat.replace('\n', '\n\n\n')}`],
  ])('reads the same with %s', async (_what, content) => {
    const { records, report } = await bench.one(content);

    expect(report).toMatchObject({ format: 'chat', episodes: 2, skipped: 0, failure: null });
    expect(first(records).reset?.task).toBe('Grüße');
    expect(report.diagnostics.filter(({ count }) => count > 1)).toEqual([]);
  });

  it('skips, counts and names lines that are broken', async () => {
    const { report } = await bench.one(
      `${lines(row('1'))}{"messages": [\nnull\n"text"\n[]\n${lines(row('2'))}{"messages":[{}]}\n`,
    );

    expect(report.episodes).toBe(3);
    expect(report.skipped).toBe(5);
    expect(report.diagnostics).toContainEqual(
      expect.objectContaining({ code: 'broken_json', pointer: 'line 2' }),
    );
  });

  it('passes over a line that is too long, and reads those around it', async () => {
    const long = `{"messages":[{"role":"user","content":"${'x'.repeat(LIMITS.valueBytes + 10)}"}]}\n`;
    const { report } = await bench.one(Buffer.from(`${lines(row('1'))}${long}${lines(row('2'))}`));

    expect(report).toMatchObject({ episodes: 2, skipped: 1 });
    expect(report.diagnostics[0]).toMatchObject({ code: 'too_long', pointer: 'line 2' });
    expect(report.diagnostics[0]?.message).toContain('64 MiB');
  });

  it('does not follow brackets within brackets for ever', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const { report } = await bench.one(
      `{"messages":[{"role":"user","content":"a"}],"x":${deep}}\n${lines(row('2'))}`,
    );
    expect(report.failure).toBeNull();
    expect(report.episodes).toBeGreaterThan(0);

    const document = await bench.one(
      `{"version":2,"eval":{"task":"t"},"plan":${deep},"samples":[{"id":1,"epoch":1,"input":"a","messages":[]}]}`,
    );
    expect(codes(document.report)).toContain('too_deep');
  });

  it('takes a name like __proto__ for what it is', async () => {
    const { report } = await bench.one(
      '{"version":2,"__proto__":{"polluted":1},"eval":{"task":"t"},"samples":[{"id":1,"__proto__":{"x":1},"input":"a"}]}',
    );
    expect(report.episodes).toBe(1);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('archives', () => {
  const header = json({ version: 2, eval: { task: 't' }, plan: {} });
  const sample = json({ id: 1, epoch: 1, input: 'a', messages: [{ role: 'assistant', content: 'b' }] });
  const good = [
    ['header.json', header],
    ['samples/1_epoch_1.json', sample],
  ] as const;

  it('cut off anywhere are refused or read, never half', async () => {
    const whole = zip(good);
    for (let cut = 4; cut < whole.length; cut += 13) {
      const { report } = await bench.one(whole.subarray(0, cut));
      expect(report.failure).not.toBeNull();
    }
    expect(bench.log.lastSeq()).toBe(0);
  });

  it('that unpack to far more than they are stop at a limit that is named', async () => {
    const bomb = Buffer.concat([
      Buffer.from('{"id":1,"epoch":1,"input":"'),
      Buffer.alloc(64 * 1024 * 1024, 0x20),
      Buffer.from('"}'),
    ]);
    expect(deflateRawSync(bomb).length).toBeLessThan(100_000);
    const { report } = await bench.one(
      zip(
        [
          ['header.json', header],
          ['samples/1_epoch_1.json', bomb],
        ],
        { packing: 'zstandard' },
      ),
    );

    expect(report.failure).not.toBeNull();
    expect(
      report.diagnostics.some(
        ({ code, message }) => code === 'limit_exceeded' && message.includes('unpacks to more than'),
      ),
    ).toBe(true);
  });

  it('whose names lead elsewhere write nothing there', async () => {
    const { report } = await bench.one(
      zip([...good, ['../../evil.json', sample], ['/etc/evil.json', sample], ['samples/..\\x.json', sample]]),
    );

    expect(report.episodes).toBe(1);
    expect(report.diagnostics.filter(({ code }) => code === 'path_outside')).toHaveLength(3);
  });

  it('with a broken member skip it and keep the others', async () => {
    const archive = zip([...good, ['samples/2_epoch_1.json', sample.replace('"id": 1', '"id": 2')]], {
      packing: 'deflated',
    });
    const at = archive.indexOf(deflateRawSync(Buffer.from(sample)));
    archive.fill(0xff, at, at + 12);
    const { report } = await bench.one(archive);

    expect(report).toMatchObject({ episodes: 1, skipped: 1 });
  });
});

describe('folders', () => {
  it('with links that go round end', async () => {
    const folder = bench.write({ 'a/results.jsonl': lines(row('1')), 'a/b/more.jsonl': lines(row('2')) });
    symlinkSync(folder, join(folder, 'a/b/loop'));
    const { reports } = await bench.read(folder);
    expect(reports.map(({ episodes }) => episodes)).toEqual([1, 1]);
  });
});

describe('the same file again', () => {
  it('is recognised and adds nothing', async () => {
    const before = await bench.one(lines(row('1'), row('2')), 'a.jsonl');
    const seq = bench.log.lastSeq();
    const after = await bench.one(lines(row('1'), row('2')), 'b.jsonl');

    expect(after.ids).toEqual(before.ids);
    expect(after.report).toMatchObject({ episodes: 2, known: 2, failure: null });
    expect(bench.log.lastSeq()).toBe(seq);
    expect(kept()).toHaveLength(1);
  });
});

/** Small random damage to good files: a report every time, no throw, and whatever is in the log opens. */
describe('files with random damage', () => {
  const unique = createUnique(() => 0);
  const seeds = ['chat', 'inspect', 'atif', 'swe', 'awm'].map((format): [string, Buffer] => [
    format,
    Buffer.from(lines(...(RECORDS[format]?.(unique) ?? []))),
  ]);
  const archive = zip([
    ['header.json', '{"version":2,"eval":{"task":"t"}}'],
    ['samples/1_epoch_1.json', '{"id":1,"epoch":1,"input":"a","messages":[]}'],
  ]);
  // Plain arithmetic, so that a failure can be made again.
  const chance = (state: number) => (): number =>
    (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;

  it.each([...seeds, ['archive', archive] as const])('%s', async (_name, good) => {
    const random = chance(7);
    for (let round = 0; round < 120; round += 1) {
      const bad = Buffer.from(good);
      const damage = 1 + Math.floor(random() * 4);
      for (let i = 0; i < damage; i += 1) {
        const at = Math.floor(random() * bad.length);
        bad[at] =
          random() < 0.5
            ? Math.floor(random() * 256)
            : '{}[]",:\\0n'.charCodeAt(Math.floor(random() * 10)) || 0;
      }
      const { report, records, ids } = await bench.one(
        random() < 0.3 ? bad.subarray(0, Math.floor(random() * bad.length)) : bad,
      );
      expect(report.failure?.code).not.toBe('internal');
      expect(report.episodes).toBe(ids.length);
      for (const record of records) {
        expect(record.ended).not.toBeNull();
        expect(story(record)).toBeDefined();
      }
    }
  });
});
