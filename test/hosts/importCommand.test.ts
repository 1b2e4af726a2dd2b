import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const cli = resolve(import.meta.dirname, '../../src/main/hosts/cli.ts');
type Line = Record<string, unknown>;

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'interject-import-cli-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The command as a person types it, in their folder. */
const interject = (...args: string[]) =>
  new Promise<{ code: number; lines: Line[]; said: string }>((settle) => {
    const options = { env: { ...process.env, INIT_CWD: folder } };
    execFile(
      process.execPath,
      [cli, ...args, '--data', join(folder, 'home'), '--json'],
      options,
      (error, out, said) => {
        const lines =
          out.trim() === ''
            ? []
            : out
                .trim()
                .split('\n')
                .map((line) => JSON.parse(line) as Line);
        settle({ code: typeof error?.code === 'number' ? error.code : 0, lines, said });
      },
    );
  });

const row = (content: string): string =>
  `${JSON.stringify({
    messages: [
      { role: 'user', content },
      { role: 'assistant', content: 'b' },
    ],
  })}\n`;

describe('interject import', { timeout: 60_000 }, () => {
  it('prints a line an episode and a report a file, and is done when every file gave one', async () => {
    writeFileSync(join(folder, 'rows.jsonl'), `${row('a')}broken\n${row('b')}`);
    const { code, lines, said } = await interject('import', 'rows.jsonl');

    expect(code).toBe(0);
    expect(lines.map(({ type }) => type)).toEqual(['episode', 'episode', 'file']);
    expect(lines[0]).toMatchObject({ format: 'chat', index: 0, is_known: false, turns: 1, outcome: 'done' });
    expect(lines[2]).toMatchObject({
      format: 'chat',
      episodes: 2,
      skipped: 1,
      diagnostics: [{ code: 'broken_json', pointer: 'line 2', count: 1 }],
    });
    expect(said).toContain('does not record: times');

    const again = await interject('import', 'rows.jsonl');
    expect(again.code).toBe(0);
    expect(again.lines[0]).toMatchObject({ is_known: true, episode: lines[0]?.['episode'] });
  });

  it('fails for a file that gave none, and names it, but not for what lies about in a folder', async () => {
    writeFileSync(join(folder, 'letter.txt'), 'Dear reader');
    const bad = await interject('import', 'letter.txt', 'missing.json');
    expect(bad.code).toBe(1);
    expect(bad.lines.filter(({ type }) => type === 'error').map(({ code }) => code)).toEqual([
      'import_failed',
      'not_found',
    ]);

    mkdirSync(join(folder, 'run'));
    writeFileSync(join(folder, 'run/readme.md'), '# no log');
    writeFileSync(join(folder, 'run/rows.jsonl'), row('a'));
    expect((await interject('import', 'run')).code).toBe(0);
    expect((await interject('import')).code).toBe(2);
  });

  it('gives the imported file back as it was', async () => {
    const bytes = `\ufeff${row('a')}broken`;
    writeFileSync(join(folder, 'rows.jsonl'), bytes);
    await interject('import', 'rows.jsonl');
    const { code, lines } = await interject('export', '--format', 'source', '--out', 'back');

    expect(code).toBe(0);
    expect(lines[0]).toMatchObject({ type: 'export', format: 'source', files: ['rows.jsonl'] });
    expect(readFileSync(join(folder, 'back/rows.jsonl'), 'utf8')).toBe(bytes);
  });
});
