// A damaged data folder through the command line, each command at least once in a process of its own: every command
// ends, and says what to do.
import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createRandom,
  modesOf,
  newDataFolder,
  openFolder,
  overwritePages,
  pagesOf,
  writeEpisode,
} from '../support/dataFolder.ts';
import { runInProcess } from '../support/inProcess.ts';

const cli = resolve(import.meta.dirname, '../../src/main/hosts/cli.ts');
type Line = Record<string, unknown>;
type Ended = { code: number | null; lines: Line[]; said: string };

let folder = '';
const at = (...names: string[]): string => join(folder, ...names);
beforeEach(() => {
  folder = newDataFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Resolves with what a command said; one that does not end is killed, and has no exit code. */
const interject = (...args: string[]): Promise<Ended> =>
  new Promise((settle) => {
    const child = spawn(process.execPath, [cli, ...args, '--json'], {
      timeout: 90_000,
      killSignal: 'SIGKILL',
    });
    let [out, said] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.on('close', (code) => {
      const lines = out.trim() === '' ? [] : out.trim().split('\n');
      settle({ code, lines: lines.map((line) => JSON.parse(line) as Line), said });
    });
  });

function fill(count: number, name = 'home'): void {
  const opened = openFolder(at(name));
  for (let n = 0; n < count; n += 1)
    writeEpisode(
      opened,
      `e${String(n)}`,
      `${n % 5 === 0 ? 'long '.repeat(8_000) : 'short '.repeat(100)}${String(n)}`,
    );
  opened.close();
}
const hashes = (path: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(path)
      .filter((name) => name !== 'interject.lock.db')
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(path, name)))
          .digest('hex'),
      ]),
  );
const home = (): string[] => ['--data', at('home')];
/** Reads the log and writes nothing. */
const CHECK = ['export', '--format', 'scores', '--check', '--despite', 'no_rows'];

describe('a damaged log', { timeout: 300_000 }, () => {
  it('ends every command with its name, the next step and a code that is not 0', async () => {
    fill(30);
    overwritePages(at('home', 'interject.db'), [2, 3, 4]);
    const before = hashes(at('home'));
    const commands = [
      ['serve', '--no-open', '--port', '0'],
      ['run', '--world', 'loomline_workflows', '--task', '0'],
      ['export', '--format', 'events', '--out', at('out')],
      ['import', cli],
      ['erase', 'e1'],
      ['backup', '--out', at('backup')],
      ['repair', '--accept-loss'],
    ];
    for (const command of commands) {
      const { code, lines } = await interject(...command, ...home());

      expect([command[0], code, lines.at(-1)]).toEqual([
        command[0],
        1,
        expect.objectContaining({
          type: 'error',
          code: 'log_damaged',
          next: expect.stringContaining('interject repair'),
        }),
      ]);
    }
    expect(hashes(at('home'))).toMatchObject(before);
    expect([existsSync(at('out')), existsSync(at('backup'))]).toEqual([false, false]);
  });

  it('overwritten at random places opens whole or fails clearly, and repair never says more than is there', async () => {
    fill(60);
    const whole = readFileSync(at('home', 'interject.db'));
    for (let seed = 1; seed <= 8; seed += 1) {
      const random = createRandom(seed);
      writeFileSync(at('home', 'interject.db'), whole);
      const pages = Array.from({ length: 1 + random(6) }, () => random(pagesOf(at('home', 'interject.db'))));
      overwritePages(at('home', 'interject.db'), pages);
      const before = hashes(at('home'));

      const { code, lines } = await runInProcess(folder, [
        'export',
        '--format',
        'events',
        '--out',
        at(`out${String(seed)}`),
        ...home(),
        '--json',
      ]);
      const last = lines.at(-1);
      if (code === 0) expect(last).toMatchObject({ type: 'export', rows: 360 });
      else expect(last).toMatchObject({ type: 'error', code: 'log_damaged' });

      const repaired = await runInProcess(folder, [
        'repair',
        '--out',
        at(`new${String(seed)}`),
        ...home(),
        '--json',
      ]);
      expect(hashes(at('home'))).toMatchObject(before);
      if (repaired.code !== 0) {
        expect(repaired.lines.at(-1)).toMatchObject({ code: 'log_damaged' });
        continue;
      }
      const report = repaired.lines.at(-1) as {
        events: number;
        broken: { readable: number }[];
        lost_places: number;
      };
      const readable = report.broken.reduce((sum, one) => sum + one.readable, 0);
      expect(report.events + readable + report.lost_places).toBe(360);
      // The same in words, with what to type next.
      expect(repaired.said).toContain(`Kept: ${String(report.events)} events of`);
      expect(repaired.said).toMatch(/Next: look at what was kept with `interject serve --data .*new/);
      if (report.broken.length > 0)
        expect(repaired.said).toContain(`with ${String(readable)} events that can be read`);
      const opened = openFolder(at(`new${String(seed)}`));
      const records = opened.log.streams('e').map((id) => opened.log.record(id));
      expect(records.reduce((sum, { n }) => sum + n, 0)).toBe(report.events);
      // Of one whose last events are gone nobody knows that there were any; that events are gone is said.
      const cut = records.filter(({ ended }) => ended?.outcome !== 'done');
      expect(cut.reduce((sum, { n }) => sum + 6 - n, 0)).toBeLessThanOrEqual(report.lost_places);
      expect(records.every((record) => record.n === 6 || cut.includes(record))).toBe(true);
      opened.close();
    }
  });
});

describe('one broken event', () => {
  it('is left out of an export by its episode’s name, the rest is written, and the exit code says so', async () => {
    fill(6);
    const db = new Sqlite(at('home', 'interject.db'));
    db.prepare(
      "UPDATE events SET body = '{\"kind\":\"advice.app' WHERE stream = 'e3' AND kind = 'advice.approved'",
    ).run();
    db.close();

    for (const format of [['events'], ['sft', '--preset', 'advisor']]) {
      const { code, lines, said } = await interject(
        'export',
        '--format',
        ...format,
        '--out',
        at(format[0] ?? ''),
        ...home(),
      );

      expect(code).toBe(1);
      expect(lines.at(-1)).toMatchObject({ type: 'export', damaged: ['e3'], dropped: { damaged: 1 } });
      expect(said).toContain('left out, it cannot be read: e3');
    }
    expect(readFileSync(at('events', 'events.jsonl'), 'utf8').trim().split('\n')).toHaveLength(1 + 5 * 6);
    const { code, lines } = await interject('repair', '--out', at('new'), ...home());
    expect([code, lines.at(-1)]).toEqual([
      0,
      expect.objectContaining({ streams: 6, broken: [{ stream: 'e3', readable: 5, lost: 1, texts: 0 }] }),
    ]);
    expect(
      readFileSync(at('new', 'incomplete', 'e3.jsonl'), 'utf8')
        .trim()
        .split('\n'),
    ).toHaveLength(5);
  });
});

const python = ['python3', 'python'].find((name) => spawnSync(name, ['-c', 'import sqlite3']).status === 0);

describe('a backup', { timeout: 120_000 }, () => {
  it('taken while another process writes opens as it is, holds everything up to one moment, and no key', async () => {
    fill(10);
    mkdirSync(at('home', 'sources'), { mode: 0o700 });
    const source = Buffer.from('what was imported');
    const name = createHash('sha256').update(source).digest('hex');
    writeFileSync(at('home', 'sources', name), source);
    writeFileSync(at('home', 'settings.json'), '{"a": 1}');
    writeFileSync(at('home', 'secrets.json'), '{"agent.api_key": "sk-secret"}', { mode: 0o600 });
    const opened = openFolder(at('home'));
    let n = 0;
    const writing = setInterval(() => writeEpisode(opened, `live${String((n += 1))}`), 5);

    const { code, lines, said } = await interject('backup', '--out', at('backup'), ...home());
    clearInterval(writing);
    const last = opened.log.lastSeq();
    opened.close();

    expect(code).toBe(0);
    const made = lines.at(-1) as { log: { events: number; last_seq: number; sha256: string } };
    expect(made.log.events).toBeGreaterThanOrEqual(60);
    expect(made.log.last_seq).toBeLessThanOrEqual(last);
    expect(Object.keys(modesOf(at('backup'))).toSorted((a, b) => a.localeCompare(b))).toEqual(
      [
        'backup.json',
        'interject.db',
        'interject.mark',
        'settings.json',
        'sources',
        `sources/${name}`,
      ].toSorted((a, b) => a.localeCompare(b)),
    );
    expect(said).toContain('keys were left out');
    const restored = openFolder(at('backup'));
    expect(restored.log.lastSeq()).toBe(made.log.last_seq);
    expect(restored.log.record('e0').consultations[0]?.decision).toMatchObject({ type: 'approved' });
    restored.close();
  });

  it.skipIf(python === undefined)(
    'reads whole in Python’s sqlite3, event for event as the log (skipped where there is no python3)',
    async () => {
      fill(10);
      await interject('backup', '--out', at('backup'), ...home());
      const script = `
import hashlib, json, sqlite3, sys
def look(path):
    db = sqlite3.connect(f'file:{path}?mode=ro', uri=True)
    rows = db.execute('SELECT seq, stream, n, at, kind, actor, body FROM events ORDER BY seq').fetchall()
    lines = ''.join(json.dumps(list(row), ensure_ascii=False, separators=(',', ':')) + '\\n' for row in rows)
    return [db.execute('PRAGMA integrity_check').fetchone()[0], len(rows), hashlib.sha256(lines.encode()).hexdigest()]
print(json.dumps([look(path) for path in sys.argv[1:]]))
`;
      const paths = [at('home', 'interject.db'), at('backup', 'interject.db')];
      const { stdout } = spawnSync(python ?? '', ['-c', script, ...paths], { encoding: 'utf8' });

      const made = JSON.parse(readFileSync(at('backup', 'backup.json'), 'utf8')) as {
        log: { sha256: string };
      };
      expect(JSON.parse(stdout)).toEqual(Array(2).fill(['ok', 60, made.log.sha256]));
    },
  );

  it('takes the keys along when asked, for its owner alone, and refuses a folder that holds something', async () => {
    fill(1);
    writeFileSync(at('home', 'secrets.json'), '{"agent.api_key": "sk-secret"}', { mode: 0o600 });

    expect((await interject('backup', '--keys', '--out', at('backup'), ...home())).code).toBe(0);
    expect(readFileSync(at('backup', 'secrets.json'), 'utf8')).toContain('sk-secret');
    if (process.platform !== 'win32')
      expect(new Set(Object.values(modesOf(at('backup'))))).toEqual(new Set(['600']));

    const again = await interject('backup', '--out', at('backup'), ...home());
    expect([again.code, again.lines.at(-1)]).toEqual([2, expect.objectContaining({ code: 'bad_input' })]);
  });

  const opensNot = async (): Promise<void> => {
    for (const command of [['doctor'], CHECK]) {
      const { code, lines, said } = await interject(...command, '--data', at('backup'));
      expect([command, code]).toEqual([command, 1]);
      expect(`${JSON.stringify(lines)}${said}`).toContain('a copy that was not finished');
    }
  };

  it('that fails half way leaves no folder that doctor passes or a command opens', async () => {
    fill(3);
    mkdirSync(at('home', 'settings.json'));

    expect((await interject('backup', '--out', at('backup'), ...home())).code).toBe(1);

    expect(existsSync(at('backup', 'interject.db'))).toBe(true);
    await opensNot();
  });

  it('that is killed leaves none either, and says so when it is tried again', async () => {
    fill(3);
    mkdirSync(at('home', 'sources'), { mode: 0o700 });
    const slow = at('home', 'sources', '0'.repeat(64));
    writeFileSync(slow, '');
    truncateSync(slow, 8 * 1024 ** 3);
    const child = spawn(process.execPath, [cli, 'backup', '--out', at('backup'), ...home()]);
    const ended = new Promise((settle) => child.once('close', settle));
    await expect.poll(() => existsSync(at('backup', 'interject.mark')), { timeout: 60_000 }).toBe(true);
    child.kill('SIGKILL');
    await ended;

    await opensNot();
    rmSync(slow);
    const again = await interject('backup', '--out', at('backup'), ...home());
    expect([again.code, again.lines.at(-1)]).toEqual([2, expect.objectContaining({ code: 'bad_input' })]);
  });
});

describe('repair --accept-loss', () => {
  it('goes on with an older log in place of a newer one, says what is gone, and does nothing to a whole one', async () => {
    fill(2);
    const older = readFileSync(at('home', 'interject.db'));
    const opened = openFolder(at('home'));
    writeEpisode(opened, 'newer');
    opened.close();
    expect((await interject('repair', '--accept-loss', ...home())).lines).toEqual([
      { type: 'accepted', lost: 0 },
    ]);
    writeFileSync(at('home', 'interject.db'), older);
    expect((await interject(...CHECK, ...home())).lines.at(-1)).toMatchObject({ code: 'log_damaged' });

    const { code, lines } = await interject('repair', '--accept-loss', ...home());

    expect([code, lines]).toEqual([0, [{ type: 'accepted', lost: 6, last: 12 }]]);
    expect((await interject(...CHECK, ...home())).code).toBe(0);
  });
});
