// Distinct secrets are planted at every door of the tap and of the settings; then every byte of the data folder is
// searched for each of them.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTranscriptsDoor } from '../../src/main/gateway/transcripts/door.ts';
import { createFileSecrets } from '../../src/main/settings/fileSecrets.ts';
import { createSettings } from '../../src/main/settings/settings.ts';
import { shownAddress } from '../../src/shared/redact/address.ts';
import { PLANTED, PLANTED_RESET, plantedIn, plantedUnder } from '../support/plantedSecrets.ts';
import { USUAL_CONNECTION } from '../../src/shared/serverConnection.ts';
import { openGuardedEnvironment } from '../support/secretsEnvironment.ts';
import { connect, openTap } from '../support/tap.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'interject-planted-'));
  mkdirSync(join(folder, 'home'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('secrets planted at every door', () => {
  it('of a tap’s client and its transcript are in no byte of the data folder, and all frames passed as they were', async () => {
    const environment = await openGuardedEnvironment({
      user: 'ada',
      password: PLANTED.envPassword,
      key: PLANTED.envKey,
      header: PLANTED.envHeader,
    });
    const tapped = await openTap(shownAddress(environment.url), {}, join(folder, 'home'), {
      workingAddress: () => environment.url,
      connectionOf: () => ({ ...USUAL_CONNECTION, headers: { 'X-Pass': PLANTED.envHeader } }),
    });
    try {
      const client = await connect(tapped.url);
      const frame = JSON.stringify({ type: 'reset', data: PLANTED_RESET });
      const reply = await client.raw(frame);
      await client.call('sign_in', { password: PLANTED.resetNested });
      await client.call('nothing');
      const [id = ''] = await tapped.episodes();
      await tapped.until(id, ({ turns }) => turns.length >= 2);
      const door = createTranscriptsDoor({
        log: tapped.log,
        linker: { named: () => tapped.log.record(id) },
        recorded: () => Promise.resolve(true),
      } as never);
      const messages = [
        { role: 'user', content: `my key is ${PLANTED.toldShape}` },
        { role: 'assistant', content: 'ok' },
      ];
      const request = new Request(`http://h/episodes/${id}/messages`, {
        method: 'POST',
        body: JSON.stringify({ messages }),
      });
      const told = await door.handle(request, { key: { environment: null } } as never);
      client.socket.close();
      await tapped.until(id, ({ ended }) => ended);

      expect(told.status).toBe(200);
      expect(environment.seen[0]).toBe(frame);
      expect(reply).toContain(PLANTED.resetCreds);
      expect(tapped.log.record(id).reset?.request).toMatchObject({ pwd: '[redacted:10]', max_tokens: 2048 });
      expect(plantedUnder(join(folder, 'home'))).toEqual([]);
    } finally {
      await tapped.close();
      environment.close();
    }
  });

  it('of an address are kept among the secrets, shown nowhere, and connect again after a restart', () => {
    const home = join(folder, 'home');
    const open = () => createSettings({ folder: home, environment: {}, secrets: createFileSecrets(home) });
    const url = `http://ada:${encodeURIComponent(PLANTED.envPassword)}@127.0.0.1:8899/?api_key=${PLANTED.envKey}`;
    const base = `https://ada:${PLANTED.modelPassword}@models.test/v1?key=${PLANTED.modelQuery}`;

    const first = open();
    const { id } = first.addEnvironment('guarded', url);
    first.write({ agent: { base_url: base, model: 'm' } });

    const again = open();
    const [kept] = again.environments();
    expect(kept?.id).toBe(id);
    expect(again.workingAddress(kept?.url ?? '')).toBe(url.replace(/\/$/, ''));
    expect(again.model('agent')?.baseUrl).toBe(base);
    expect(plantedIn(JSON.stringify([kept, again.describe(), again.notices()]))).toEqual([]);
    expect(plantedUnder(home)).toEqual([]);
    // Shown and sent back unchanged, the credentials stay; with the environment they go.
    again.write({ agent: { base_url: again.describe().agent.base_url, model: 'other' } });
    expect(open().model('agent')?.baseUrl).toBe(base);
    again.removeEnvironment(id);
    expect(readFileSync(join(home, 'secrets.json'), 'utf8')).not.toContain(PLANTED.envKey);
  });

  it('of a settings file written before are moved to the secrets, and the environment keeps its id', () => {
    const home = join(folder, 'home');
    const secrets = createFileSecrets(home);
    const url = `http://ada:${PLANTED.modelPassword}@127.0.0.1:8899`;
    const before = { environments: [{ id: 'env-0123456789', name: 'old', url, builtin: false }] };
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'settings.json'), JSON.stringify(before));

    const settings = createSettings({ folder: home, environment: {}, secrets });

    const [kept] = settings.environments();
    expect(kept?.id).toBe('env-0123456789');
    expect(settings.workingAddress(kept?.url ?? '')).toBe(url);
    expect(plantedUnder(home)).toEqual([]);
  });
});
