// A data folder of 0.1: refused as it lies, and what the commit that reads it exported comes over whole.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { typeIn } from '../support/commandLine.ts';
import { newDataFolder, openFolder, writeEpisode } from '../support/dataFolder.ts';

let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'interject-earlier-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('a log of an older version is refused untouched, and its reader is named', () => {
  const home = newDataFolder();
  const opened = openFolder(home);
  writeEpisode(opened, 'old');
  opened.close();
  const file = join(home, 'interject.db');
  const db = new Sqlite(file);
  db.pragma('user_version = 23');
  db.close();
  const before = readFileSync(file);

  expect(() => openFolder(home)).toThrow(
    expect.objectContaining({
      code: 'data_corrupt',
      next: expect.stringMatching(/[0-9a-f]{40}.*interject export --format events/),
    }),
  );

  expect(readFileSync(file).equals(before)).toBe(true);
  rmSync(home, { recursive: true, force: true });
});

it('the bundle that 0.1 exported is imported, and exported again byte for byte', async () => {
  // Of a run with an answered question and an imported episode.
  const bundle = brotliDecompressSync(readFileSync(join(import.meta.dirname, 'bundle-of-0.1.jsonl.br')));
  writeFileSync(join(folder, 'bundle.jsonl'), bundle);

  const { codes, out } = await typeIn(folder, [
    { args: ['import', 'bundle.jsonl', '--json'] },
    { args: ['export', '--format', 'events', '--out', 'again', '--json'] },
  ]);

  expect([codes, out]).toEqual([[0, 0], expect.stringContaining('"episodes":2')]);
  expect(readFileSync(join(folder, 'again', 'events.jsonl')).toString()).toBe(bundle.toString());
});

it('a bundle that somebody made by hand is kept without the credentials in its address and its reset', async () => {
  const lines = brotliDecompressSync(readFileSync(join(import.meta.dirname, 'bundle-of-0.1.jsonl.br')))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { event?: Record<string, unknown> });
  for (const { event } of lines) {
    if (event?.['kind'] === 'episode.started')
      Object.assign(event['environment'] as object, { url: 'http://anna:Zq7address@127.0.0.1:9' });
    if (event?.['kind'] === 'environment.reset')
      Object.assign(event['request'] as object, { api_key: 'Zq7reset' });
  }
  const bundle = lines.map((line) => JSON.stringify(line)).join('\n');
  expect(bundle).toMatch(/Zq7address.*Zq7reset/s);
  writeFileSync(join(folder, 'bundle.jsonl'), `${bundle}\n`);

  await typeIn(folder, [
    { args: ['import', 'bundle.jsonl'] },
    { args: ['export', '--format', 'events', '--out', 'again'] },
  ]);

  const again = readFileSync(join(folder, 'again', 'events.jsonl')).toString();
  expect(again).toContain('"kind":"environment.reset"');
  expect(again).not.toContain('Zq7');
});
