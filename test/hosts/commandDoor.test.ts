import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { doorPath, NOTE_FILE, readNote, writeNote } from '../../src/main/hosts/doorPlace.ts';
import { openHost, type Host } from '../support/host.ts';
import { runInProcess } from '../support/inProcess.ts';
import { endTap, startServing } from '../support/serving.ts';

const CLI = resolve(import.meta.dirname, '../../src/main/hosts/cli.ts');
let folder = '';
let hosts: Host[] = [];
let children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'interject-door-'));
  hosts = [];
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const host of hosts) await host.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function open(at = folder): Promise<Host> {
  mkdirSync(at, { recursive: true });
  const host = await openHost(at);
  hosts.push(host);
  return host;
}

async function stop(host: Host): Promise<void> {
  hosts = hosts.filter((one) => one !== host);
  await host.stop();
}

/** A command in a process of its own. */
function start(...args: string[]) {
  const env = { ...process.env, INIT_CWD: folder, XDG_RUNTIME_DIR: folder };
  const child = spawn(process.execPath, [CLI, ...args, '--data', 'home', '--json'], { env });
  children.push(child);
  let out = '';
  child.stdout.on('data', (part: Buffer) => (out += part.toString()));
  const ended = new Promise<{ code: number | null; lines: Record<string, unknown>[] }>((settle) => {
    child.once('close', (code) => {
      const lines = out.split('\n').filter((line) => line.startsWith('{'));
      settle({ code, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) });
    });
  });
  return { child, ended };
}

const RUN = 'run --world loomline_workflows --task 0 --agent rehearsal --condition human'.split(' ');

/** The episode that waits for a person, once it does. */
async function waiting(host: Host): Promise<string> {
  for (;;) {
    const [item] = host.log.projections.desk(1).items;
    if (item !== undefined) return item.episode;
    await new Promise((go) => setTimeout(go, 20));
  }
}

const statusOf = (path: string, key: string): Promise<number> =>
  new Promise((settle, reject) => {
    const headers = { host: 'localhost', authorization: `Bearer ${key}` };
    request({ socketPath: path, path: '/', headers }, (answer) => settle(answer.statusCode ?? 0))
      .on('error', reject)
      .end();
  });

describe('the door for commands', () => {
  it.skipIf(process.platform === 'win32')(
    'is of its owner alone, and nobody enters without its key',
    async () => {
      await open();
      const note = readNote(join(folder, 'home'));

      expect(statSync(note?.path ?? '').mode & 0o777).toBe(0o600);
      expect(statSync(join(folder, 'home', NOTE_FILE)).mode & 0o777).toBe(0o600);
      expect(statSync(join(folder, 'home')).mode & 0o077).toBe(0);
      expect(await statusOf(note?.path ?? '', 'guessed')).toBe(401);
      expect(await statusOf(note?.path ?? '', note?.key ?? '')).toBe(200);
    },
  );

  it('is gone when Interject has closed', async () => {
    const host = await open();
    const path = readNote(join(folder, 'home'))?.path ?? '';
    await stop(host);

    expect([existsSync(path), existsSync(join(folder, 'home', NOTE_FILE))]).toEqual([false, false]);
  });

  it('that a killed process left stops nobody, and opens again', async () => {
    await stop(await open());
    const home = join(folder, 'home');
    const path = doorPath(home);
    writeFileSync(path, '');
    writeNote(home, { path, key: 'of-before', version: '0.1.0', pid: 1 });
    const alone = await runInProcess(folder, ['invite', '--data', 'home', '--json']);
    await open();
    const beside = await runInProcess(folder, ['invite', '--data', 'home', '--json']);

    expect([alone.code, beside.code]).toEqual([0, 0]);
    expect(readNote(home)?.key).not.toBe('of-before');
  });

  it.skipIf(process.platform === 'win32')(
    'has a short path where the folder’s is too long for a socket',
    async () => {
      const deep = join(folder, 'd'.repeat(60), 'e'.repeat(60));
      await open(deep);
      const path = readNote(join(deep, 'home'))?.path ?? '';
      const { code } = await runInProcess(deep, ['invite', '--data', 'home', '--json']);

      expect([code, path.startsWith(deep), Buffer.byteLength(path) < 104]).toEqual([0, false, true]);
      expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
    },
  );

  it('that cannot be opened is said, and commands name the process that has the folder', async () => {
    mkdirSync(join(folder, 'home', NOTE_FILE, 'taken'), { recursive: true });
    const host = await open();
    writeFileSync(join(folder, 'chat.jsonl'), '{}\n');
    const { ended } = start('import', 'chat.jsonl');
    const { code, lines } = await ended;

    expect(host.said.join()).toContain('Commands cannot go through this Interject');
    expect([code, lines.at(-1)?.['code']]).toEqual([1, 'data_in_use']);
    expect(lines.at(-1)?.['message']).toContain(`process ${String(process.pid)}`);
  });

  it('refuses flags that set up a whole Interject, and says what to do', async () => {
    await open();
    const { code, lines } = await runInProcess(folder, [
      ...RUN,
      ...'--env-header X-Team:blue --world-dir worlds --data home --json'.split(' '),
    ]);

    expect(code).toBe(1);
    expect(lines.at(-1)).toMatchObject({ code: 'data_in_use' });
    expect(lines.at(-1)?.['message']).toContain('--env-header, --world-dir set up a whole Interject');
    expect(lines.at(-1)?.['next']).toContain('use its Settings');
  });

  it.each([['repair', '--out', 'saved']])(
    'does not lead to %s: only a closed folder can be',
    async (...args) => {
      await open();
      const { ended } = start(...args);
      const { code, lines } = await ended;

      expect([code, lines.at(-1)?.['code']]).toEqual([1, 'data_in_use']);
    },
  );
});

describe('an episode of `interject run` beside an open Interject', () => {
  it('shows in its list while it runs, and Ctrl+C ends it with a complete log', async () => {
    const host = await open();
    const { child, ended } = start(...RUN);
    const episode = await waiting(host);
    const page = { query: '', status: null, condition: null, offset: 0, limit: 10 };
    const { rows } = await host.as('seat-one')('episodes.page', page);
    child.kill('SIGINT');
    const { code, lines } = await ended;

    expect(rows).toMatchObject([{ id: episode, outcome: null }]);
    expect(code).toBe(1);
    expect(lines).toContainEqual(expect.objectContaining({ type: 'ready', url: null }));
    expect(lines).toContainEqual(expect.objectContaining({ type: 'episode', episode, outcome: 'stopped' }));
    expect(host.log.record(episode).ended?.outcome).toBe('stopped');
  });

  it('is stopped when its command is killed', async () => {
    const host = await open();
    const { child } = start(...RUN);
    const episode = await waiting(host);
    child.kill('SIGKILL');

    expect((await host.ended(episode)).ended?.outcome).toBe('stopped');
  });

  it('is answered at the desk that is open, and the command goes on', async () => {
    const host = await open();
    const { ended } = start(...RUN, '--asks', '1');
    const episode = await waiting(host);
    const record = host.log.record(episode);
    await host.as('seat-one')('desk.answer', {
      episode,
      consultation: record.consultations[0]?.id ?? '',
      text: 'Go on.',
      draft: null,
      seen_seq: record.seq,
      timing: { first_seen_at: null, active_ms: null },
    });

    expect((await ended).code).toBe(0);
  });

  it('ends its command with a clear error when Interject closes under it', async () => {
    const host = await open();
    const { ended } = start(...RUN);
    await waiting(host);
    await stop(host);
    const { code, lines } = await ended;

    expect([code, lines.at(-1)?.['type'], lines.at(-1)?.['code']]).toEqual([1, 'error', 'closed']);
    expect(lines.at(-1)?.['message']).toContain('ended while this command ran');
    expect(readFileSync(join(folder, 'home', 'interject.db')).length).toBeGreaterThan(0);
  });

  it.each([
    { command: 'run', flags: RUN.slice(1) },
    {
      command: 'bench',
      flags: '--split split.json --seeds 1 --agent rehearsal --conditions none,human'.split(' '),
    },
  ])(
    'ends `$command` with exit code 1 when Interject is killed under it, however long it ran',
    async (one) => {
      const home = join(folder, 'home');
      writeFileSync(
        join(folder, 'split.json'),
        JSON.stringify({ train: [], val: [['loomline_workflows', 0]] }),
      );
      const serving = await startServing(home, ['--port', '0']);
      const { child, ended } = start(one.command, ...one.flags);
      try {
        while ((await serving.desk()).length === 0) await new Promise((go) => setTimeout(go, 50));
        // What looks each second how starts go on has looked, and has nothing left to look at.
        await new Promise((go) => setTimeout(go, 1_500));
        await serving.kill();
        const { code, lines } = await ended;

        expect([child.signalCode, code, lines.at(-1)?.['code']]).toEqual([null, 1, 'closed']);
      } finally {
        await serving.kill();
        endTap(home);
      }
    },
  );
});
