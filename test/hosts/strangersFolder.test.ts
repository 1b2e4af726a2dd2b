// A data folder, or a backup of one, that comes from a stranger: whatever its files say, nothing of it is run.
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Method } from '../../src/shared/contract/contract.ts';
import { typeIn } from '../support/commandLine.ts';
import { killedCopy, writeSettings } from '../support/dataFolder.ts';
import { openHost, type Host } from '../support/host.ts';
import { runCommand } from '../support/inProcess.ts';
import { startOpenAiServer, type OpenAiServer } from '../support/openaiServer.ts';
import { startInput } from '../support/product.ts';
import { endTap, startServing, type ServingConsole } from '../support/serving.ts';
import { PACK } from '../support/worlds.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const folder = folderPerTest();
let home = '';
const marker = (): string => join(folder(), 'was-run');
/** As a stranger would write it, with or without a shell. */
const touch = (): string => `"${process.execPath}" -e "require('fs').writeFileSync('${marker()}','')"`;
let model: OpenAiServer;
const endpoint = () => ({ provider: 'openai', base_url: model.url, model: 'm' });
const environmentWith = (id: string, over: Record<string, unknown>) => ({
  id,
  name: id,
  url: `http://127.0.0.1:9/${id}`,
  builtin: false,
  ...over,
});
const server = (uses_shell: boolean) => ({
  command: touch(),
  uses_shell,
  cwd: null,
  env: {},
  health_url: null,
  idle_minutes: null,
});

beforeEach(async () => {
  model = await startOpenAiServer(() => ({ content: 'Done.' }));
  home = join(folder(), 'home');
  mkdirSync(home);
  const settings = {
    agent: { ...endpoint(), token_command: touch(), tokenCommand: touch() },
    expert: { ...endpoint(), token_command: touch() },
    profiles: [
      { name: 'runs', ...endpoint(), api_version: null, token_command: touch() },
      { name: 'fine', ...endpoint(), api_version: null },
    ],
    environments: [
      environmentWith('env-shell', { server: server(true) }),
      environmentWith('env-plain', { server: server(false), command: touch() }),
      environmentWith('env-fine', {}),
    ],
    python: touch(),
    browser: touch(),
  };
  writeFileSync(join(home, 'settings.json'), JSON.stringify(settings), { mode: 0o600 });
});
afterEach(async () => {
  await model.close().catch(() => undefined);
});

/** Everything that an owner may try with what the settings list. */
async function useAll(host: Host): Promise<void> {
  const call = host.as('seat-one');
  const attempt = (method: Method, input: unknown) =>
    host.route(method, input, { seat: 'seat-one' }).catch(() => null);
  for (const environment of ['env-shell', 'env-plain', 'env-fine']) {
    await attempt('environments.check', { url: `http://127.0.0.1:9/${environment}` });
    await attempt('scenarios.list', { environment, is_fresh: true });
    await attempt('environments.overview', { id: environment });
  }
  for (const role of ['agent', 'expert'])
    for (const profile of [undefined, 'runs', 'fine'])
      await attempt('models.probe', {
        role,
        probe: 'answer',
        id: 'one',
        ...(profile === undefined ? {} : { profile }),
      });
  const { episodes } = await call(
    'episode.start',
    startInput({ agent: { policy: 'chat', protocol: 'native', model: 'm' }, condition: 'model' }),
  );
  for (const episode of episodes) await host.ended(episode);
}

describe('a stranger’s data folder', () => {
  it('runs none of the commands that its settings name, however it is used', async () => {
    const host = await openHost(folder());
    try {
      await host.as('seat-one')('folder.settle', { keep: true });
      await useAll(host);
    } finally {
      await host.stop();
    }
    await runCommand(folder(), ['run', '--data', 'home', '--env', 'env-shell', '--task', '0']);

    expect(existsSync(marker())).toBe(false);
  });

  it('runs none of them as a backup that is taken up again, and the rest of it works', async () => {
    const made = await openHost(folder());
    await made.as('seat-one')('folder.settle', { keep: true });
    await made.stop();
    for (const name of ['tap.json', 'a.knock']) writeFileSync(join(home, name), '{"pid":1,"port":1}');
    expect((await runCommand(folder(), ['backup', '--data', 'home', '--out', 'copy'])).code).toBe(0);
    rmSync(home, { recursive: true });
    for (const name of ['tap.json', 'a.knock']) expect(existsSync(join(folder(), 'copy', name))).toBe(false);
    const restored = join(folder(), 'restored');
    mkdirSync(restored);
    cpSync(join(folder(), 'copy'), join(restored, 'home'), { recursive: true });
    const host = await openHost(restored);
    try {
      await host.as('seat-one')('folder.settle', { keep: true });
      const { environments } = await host.as('seat-one')('environments.list', {});
      expect(environments.map(({ name }) => name)).toContain('env-fine');
      await useAll(host);
    } finally {
      await host.stop();
    }

    expect(existsSync(marker())).toBe(false);
  });
});

/** What its maker would come in with, and the address they chose. */
type Stranger = { invite: string; console: string; expert: string; owner: string; episode: string };

/** Everything that speaks to the address counts, whatever it says; it is never answered. */
async function startListening() {
  let connections = 0;
  const authorizations: string[] = [];
  const server = createServer((request, response) => {
    authorizations.push(request.headers.authorization ?? '');
    request.resume();
    response.on('error', () => undefined);
  });
  server.on('connection', () => (connections += 1));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    connections: () => connections,
    authorizations,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  };
}

/** A folder with invites, keys, addresses and an episode whose program was killed; its backup lies in `copy`. */
async function makeStrangers(address: string, asked: () => number): Promise<Stranger> {
  rmSync(home, { recursive: true });
  const serving = await startServing(home, ['--port', '0'], {
    INTERJECT_AGENT_API_KEY: 'sk-of-the-stranger',
  });
  const { call, ready } = serving;
  await call('settings.change', { agent: { base_url: `${address}/v1`, model: 'm' } });
  await call('environments.add', { name: 'Elsewhere', url: address });
  const invite = await call('invites.create', { label: 'Me' });
  const limits = { environment: null, per_minute: null, at_once: null };
  const keyTo = async (scope: 'console' | 'expert') =>
    (await call('keys.create', { name: scope, scopes: [scope], ...limits })).secret;
  const stranger = { invite: invite.token, console: await keyTo('console'), expert: await keyTo('expert') };
  const plays = startInput({ agent: { policy: 'chat', protocol: 'native', model: 'm' }, condition: 'none' });
  const [episode = ''] = (await call('episode.start', plays)).episodes;
  await expect.poll(asked).toBeGreaterThan(0);
  await serving.kill();
  endTap(home);
  const copied = await runCommand(folder(), ['backup', '--data', 'home', '--out', 'copy', '--keys']);
  expect(copied.code).toBe(0);
  return { ...stranger, owner: String(ready['token']), episode };
}

/** How the console answers a token, and the expert's door a key. */
async function doorsOf({ ready }: ServingConsole) {
  const origin = new URL(String(ready['url'])).origin;
  const { expert } = ready['gateway'] as { expert: string };
  const answer = async (url: string, token: string): Promise<number> => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    await response.arrayBuffer();
    return response.status;
  };
  return {
    console: (token: string) => answer(`${origin}/console`, token),
    expert: (key: string) => answer(`${expert}/models`, key),
  };
}

const statuses = async (serving: ServingConsole, { owner, invite, console, expert }: Stranger) => {
  const doors = await doorsOf(serving);
  return [
    await doors.console(owner),
    await doors.console(invite),
    await doors.console(console),
    await doors.expert(expert),
  ];
};

describe('a backup that somebody else made, taken up by `serve`', () => {
  let listening: Awaited<ReturnType<typeof startListening>>;
  let serving: ServingConsole | null = null;
  let copy = '';
  beforeEach(async () => {
    listening = await startListening();
    copy = join(folder(), 'copy');
  });
  afterEach(async () => {
    await serving?.kill();
    serving = null;
    endTap(copy);
    await listening.close();
  });
  const serve = async (flags: string[] = []): Promise<ServingConsole> =>
    (serving = await startServing(copy, ['--port', '0', ...flags], {
      INTERJECT_AGENT_API_KEY: 'sk-of-the-owner',
    }));
  const cameWith = async () => (await serving?.call('app.describe', {}))?.came_with;

  it('lets its maker in nowhere, speaks to no address of theirs and goes on with nothing, until the owner keeps it', async () => {
    const stranger = await makeStrangers(listening.url, listening.connections);
    const spoken = listening.connections();
    const here = await serve();
    const { call } = here;

    expect(await statuses(here, stranger)).toEqual([401, 401, 401, 401]);
    expect(await cameWith()).toEqual(expect.arrayContaining(['1 invite', expect.stringContaining('key')]));
    expect(
      (await call('episode.read', { episode: stranger.episode, after: 0, limit: 2000 })).events,
    ).toContainEqual(
      expect.objectContaining({ event: expect.objectContaining({ kind: 'episode.broke_off' }) }),
    );
    const asked = call('models.probe', { role: 'agent', probe: 'answer', id: 'a' });
    await expect(asked).rejects.toMatchObject({ code: 'model_not_configured' });
    expect(listening.connections()).toBe(spoken);

    await call('folder.settle', { keep: true });
    expect(await statuses(here, stranger)).toEqual([401, 204, 204, 200]);
    expect(await cameWith()).toBeUndefined();
    await call('episode.settle', { episode: stranger.episode, act: 'go_on' });
    await expect.poll(() => listening.authorizations).toContain('Bearer sk-of-the-owner');
  });

  it('holds nothing of it after "start without", also after the next start, and has its episodes still', async () => {
    const stranger = await makeStrangers(listening.url, listening.connections);
    const spoken = listening.connections();
    await serve(['--no-keep-settings']);
    expect(await cameWith()).toBeUndefined();
    await serving?.kill();
    endTap(copy);

    const here = await serve();
    const { call } = here;
    expect(await statuses(here, stranger)).toEqual([401, 401, 401, 401]);
    expect((await call('access.list', {})).invites).toEqual([]);
    await call('episode.settle', { episode: stranger.episode, act: 'end' });
    expect(listening.connections()).toBe(spoken);
  });
});

describe('a data folder of this user', () => {
  it('asks nothing where it was moved, and its invites hold; copied to another user it asks', async () => {
    rmSync(home, { recursive: true });
    const made = await startServing(home, ['--port', '0']);
    const { token } = await made.call('invites.create', { label: 'Ada' });
    await made.kill();
    endTap(home);
    const moved = join(folder(), 'moved');
    renameSync(home, moved);
    cpSync(moved, join(folder(), 'copied'), { recursive: true });

    const own = await startServing(moved, ['--port', '0']);
    const held = await (await doorsOf(own)).console(token);
    const asked = (await own.call('app.describe', {})).came_with;
    await own.kill();
    endTap(moved);
    const another = { XDG_CONFIG_HOME: join(folder(), 'config-of-another') };
    const elsewhere = await startServing(join(folder(), 'copied'), ['--port', '0'], another);
    const refused = await (await doorsOf(elsewhere)).console(token);
    const askedThere = (await elsewhere.call('app.describe', {})).came_with;
    await elsewhere.kill();
    endTap(join(folder(), 'copied'));

    expect([held, asked]).toEqual([204, undefined]);
    expect([refused, askedThere]).toEqual([401, expect.arrayContaining(['1 invite'])]);
  });
});

describe('a copy of a data folder of this user', () => {
  it('whose mark is a hard link to that of a folder that is, as an archive can hold one, asks', async () => {
    const made = await openHost(folder());
    await made.as('seat-one')('invites.create', { label: 'Ada' });
    await made.stop();
    const copy = join(folder(), 'copy');
    cpSync(home, copy, { recursive: true });
    rmSync(join(copy, 'interject.owner'), { force: true });
    linkSync(join(home, 'interject.owner'), join(copy, 'interject.owner'));

    const back = await startServing(copy, ['--port', '0']);
    const asked = (await back.call('app.describe', {})).came_with;
    await back.kill();
    endTap(copy);

    expect(asked).toEqual(expect.arrayContaining(['1 invite']));
  });

  it('that was given away and comes back, into the place of its own too, is known for one and asks', async () => {
    rmSync(home, { recursive: true });
    const made = await openHost(folder());
    const { token } = await made.as('seat-one')('invites.create', { label: 'Ada' });
    await made.stop();
    const copy = join(folder(), 'copy');
    cpSync(home, copy, { recursive: true, preserveTimestamps: true });
    rmSync(home, { recursive: true });
    renameSync(copy, home);

    const back = await startServing(home, ['--port', '0']);
    const refused = await (await doorsOf(back)).console(token);
    const asked = (await back.call('app.describe', {})).came_with;
    await back.kill();
    endTap(home);

    expect([refused, asked]).toEqual([401, expect.arrayContaining(['1 invite'])]);
  });
});

describe('an odd file in a data folder of this user', () => {
  const ODD: Record<string, (path: string) => unknown> = {
    'a folder': (path) => mkdirSync(path),
    'a link to nothing': (path) => symlinkSync(join(folder(), 'nowhere'), path),
    'a socket': (path) =>
      new Promise<void>((wake) =>
        createServer()
          .unref()
          .listen(path, () => wake()),
      ),
    'a file': (path) => writeFileSync(path, 'x'),
  };
  const NAMES = [
    'came-with',
    'exports',
    'interject.mark',
    'interject.owner',
    'key-use.json',
    'keys.json',
    'secrets.json',
    'sessions',
    'settings.json',
  ];
  const COMMANDS = [
    ['invite', 'Bea'],
    ['backup', '--out', 'backup'],
    ['erase', 'nothing'],
  ];

  it.each(Object.keys(ODD))('is named where it is in the way, whatever is asked: %s', async (odd) => {
    const made = await openHost(folder());
    await made.as('seat-one')('invites.create', { label: 'Ada' });
    await made.stop();
    const said: string[] = [];
    for (const name of NAMES) {
      const odds = killedCopy(home);
      rmSync(join(odds, name), { recursive: true, force: true });
      await ODD[odd]?.(join(odds, name));
      for (const args of COMMANDS) {
        const { code, written } = await runCommand(odds, [...args, '--json', '--data', odds]);
        if (code !== 0 && written.includes('"internal"')) said.push(`${name}: ${written}`);
      }
      rmSync(odds, { recursive: true });
    }

    expect(said).toEqual([]);
  });
});

describe('a link in a data folder that was made elsewhere', () => {
  it.each([
    ['in which things are set aside, to another folder of this user', 'came-with', 'own'],
    ['in which things are set aside, to itself', 'came-with', '.'],
    ['for the mark, to that of another folder of this user', 'interject.owner', 'own/interject.owner'],
    ['for its settings', 'settings.json', 'own/settings.json'],
  ])('is refused before anything is read or written: %s', async (_what, name, leadsTo) => {
    const own = join(folder(), 'own');
    await writeSettings(own, { prices: { mine: {} } });
    const before = readFileSync(join(own, 'settings.json'), 'utf8');
    const strangers = join(folder(), 'strangers');
    mkdirSync(strangers);
    for (const file of ['settings.json', 'keys.json'])
      if (file !== name) writeFileSync(join(strangers, file), '{"environments":[]}');
    symlinkSync(leadsTo === '.' ? '.' : join(folder(), leadsTo), join(strangers, name));

    const { codes, err } = await typeIn(folder(), [
      { args: ['run', '--world', PACK, '--task', '0', '--data', strangers] },
    ]);

    expect(codes).not.toEqual([0]);
    expect(err).toContain(`${name} is no plain file or folder`);
    expect(readFileSync(join(own, 'settings.json'), 'utf8')).toBe(before);
    expect(existsSync(join(own, 'keys.json'))).toBe(false);
  });
});

describe('a message of the contract', () => {
  it('that names a command is refused: none of them has a place for one', async () => {
    const host = await openHost(folder());
    const refused = (method: string, input: unknown) =>
      expect(host.route(method as Method, input, { seat: 'seat-one' })).rejects.toThrow();
    const episode = {
      episode: 'episode-one',
      start: startInput(),
      group: null,
      repeat: 0,
      answers: null,
      settings: { models: { agent: { ...endpoint(), tokenCommand: touch() } } },
    };
    try {
      await refused('launch.episode', episode);
      await refused('launch.models', { settings: episode.settings });
      await refused('settings.change', {
        profiles: {
          save: {
            name: 'x',
            ...endpoint(),
            api_version: null,
            token_command: touch(),
          },
        },
      });
      await refused('settings.change', { agent: { token_command: touch() } });
    } finally {
      await host.stop();
    }

    expect(existsSync(marker())).toBe(false);
  });
});
