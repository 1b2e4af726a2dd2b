// Clients of the tap in front of an environment whose server Interject starts.
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createManagedServers, type ManagedServers } from '../../src/main/environments/managedServers.ts';
import { readAddress } from '../../src/main/openenv/address.ts';
import { ManagedServer } from '../../src/shared/managedServer.ts';
import { freePort } from '../support/freePort.ts';
import { connect, newFolder, openTap, type OpenTap } from '../support/tap.ts';

const webSockets = createRequire(import.meta.url).resolve('ws');

/** Answers every frame alike. */
const SERVER = `
const { createServer } = require('node:http');
const { WebSocketServer } = require(${JSON.stringify(webSockets)});
const server = createServer((request, answer) => answer.end(JSON.stringify({ at: request.url })));
new WebSocketServer({ server }).on('connection', (socket) => {
  const observation = { metadata: {}, reward_type: 'reset_ok', task: 'Rename it.', scenario: 's_1', task_idx: 0 };
  socket.on('message', () =>
    socket.send(JSON.stringify({ type: 'observation', data: { observation, reward: null, done: false } })));
});
server.listen(Number(process.argv[2]), '127.0.0.1');
`;

let folder = '';
let tapped: OpenTap;
let servers: ManagedServers;
let failures: unknown[] = [];
let uses = 0;
let notices: string[] = [];
let server: ManagedServer | null = null;

beforeEach(async () => {
  folder = newFolder();
  const port = await freePort();
  const script = join(folder, 'server.cjs');
  writeFileSync(script, SERVER);
  failures = [];
  uses = 0;
  notices = [];
  server = ManagedServer.parse({ command: `"${process.execPath}" "${script}" ${String(port)}` });
  servers = createManagedServers({
    serverOf: () => server,
    addressOf: ({ url }) => readAddress(url),
    folder: join(folder, 'servers'),
    tell: (notice) => void notices.push(notice),
  });
  const use: ManagedServers['use'] = (id) => {
    const leave = servers.use(id);
    uses += 1;
    return () => {
      leave();
      uses -= 1;
    };
  };
  const failed = (_: unknown, thrown: unknown): void => void failures.push(thrown);
  tapped = await openTap(`http://127.0.0.1:${String(port)}`, {}, undefined, {
    servers: { ...servers, use, failed },
  });
  await tapped.tap.settled();
});
afterEach(async () => {
  await tapped.close();
  await servers.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a client of the tap in front of a server that Interject starts', () => {
  it('has it started, waits until it is well, and plays on it; the server is in use until the episode ends', async () => {
    expect(servers.status('env').state).toBe('stopped');

    const client = await connect(tapped.url);
    const { data } = await client.reset();

    expect(data.observation).toMatchObject({ task: 'Rename it.' });
    expect(servers.status('env').state).toBe('running');
    await expect.poll(() => uses).toBe(1);
    client.socket.close(1000);
    await expect.poll(() => uses).toBe(0);
  });

  it('has it started by a question over HTTP too, once for all who ask', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => fetch(`${tapped.url}/schema`)));

    expect(await Promise.all(answers.map((one) => one.json()))).toEqual(
      [1, 2, 3].map(() => ({ at: '/schema' })),
    );
    expect(notices).toEqual([expect.stringContaining('Starting'), expect.stringContaining('is ready')]);
  });

  it('is told that it could not be started, and not what the server printed, which the owner is told', async () => {
    server = ManagedServer.parse({
      command: `"${process.execPath}" -e "console.error('the key k-123 is wrong'); process.exit(3)"`,
    });

    const answer = await fetch(`${tapped.url}/schema`);
    const text = await answer.text();

    expect(answer.status).toBe(502);
    expect(text).toContain('its server could not be started');
    expect(text).not.toContain('k-123');
    expect(failures).toMatchObject([{ message: expect.stringContaining('k-123') }]);
    await expect(connect(tapped.url)).rejects.toThrow('502');
  });

  it('is refused at once where the server is not Interject’s to start', async () => {
    server = null;

    expect(await (await fetch(`${tapped.url}/schema`)).text()).toContain('cannot be reached');
    await expect(connect(tapped.url)).rejects.toThrow('502');
    expect(failures).toEqual([]);
  });
});
