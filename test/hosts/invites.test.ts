import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { SOCKET_VERSION } from '../../src/shared/contract/greeting.ts';
import { createConsoleDoor } from '../../src/main/hosts/consoleDoor.ts';
import { openListener, type Listening } from '../../src/main/hosts/listener.ts';
import { openProduct, removeFolder, type Product } from '../support/product.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

let product: Product;
let listening: Listening;
const files = folderPerTest();

beforeEach(async () => {
  product = await openProduct();
  writeFileSync(join(files(), 'index.html'), '<!doctype html>');
  const door = createConsoleDoor({ app: product, files: files() });
  listening = await openListener(door, {
    host: '127.0.0.1',
    port: 0,
    maxPayload: 1024 * 1024,
    origin: 'same',
  });
});
afterEach(async () => {
  await listening.close();
  await product.close();
  removeFolder(product.folder);
});

const invite = () => product.as('seat-one')('invites.create', { label: 'Ada' });

/** Opens the console's socket as a page with this token would; null when the door refuses. */
async function enter(token: string, seat = 'seat-chosen') {
  const url = `${listening.url.replace('http', 'ws')}/console?seat=${seat}`;
  const socket = new WebSocket(url, [`interject.${token}`]);
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('open', () => resolve(true));
    socket.once('unexpected-response', () => resolve(false));
    socket.on('error', () => undefined);
  });
  if (!isOpen) return null;
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code: number, reason: Buffer) => resolve({ code, reason: reason.toString() }));
  });
  socket.send(JSON.stringify({ type: 'hello', id: 0, version: SOCKET_VERSION }));
  let lastId = 0;
  const say = (message: object): Promise<{ type: string; value?: unknown; failure?: unknown }> =>
    new Promise((resolve) => {
      const id = (lastId += 1);
      socket.on('message', (data: Buffer) => {
        const answer = JSON.parse(data.toString()) as { id: number; type: string };
        if (answer.id === id) resolve(answer);
      });
      socket.send(JSON.stringify({ ...message, id }));
    });
  return {
    call: (method: string, input: object = {}) => say({ type: 'request', method, input }),
    watch: (topic: object) => say({ type: 'subscribe', topic }),
    closed,
    close: () => socket.close(),
  };
}
type Inside = NonNullable<Awaited<ReturnType<typeof enter>>>;
const inside = async (token: string, seat?: string): Promise<Inside> => {
  const found = await enter(token, seat);
  if (found === null) throw new Error('the door refused the token');
  return found;
};

describe('an invite', () => {
  it('opens the console at the seat it was made for, whatever seat the page names', async () => {
    const { invite: made, token } = await invite();
    const first = await inside(token, 'seat-chosen');
    const second = await inside(token, 'seat-other');

    for (const console of [first, second]) {
      expect((await console.call('app.describe')).value).toMatchObject({ seat: made.seat, role: 'expert' });
    }
    expect(
      (await (await inside(product.settings.ownerToken(), 'seat-chosen')).call('app.describe')).value,
    ).toMatchObject({
      seat: 'seat-chosen',
      role: 'owner',
    });
  });

  it('lets in no command but the expert’s, and no stream but episodes', async () => {
    const guest = await inside((await invite()).token);

    expect(await guest.call('settings.read')).toMatchObject({
      type: 'failure',
      failure: { code: 'unauthorized', message: 'settings.read is not for an expert’s seat' },
    });
    expect(await guest.watch({ topic: 'episode', episode: 'seat/seat-one', after: 0 })).toMatchObject({
      type: 'failure',
      failure: { code: 'unauthorized' },
    });
    expect(await guest.watch({ topic: 'desk' })).toMatchObject({ type: 'push' });
  });

  it('that is revoked closes every open console at once, and opens none again', async () => {
    const { invite: made, token } = await invite();
    const other = await invite();
    const guests = [await inside(token), await inside(token)];
    const bystander = await inside(other.token);

    await product.as('seat-one')('access.revoke', { id: made.id });

    for (const { closed } of guests) {
      expect(await closed).toEqual({ code: 4401, reason: 'this invite was revoked' });
    }
    expect(await enter(token)).toBeNull();
    const knock = await fetch(`${listening.url}/console`, { headers: { authorization: `Bearer ${token}` } });
    expect(knock.status).toBe(401);
    expect((await bystander.call('app.describe')).type).toBe('value');
    expect(await product.as('seat-one')('access.list', {})).toMatchObject({ invites: [other.invite] });
  });

  it('that is revoked is off duty at once: an ask that falls back waits for nobody who is gone', async () => {
    const { invite: made, token } = await invite();
    const guests = [await inside(token), await inside(token)];
    expect(product.seats.onDuty()).toEqual([made.seat]);

    await product.as('seat-one')('access.revoke', { id: made.id });
    for (const { closed } of guests) await closed;

    expect(product.seats.onDuty()).toEqual([]);
    expect(product.seats.isAttended('any')).toBe(false);
  });

  it('is worth nothing with another secret, another seat, or another invite’s secret', async () => {
    const { token, invite: made } = await invite();
    const other = await invite();
    const secret = other.token.split('.')[2] ?? '';

    expect(await enter(`${token}x`)).toBeNull();
    expect(await enter(`invite.${made.seat}.${secret}`)).toBeNull();
    expect(await enter(token.replace(made.seat, 'seat-0000'))).toBeNull();
  });

  it('is kept as a hash: neither the settings nor the list hold its token', async () => {
    const { token } = await invite();
    const stored = readFileSync(join(product.folder, 'settings.json'), 'utf8');

    expect(stored).not.toContain(token.split('.')[2]);
    expect(JSON.stringify(await product.as('seat-one')('access.list', {}))).not.toMatch(/sha256|invite\./);
  });

  it('that is not there cannot be revoked', async () => {
    await expect(product.as('seat-one')('access.revoke', { id: 'nobody' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('a key to the console', () => {
  const create = (scopes: ('console' | 'expert')[], atOnce: number | null = null) =>
    product.as('seat-one')('keys.create', {
      name: 'laptop',
      scopes,
      environment: null,
      per_minute: null,
      at_once: atOnce,
    });

  it('opens the owner’s console from another machine, and its use is noted', async () => {
    const { secret, key } = await create(['console']);

    const guest = await enter(secret);
    const described = await guest?.call('app.describe', {});

    expect(described).toMatchObject({ value: { role: 'owner', seat: `key-${key.id}` } });
    expect(product.keys.audit()[0]).toMatchObject({ name: 'laptop', door: 'console', what: 'used' });
  });

  it('closes every open console when it is revoked, and opens none again', async () => {
    const { secret, key } = await create(['console']);
    const guest = await enter(secret);

    await product.as('seat-one')('access.revoke', { id: key.id });

    expect(await guest?.closed).toEqual({ code: 4401, reason: 'this key was revoked' });
    expect(await enter(secret)).toBeNull();
  });

  it('opens no more consoles at once than it may, and a key to another door opens none', async () => {
    const { secret } = await create(['console'], 1);
    await enter(secret);

    const second = await enter(secret);

    expect(await second?.closed).toMatchObject({ code: 1013 });
    expect(await enter((await create(['expert'])).secret)).toBeNull();
  });
});
