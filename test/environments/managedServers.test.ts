import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { leftOverServers } from '../../src/main/commands/notices.ts';
import { readAddress } from '../../src/main/openenv/address.ts';
import { createManagedServers } from '../../src/main/environments/managedServers.ts';
import {
  isAlive,
  isGroupAlive,
  markedProcess,
  startProcess,
  stopGroup,
  writeMark,
} from '../../src/main/environments/serverProcess.ts';
import { serversCheck } from '../../src/main/hosts/serverChecks.ts';
import { commandWords } from '../../src/shared/commandWords.ts';
import { serverSpec } from '../../src/shared/environmentKinds.ts';
import { ManagedServer } from '../../src/shared/managedServer.ts';
import { freePort } from '../support/freePort.ts';

let folder = '';
let port = 0;
const closers: (() => Promise<void>)[] = [];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'managed '));
  port = await freePort();
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  rmSync(folder, { recursive: true, force: true });
});

/** A server that has a child of its own, as a server of sub-environments has. */
const SERVER = `
const { createServer } = require('node:http');
const { spawn } = require('node:child_process');
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
console.log('child ' + child.pid + ' ' + process.env.GREETING);
createServer((_, answer) => answer.end('{"status":"healthy"}')).listen(Number(process.argv[2]), '127.0.0.1');
`;

function manager(source: string, over: Partial<ManagedServer> = {}) {
  const script = join(folder, 'server of mine.cjs');
  writeFileSync(script, source);
  const command = `"${process.execPath}" "${script}" ${String(port)}`;
  const server = ManagedServer.parse({ command, env: { GREETING: 'hello' }, ...over });
  const notices: string[] = [];
  const servers = createManagedServers({
    serverOf: () => server,
    addressOf: ({ url }) => readAddress(url),
    folder: join(folder, 'servers'),
    tell: (notice) => void notices.push(notice),
  });
  closers.push(() => servers.stop('env-1'));
  const spec = serverSpec('env-1', 'Mine', `http://127.0.0.1:${String(port)}`);
  return { servers, spec, notices };
}

const childOf = (log: string): number => Number(/child (\d+)/.exec(log)?.[1]);

it('starts the server once for all who need it, waits until it is well, and keeps what it prints', async () => {
  const { servers, spec, notices } = manager(SERVER);

  await Promise.all([servers.start(spec), servers.start(spec)]);

  expect(servers.status('env-1')).toMatchObject({ state: 'running', log: expect.stringContaining('hello') });
  expect((await fetch(`${spec.url}/health`)).ok).toBe(true);
  expect(notices).toEqual([
    expect.stringContaining('Starting the server of Mine'),
    'The server of Mine is ready.',
  ]);
});

it('stops it with everything it started when Interject closes', async () => {
  const { servers, spec } = manager(SERVER);
  await servers.start(spec);
  const { pid, log } = servers.status('env-1');

  await servers.close();

  expect([pid, childOf(log)].map((one) => isAlive(one ?? 0))).toEqual([false, false]);
  expect(servers.status('env-1').state).toBe('stopped');
});

it('kills a server that does not end when it is asked to', async () => {
  const { servers, spec } = manager(`process.on('SIGTERM', () => {});${SERVER}`);
  await servers.start(spec);
  const { pid } = servers.status('env-1');

  await servers.close();

  expect(isAlive(pid ?? 0)).toBe(false);
});

it('finds a server that a killed Interject left, uses it, and stops it when told to', async () => {
  const first = manager(SERVER);
  await first.servers.start(first.spec);
  const { pid } = first.servers.status('env-1');
  const { servers, spec, notices } = manager(SERVER);

  expect(servers.status('env-1')).toMatchObject({ state: 'left_over', pid });
  expect(leftOverServers({ environments: () => [spec] }, servers)).toEqual([
    expect.stringContaining(`Mine still runs (process ${String(pid)})`),
  ]);
  await servers.start(spec);
  expect(notices).toEqual([]);
  await servers.stop('env-1');
  expect(isAlive(pid ?? 0)).toBe(false);
});

it('starts a server again that was killed a moment ago', async () => {
  const { servers, spec } = manager(SERVER);
  await servers.start(spec);
  const { pid } = servers.status('env-1');
  process.kill(pid ?? Number.NaN, 'SIGKILL');
  await expect.poll(() => fetch(`${spec.url}/health`).catch(() => null)).toBeNull();

  await servers.start(spec);

  expect((await fetch(`${spec.url}/health`)).ok).toBe(true);
  expect(servers.status('env-1').pid).not.toBe(pid);
});

/** Once it was asked for `/die` it takes three more connections and breaks them off, as a system does for a killed one. */
const DYING = `
const { createServer } = require('node:http');
let left = Infinity;
const server = createServer(({ url }, answer) => {
  if (url === '/die') left = 3;
  answer.writeHead(200, { connection: 'close' }).end('{"status":"healthy"}');
});
server.on('connection', (socket) => {
  if (left === Infinity) return;
  socket.resetAndDestroy();
  left -= 1;
  if (left === 0) process.exit(1);
});
server.listen(Number(process.argv[2]), '127.0.0.1');
`;

it('starts a server again whose port still takes connections while it is being killed', async () => {
  const { servers, spec } = manager(DYING);
  await servers.start(spec);
  const { pid } = servers.status('env-1');
  await fetch(`${spec.url}/die`);

  await servers.start(spec);

  expect((await fetch(`${spec.url}/health`)).ok).toBe(true);
  expect(servers.status('env-1').pid).not.toBe(pid);
});

it('starts a server again in the moment in which the connection to it breaks', async () => {
  const { servers, spec } = manager(SERVER);
  for (let killed = 0; killed < 5; killed += 1) {
    await servers.start(spec);
    const line = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(line, 'connect');
    const closed = new Promise((resolve) => line.resume().once('close', resolve));
    process.kill(servers.status('env-1').pid ?? Number.NaN, 'SIGKILL');
    await closed;

    await servers.start(spec);

    expect((await fetch(`${spec.url}/health`)).ok).toBe(true);
  }
});

/** A server whose child is in a group of its own, as AWM's sub-environments are. */
const PARENT = SERVER.replace("{ stdio: 'ignore' }", "{ stdio: 'ignore', detached: true }");

it.skipIf(process.platform !== 'linux')(
  'names what a killed server left in groups of their own, and ends that on stop, and nothing else',
  async () => {
    const { servers, spec } = manager(PARENT);
    await servers.start(spec);
    const { pid, log } = servers.status('env-1');
    const left = childOf(log);
    // The same command, started by somebody else.
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    closers.push(async () => void other.kill('SIGKILL'));
    process.kill(pid ?? Number.NaN, 'SIGKILL');
    await expect.poll(() => servers.status('env-1').state).toBe('stopped');

    expect(servers.status('env-1').left).toEqual([
      { pid: left, command: `${process.execPath} -e setInterval(() => {}, 1000)` },
    ]);
    const later = manager(PARENT).servers;
    expect(leftOverServers({ environments: () => [spec] }, later)).toEqual([
      expect.stringContaining(`Mine has ended, but what it started still runs (processes ${String(left)})`),
    ]);
    const settings = { environments: () => [spec], environmentServer: () => null };
    expect(serversCheck(settings, folder)).toEqual({
      status: 'warn',
      evidence: expect.stringContaining(`Mine: process ${String(left)}`),
    });
    await later.stop('env-1');
    expect(serversCheck(settings, folder)).toEqual({ status: 'pass', evidence: 'none runs' });
    expect([left, other.pid].map((one) => isAlive(one ?? 0))).toEqual([false, true]);
    expect(servers.status('env-1').left).toEqual([]);
  },
);

it.skipIf(process.platform !== 'linux')(
  'ends what a killed server left before it starts the server again, and when Interject closes',
  async () => {
    const { servers, spec } = manager(PARENT);
    const killed = async (): Promise<number> => {
      await servers.start(spec);
      const { pid, log } = servers.status('env-1');
      process.kill(pid ?? Number.NaN, 'SIGKILL');
      await expect.poll(() => servers.status('env-1').state).toBe('stopped');
      return Number(
        log
          .match(/child (\d+)/g)
          ?.at(-1)
          ?.slice(6),
      );
    };
    const first = await killed();
    const second = await killed();

    expect([first, second].map(isAlive)).toEqual([false, true]);
    await servers.close();
    expect(isAlive(second)).toBe(false);
  },
);

/** Starts the server in its own process group and ends. */
const LAUNCHER = `
const { spawn } = require('node:child_process');
const source = ${JSON.stringify(SERVER)};
spawn(process.execPath, ['-e', source, '--', 'x', process.argv[2]], { stdio: 'inherit' }).unref();
`;

it('knows a server whose command ended once it had started it, finds it again, and stops it', async () => {
  const first = manager(LAUNCHER);
  await first.servers.start(first.spec);
  const { pid, log } = first.servers.status('env-1');
  await expect.poll(() => isAlive(pid ?? 0)).toBe(false);

  expect(first.servers.status('env-1')).toMatchObject({ state: 'running', pid });
  const { servers } = manager(LAUNCHER);
  expect(servers.status('env-1')).toMatchObject({ state: 'left_over', pid });
  await first.servers.close();
  expect(isAlive(childOf(log))).toBe(false);
  expect(servers.status('env-1').state).toBe('stopped');
});

it('knows a server whose command ended before anybody could look at it', async () => {
  const script = join(folder, 'launcher.cjs');
  const sleeper = "['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' }";
  writeFileSync(script, `require('node:child_process').spawn(process.execPath, ${sleeper}).unref()`);
  const server = ManagedServer.parse({ command: `"${process.execPath}" "${script}" ${String(port)}` });
  const child = await startProcess(server, { logFile: join(folder, 'log'), folder, token: 'one' });
  await once(child, 'exit');
  const pid = child.pid ?? Number.NaN;
  const mark = join(folder, 'mark.json');

  writeMark(mark, pid);

  expect(markedProcess(mark)).toBe(pid);
  await stopGroup(pid, () => !isGroupAlive(pid));
  expect(markedProcess(mark)).toBeNull();
});

it('says what the server printed where it ends before it is ready', async () => {
  const { servers, spec } = manager('console.error("no module named shop"); process.exit(3)');

  await expect(servers.start(spec)).rejects.toMatchObject({
    code: 'env_unreachable',
    message: expect.stringMatching(/ended with 3[\s\S]*no module named shop/),
  });
});

it('starts a command with quotes inside of quotes as it stands', async () => {
  const { servers, spec } = manager('', {
    command: `"${process.execPath}" -e "console.error('the port is taken'); process.exit(3)"`,
  });

  await expect(servers.start(spec)).rejects.toMatchObject({
    message: expect.stringMatching(/: the port is taken$/),
  });
});

it('says which program there is none of, and passes words on without a shell', async () => {
  const { servers, spec } = manager('', { command: 'no-such-program $(touch x)' });

  await expect(servers.start(spec)).rejects.toMatchObject({ code: 'bad_input' });
  expect(commandWords(`run "two words" --x='a b' $HOME;`)).toEqual(['run', 'two words', '--x=a b', '$HOME;']);
});
