import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { filesOf } from '../support/filesOf.ts';
import { openLog } from '../support/log.ts';
import { episodeEntries } from '../support/manyEpisodes.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const cli = resolve(import.meta.dirname, '../../src/main/hosts/cli.ts');

const folder = folderPerTest();
beforeEach(() => {
  mkdirSync(join(folder(), 'home'));
});

function fill(episodes: number): void {
  const log = openLog(join(folder(), 'home', 'interject.db'));
  for (let i = 0; i < episodes; i += 1) {
    const id = `e${String(i)}`;
    log.importStreams([{ stream: id, entries: episodeEntries(id, 1, { number: i }) }]);
  }
  log.close();
}

type Told = { code: number | null; lines: Record<string, unknown>[] };

/** The command as a person types it, in their folder; `meanwhile` may stop it. */
async function interject(
  args: string,
  meanwhile: (child: ChildProcess) => Promise<void> = () => Promise.resolve(),
): Promise<Told> {
  const child = spawn(
    process.execPath,
    [cli, 'export', ...args.split(' '), '--data', join(folder(), 'home'), '--json'],
    { env: { ...process.env, INIT_CWD: folder() }, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString('utf8')));
  const ended = new Promise<number | null>((settle) => child.once('close', settle));
  await meanwhile(child);
  const code = await ended;
  const lines = out.split('\n').filter((line) => line !== '');
  return { code, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe('interject export of the log itself', () => {
  it('leaves nothing of the folder when it is interrupted half way', async () => {
    fill(4000);

    const { code, lines } = await interject('--format events --out a', async (child) => {
      while (child.exitCode === null && readdirSync(folder()).length === 1) await wait(2);
      child.kill('SIGINT');
    });

    expect(code).toBe(1);
    expect(lines.at(-1)).toMatchObject({ type: 'error', code: 'cancelled' });
    expect(readdirSync(folder())).toEqual(['home']);
  });

  it.each(['events', 'source', 'annotations'])('says of %s that --out is a file', async (format) => {
    fill(1);
    writeFileSync(join(folder(), 'a'), 'mine');

    const { code, lines } = await interject(`--format ${format} --out a --force`);

    expect(code).toBe(2);
    expect(lines.at(-1)).toMatchObject({ type: 'error', code: 'bad_input' });
  });

  it('replaces annotations that it wrote, and none of somebody else', async () => {
    fill(1);
    const again = '--format annotations --out a --force';
    expect((await interject('--format annotations --out a')).code).toBe(0);
    expect((await interject(again)).code).toBe(0);
    expect(execFileSync('sha256sum', ['-c', 'CHECKSUMS'], { cwd: join(folder(), 'a') }).toString()).toContain(
      'annotations.jsonl: OK',
    );

    rmSync(join(folder(), 'a'), { recursive: true });
    mkdirSync(join(folder(), 'a'));
    writeFileSync(join(folder(), 'a/annotations.jsonl'), 'mine');
    const refused = await interject(again);

    expect(refused.lines.at(-1)).toMatchObject({ code: 'export_refused' });
    expect(filesOf(join(folder(), 'a'))).toEqual({ 'annotations.jsonl': 'mine' });
    expect(existsSync(join(folder(), 'a.interject-partial'))).toBe(false);
  });
});
