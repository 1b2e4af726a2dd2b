// A data folder, or a backup of one, that comes from a stranger: whatever its files say, nothing of it is run.
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Method } from '../../src/shared/contract/contract.ts';
import { openHost, type Host } from '../support/host.ts';
import { runCommand } from '../support/inProcess.ts';
import { startOpenAiServer, type OpenAiServer } from '../support/openaiServer.ts';
import { startInput } from '../support/product.ts';

let folder = '';
let home = '';
const marker = (): string => join(folder, 'was-run');
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
  folder = mkdtempSync(join(tmpdir(), 'interject-stranger-'));
  home = join(folder, 'home');
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
  rmSync(folder, { recursive: true, force: true });
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
    for (const method of ['environments.server', 'environments.start_server'])
      await attempt(method as Method, { id: environment });
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
    const host = await openHost(folder);
    try {
      await useAll(host);
    } finally {
      await host.stop();
    }
    await runCommand(folder, ['run', '--data', 'home', '--env', 'env-shell', '--task', '0']);

    expect(existsSync(marker())).toBe(false);
  });

  it('runs none of them as a backup that is taken up again, and the rest of it works', async () => {
    const made = await openHost(folder);
    await made.stop();
    for (const name of ['tap.json', 'a.knock']) writeFileSync(join(home, name), '{"pid":1,"port":1}');
    expect((await runCommand(folder, ['backup', '--data', 'home', '--out', 'copy'])).code).toBe(0);
    rmSync(home, { recursive: true });
    for (const name of ['tap.json', 'a.knock']) expect(existsSync(join(folder, 'copy', name))).toBe(false);
    const restored = join(folder, 'restored');
    mkdirSync(restored);
    cpSync(join(folder, 'copy'), join(restored, 'home'), { recursive: true });
    const host = await openHost(restored);
    try {
      const { environments } = await host.as('seat-one')('environments.list', {});
      expect(environments.map(({ name }) => name)).toContain('env-fine');
      await useAll(host);
    } finally {
      await host.stop();
    }

    expect(existsSync(marker())).toBe(false);
  });
});

describe('a message of the contract', () => {
  it('that names a command is refused: none of them has a place for one', async () => {
    const host = await openHost(folder);
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
      await refused('environments.set_server', { id: 'env-fine', server: server(true) });
      await refused('environments.start_server', { id: 'env-fine' });
      await refused('profiles.save', {
        name: 'x',
        ...endpoint(),
        api_version: null,
        token_command: touch(),
      });
      await refused('settings.write', { agent: { token_command: touch() } });
    } finally {
      await host.stop();
    }

    expect(existsSync(marker())).toBe(false);
  });
});
