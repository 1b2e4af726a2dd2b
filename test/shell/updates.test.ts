import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  channelFile,
  compareVersions,
  newestVersion,
  readFeed,
  type Channel,
  type Feed,
} from '../../src/main/desktop/updateFeed.ts';
import { createUpdates, type UpdateChoices, type UpdateEdges } from '../../src/main/desktop/updates.ts';

/** As electron-builder 26 writes it beside an AppImage. */
const toldOf = (version: string): string => `version: ${version}
files:
  - url: interject-${version}-linux-x86_64.AppImage
    sha512: 2aPYDcXmzmTGuV6YmQpvJ3wQ8cYq1v9mC0iUuQ4CeKjzLkQ==
    size: 162313211
    blockMapSize: 170442
path: interject-${version}-linux-x86_64.AppImage
sha512: 2aPYDcXmzmTGuV6YmQpvJ3wQ8cYq1v9mC0iUuQ4CeKjzLkQ==
releaseNotes: |
  version: 99.0.0 is only spoken of here
releaseDate: '2026-11-24T04:55:00.000Z'
`;

let server: Server;
let files: Record<string, string> = {};
let asked: { path: string; headers: string[] }[] = [];
let address = '';
beforeEach(async () => {
  files = {};
  asked = [];
  server = createServer((request, response) => {
    asked.push({ path: request.url ?? '', headers: Object.keys(request.headers) });
    const body = files[request.url ?? ''];
    response.statusCode = body === undefined ? 404 : body === 'broken' ? 500 : 200;
    response.end(body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  address = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterEach(() => void server.close());

const linux = { fetch: (url: string) => fetch(url), platform: 'linux', arch: 'x64' };
const folder = (): Feed => ({ provider: 'generic', url: `${address}/interject/` });

describe('a feed of new versions', () => {
  it('is read as electron-builder writes it, each channel from its own file', async () => {
    files['/interject/latest-linux.yml'] = toldOf('1.2.0');
    files['/interject/beta-linux.yml'] = toldOf('1.3.0-beta.1');

    const here = `${address}/interject`;
    expect(await newestVersion(folder(), 'stable', linux)).toEqual({
      version: '1.2.0',
      folder: here,
      page: `${here}/`,
    });
    expect(await newestVersion(folder(), 'beta', linux)).toMatchObject({ version: '1.3.0-beta.1' });
    expect(await newestVersion(folder(), 'stable', { ...linux, arch: 'arm64' })).toBeNull();
  });

  it('is the list of a repository’s releases too, where only the list tells of betas', async () => {
    const feed: Feed = { provider: 'github', owner: 'them', repo: 'it', host: address };
    files['/them/it/releases.atom'] =
      '<feed><entry><link rel="alternate" href="https://github.com/them/it/releases/tag/v1.3.0-beta.1"/></entry></feed>';
    files['/them/it/releases/download/v1.3.0-beta.1/beta-linux.yml'] = toldOf('1.3.0-beta.1');
    files['/them/it/releases/latest/download/latest-linux.yml'] = toldOf('1.2.0');

    expect(await newestVersion(feed, 'stable', linux)).toMatchObject({
      version: '1.2.0',
      page: `${address}/them/it/releases/latest`,
    });
    expect(await newestVersion(feed, 'beta', linux)).toMatchObject({
      version: '1.3.0-beta.1',
      folder: `${address}/them/it/releases/download/v1.3.0-beta.1`,
    });
  });

  it('gets a request for one file and nothing that tells of a person', async () => {
    files['/interject/latest-linux.yml'] = toldOf('1.2.0');

    await newestVersion(folder(), 'stable', linux);

    expect(asked.map(({ path }) => path)).toEqual(['/interject/latest-linux.yml']);
    expect(
      asked[0]?.headers.filter((name) => /cookie|authorization|referer|interject|^x-/.test(name)),
    ).toEqual([]);
  });

  it('that breaks or tells nonsense is a failure that names its host, and none is no news', async () => {
    files['/interject/latest-linux.yml'] = 'broken';
    await expect(newestVersion(folder(), 'stable', linux)).rejects.toThrow(/127\.0\.0\.1:\d+ .* answers 500/);
    files['/interject/latest-linux.yml'] = 'version: ../../etc\n';
    await expect(newestVersion(folder(), 'stable', linux)).rejects.toThrow(/names no version/);
    server.close();
    server.closeAllConnections();
    await expect(newestVersion(folder(), 'stable', linux)).rejects.toThrow(/could not be asked/);
  });

  it('is named as electron-builder names it on each system', () => {
    expect(channelFile('stable', 'win32', 'x64')).toBe('latest.yml');
    expect(channelFile('beta', 'darwin', 'arm64')).toBe('beta-mac.yml');
    expect(channelFile('stable', 'linux', 'arm64')).toBe('latest-linux-arm64.yml');
  });

  it('is taken from the app’s own file, and never over a line that others can write to', () => {
    expect(
      readFeed('provider: generic\nurl: https://own.example/x\nupdaterCacheDirName: interject-updater\n'),
    ).toEqual({
      provider: 'generic',
      url: 'https://own.example/x',
    });
    expect(readFeed('owner: them\nrepo: it\nprovider: github\n')).toMatchObject({
      owner: 'them',
      repo: 'it',
    });
    expect(readFeed('provider: generic\nurl: http://own.example/x\n')).toBeNull();
    expect(readFeed('provider: s3\nbucket: b\n')).toBeNull();
  });
});

it('versions are ordered as semver.org orders its own examples', () => {
  const ordered = [
    'no version',
    '0.9.9',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.2.0',
    '1.10.0',
    '2.0.0',
  ];

  expect(ordered.toReversed().toSorted(compareVersions)).toEqual(ordered);
  expect(compareVersions('1.0.0+a', '1.0.0+b')).toBe(0);
});

describe('updates of the desktop app', () => {
  let told: string[] = [];
  let answers: string[] = [];
  let choices: UpdateChoices;
  let done: string[] = [];
  const edges = (over: Partial<UpdateEdges> = {}): UpdateEdges => ({
    version: '1.2.0',
    host: 'own.example',
    newest: (channel: Channel) => newestVersion(folder(), channel, linux),
    choices: { read: () => choices, write: (given) => (choices = given) },
    ask: async ({ message, buttons, keepId }) => {
      told.push(message);
      const at = buttons.indexOf(answers.shift() ?? '');
      return at === -1 ? keepId : at;
    },
    download: async ({ version }) => void done.push(`downloaded ${version}`),
    showPage: (page) => void done.push(`shown ${page}`),
    restart: () => void done.push('restarted'),
    say: (text) => void done.push(`said ${text}`),
    changed: () => undefined,
    ...over,
  });
  beforeEach(() => {
    [told, answers, done] = [[], [], []];
    choices = { isCheckedAtStart: null, channel: 'stable', skipped: null };
    files['/interject/latest-linux.yml'] = toldOf('1.3.0');
    files['/interject/beta-linux.yml'] = toldOf('1.4.0-beta.2');
  });

  it('are looked for only after a yes, and that is asked once', async () => {
    answers = ['No'];
    await createUpdates(edges()).start();
    await createUpdates(edges()).start();

    expect(told).toEqual(['Look for new versions when Interject starts?']);
    expect(asked).toEqual([]);
  });

  it('are downloaded and started only after a yes to each', async () => {
    answers = ['Look at each start', 'Download', 'Restart'];
    await createUpdates(edges()).start();

    expect(told).toEqual([
      'Look for new versions when Interject starts?',
      'Interject 1.3.0 is available.',
      'Interject 1.3.0 is ready.',
    ]);
    expect(done).toEqual(['downloaded 1.3.0', 'restarted']);
  });

  it('wait for a restart as long as a person likes', async () => {
    choices.isCheckedAtStart = true;
    answers = ['Download', 'Later'];
    const updates = createUpdates(edges());
    await updates.start();
    expect([updates.ready(), done]).toEqual(['1.3.0', ['downloaded 1.3.0']]);

    answers = ['Restart'];
    await updates.check();
    expect(done).toEqual(['downloaded 1.3.0', 'restarted']);
  });

  it('are not spoken of again once skipped, until a newer one comes or a person asks', async () => {
    choices.isCheckedAtStart = true;
    answers = ['Skip this version'];
    await createUpdates(edges()).start();
    await createUpdates(edges()).start();
    expect(told).toEqual(['Interject 1.3.0 is available.']);

    await createUpdates(edges()).check();
    files['/interject/latest-linux.yml'] = toldOf('1.3.1');
    await createUpdates(edges()).start();
    expect(told.slice(1)).toEqual(['Interject 1.3.0 is available.', 'Interject 1.3.1 is available.']);
    expect(done).toEqual([]);
  });

  it('of the beta channel come only to those who chose it, and never a step back', async () => {
    choices = { isCheckedAtStart: true, channel: 'beta', skipped: null };
    await createUpdates(edges()).start();
    await createUpdates(edges({ version: '1.4.0' })).start();

    expect(told).toEqual(['Interject 1.4.0-beta.2 is available.']);
  });

  it('are shown as a page where the app cannot replace itself', async () => {
    answers = ['Show the page'];
    await createUpdates(edges({ download: null })).check();

    expect(done).toEqual([`shown ${address}/interject/`]);
  });

  it('that fail disturb nobody at the start, and are told to a person who asked', async () => {
    choices.isCheckedAtStart = true;
    files['/interject/latest-linux.yml'] = 'broken';
    await createUpdates(edges()).start();
    expect([told.length, done.length]).toEqual([0, 1]);

    await createUpdates(edges()).check();
    files['/interject/latest-linux.yml'] = toldOf('1.2.0');
    await createUpdates(edges()).check();
    expect(told).toEqual(['The update failed.', 'Interject 1.2.0 is the newest version.']);
  });
});
