import { spawn, type ChildProcess } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, request } from 'node:http';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDoorLine } from '../../src/main/hosts/product.ts';
import { doorPath } from '../../src/main/hosts/commandDoor.ts';
import { VERSION } from '../../src/main/hosts/version.ts';
import { layKnock } from '../../src/main/log/knock.ts';
import { openHost, type Host } from '../support/host.ts';
import { runInProcess } from '../support/inProcess.ts';
import { endTap, startServing } from '../support/serving.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const CLI = resolve(import.meta.dirname, '../../src/main/hosts/cli.ts');
const folder = folderPerTest();
let hosts: Host[] = [];
let children: ChildProcess[] = [];
beforeEach(() => {
  hosts = [];
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const host of hosts) await host.stop();
});

async function open(at = folder()): Promise<Host> {
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
  const env = { ...process.env, INIT_CWD: folder(), XDG_RUNTIME_DIR: folder() };
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

const statusOf = (path: string, secret: string): Promise<number> =>
  new Promise((settle, reject) => {
    const headers = { host: 'localhost', authorization: `Bearer ${secret}` };
    request({ socketPath: path, path: '/', headers }, (answer) => settle(answer.statusCode ?? 0))
      .on('error', reject)
      .end();
  });

const LIST = ['invite', '--data', 'home', '--json'];
const knocksIn = (home: string): string[] => readdirSync(home).filter((name) => name.endsWith('.knock'));

describe('the door for commands', () => {
  it.skipIf(process.platform === 'win32')(
    'is of its owner alone, and nobody enters who has not just laid a knock into the folder',
    async () => {
      await open();
      const home = join(folder(), 'home');
      const path = doorPath(home);
      const knock = layKnock(home);

      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(statSync(join(home, knocksIn(home)[0] ?? '')).mode & 0o777).toBe(0o600);
      expect(statSync(home).mode & 0o077).toBe(0);
      expect(await statusOf(path, 'guessed')).toBe(401);
      expect(await statusOf(path, knock.secret)).toBe(200);
      knock.remove();
      expect(await statusOf(path, knock.secret)).toBe(401);
    },
  );

  it('leaves nothing that opens it: a command takes its knock away', async () => {
    await open();
    expect((await runInProcess(folder(), LIST)).code).toBe(0);

    expect(knocksIn(join(folder(), 'home'))).toEqual([]);
  });

  it('is gone when Interject has closed', async () => {
    const host = await open();
    const path = doorPath(join(folder(), 'home'));
    await stop(host);

    expect(existsSync(path)).toBe(false);
  });

  it('that a killed process left stops nobody, and opens again', async () => {
    await stop(await open());
    writeFileSync(doorPath(join(folder(), 'home')), '');
    const alone = await runInProcess(folder(), LIST);
    await open();
    const beside = await runInProcess(folder(), LIST);

    expect([alone.code, beside.code]).toEqual([0, 0]);
  });

  it.skipIf(process.platform === 'win32')(
    'has a short path where the folder’s is too long for a socket',
    async () => {
      const deep = join(folder(), 'd'.repeat(60), 'e'.repeat(60));
      await open(deep);
      const path = doorPath(join(deep, 'home'));
      const { code } = await runInProcess(deep, LIST);

      expect([code, path.startsWith(deep), Buffer.byteLength(path) < 104]).toEqual([0, false, true]);
      expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
    },
  );

  it('that cannot be opened is said, and commands name the process that has the folder', async () => {
    mkdirSync(join(folder(), 'home', 'interject.sock', 'taken'), { recursive: true });
    const host = await open();
    writeFileSync(join(folder(), 'chat.jsonl'), '{}\n');
    const { ended } = start('import', 'chat.jsonl');
    const { code, lines } = await ended;

    expect(host.said.join()).toContain('Commands cannot go through this Interject');
    expect([code, lines.at(-1)?.['code']]).toEqual([1, 'data_in_use']);
    expect(lines.at(-1)?.['message']).toContain(`process ${String(process.pid)}`);
  });

  it('refuses flags that set up a whole Interject, and says what to do', async () => {
    await open();
    const { code, lines } = await runInProcess(folder(), [
      ...RUN,
      ...'--env-header X-Team:blue --data home --json'.split(' '),
    ]);

    expect(code).toBe(1);
    expect(lines.at(-1)).toMatchObject({ code: 'data_in_use' });
    expect(lines.at(-1)?.['message']).toContain('--env-header sets up a whole Interject');
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

describe.skipIf(process.platform === 'win32')('a stranger’s data folder whose door leads elsewhere', () => {
  /** A program of this user that would answer whatever comes, and what came. */
  async function listenElsewhere(path: string) {
    const heard: string[] = [];
    const server = createServer((asked, answer) => {
      heard.push(`${asked.method ?? ''} ${String(asked.headers.authorization)}`);
      answer.end(JSON.stringify({ version: VERSION, console: null }));
    });
    server.on('upgrade', (_asked, socket) => {
      heard.push('upgrade');
      socket.destroy();
    });
    await new Promise<void>((listening) => server.listen(path, listening));
    closing.push(() => new Promise((closed) => server.close(() => closed())));
    return heard;
  }
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  it.each([
    [
      'a note that names it',
      (home: string, socket: string) => {
        const note = { path: socket, key: 'k', version: VERSION, pid: process.pid };
        writeFileSync(join(home, 'interject.door'), JSON.stringify(note), { mode: 0o600 });
      },
      0,
    ],
    [
      'a link in the place of the socket',
      (home: string, socket: string) => {
        symlinkSync(socket, doorPath(home));
      },
      // No command opens such a folder.
      2,
    ],
  ])('tells nothing to a socket that %s leads to', async (_how, lead, code) => {
    const home = join(folder(), 'home');
    mkdirSync(home, { mode: 0o700 });
    const heard = await listenElsewhere(join(folder(), 'other.sock'));
    lead(home, join(folder(), 'other.sock'));

    expect(await openDoorLine(home)).toBeNull();
    expect(heard).toEqual([]);
    expect((await runInProcess(folder(), LIST)).code).toBe(code);
    expect(heard).toEqual([]);
  });

  it('tells no more than a knock to who listens in its place and does not read the folder', async () => {
    const home = join(folder(), 'home');
    mkdirSync(home, { mode: 0o700 });
    const heard = await listenElsewhere(doorPath(home));

    expect(await openDoorLine(home)).toBeNull();
    expect(heard).toEqual([expect.stringMatching(/^GET Bearer [\w-]{43}$/)]);
    expect(knocksIn(home)).toEqual([]);
  });
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
    expect(readFileSync(join(folder(), 'home', 'interject.db')).length).toBeGreaterThan(0);
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
      const home = join(folder(), 'home');
      writeFileSync(
        join(folder(), 'split.json'),
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
