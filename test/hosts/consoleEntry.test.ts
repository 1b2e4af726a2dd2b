// The console's door as somebody meets it who means harm: with each kind of token, from pages of other sites and ports.
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { createConsoleDoor, SEAT_LIMITS } from '../../src/main/hosts/consoleDoor.ts';
import { SOCKET_VERSION } from '../../src/shared/contract/greeting.ts';
import { openListener, type Listening } from '../../src/main/hosts/listener.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

let product: Product;
let listening: Listening;
const files = folderPerTest();
let now = Date.now();
const DAY_MS = 86_400_000;

beforeEach(async () => {
  now = Date.now();
  product = await openProduct();
  writeFileSync(join(files(), 'index.html'), '<!doctype html>');
  const door = createConsoleDoor({ app: product, files: files(), clock: () => now });
  listening = await openListener(door, { host: '127.0.0.1', port: 0, maxPayload: 1 << 20, origin: 'same' });
});
afterEach(async () => {
  await listening.close();
  await product.close();
  removeFolder(product.folder);
});

const owner = () => product.as('seat-one');
const invite = (days?: number | null) =>
  owner()('invites.create', { label: 'Ada', ...(days === undefined ? {} : { days }) });
const createKey = (over: object = {}, caller: object = {}) =>
  product.route(
    'keys.create',
    { name: 'laptop', scopes: ['console'], environment: null, per_minute: null, at_once: null, ...over },
    { seat: 'seat-one', ...caller },
  ) as Promise<{ key: { id: string; per_minute: number | null; at_once: number | null }; secret: string }>;

type Headers = Record<string, string>;
type Answer = { status: number; cookie: string; entry: string };

/** One request, with the headers that a page's browser would send and a page cannot. */
const ask = (method: string, path: string, headers: Headers): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const asked = request(`${listening.url}${path}`, { method, headers }, (response) => {
      let text = '';
      response.on('data', (part: Buffer) => (text += part.toString()));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          cookie: response.headers['set-cookie']?.[0] ?? '',
          entry: text === '' ? '' : ((JSON.parse(text) as { entry?: string }).entry ?? ''),
        }),
      );
    });
    asked.on('error', reject);
    asked.end();
  });

const ownPage = (): Headers => ({ origin: listening.url, 'sec-fetch-site': 'same-origin' });
const enter = (token: string, headers: Headers = ownPage()): Promise<Answer> =>
  ask('POST', '/console', { ...headers, authorization: `Bearer ${token}` });
/** As a browser would send it back. */
const pairOf = ({ cookie }: Answer): string => cookie.split(';')[0] ?? '';

type Inside = {
  call: (method: string, input?: object) => Promise<{ type: string; value?: unknown; failure?: unknown }>;
  watch: (topic: object) => Promise<{ type: string; failure?: unknown }>;
  closed: Promise<{ code: number; reason: string }>;
  close: () => void;
};
/** A socket; the status of the refusal where it is not opened. */
async function open(path: string, headers: Headers, protocols: string[] = []): Promise<Inside | number> {
  const socket = new WebSocket(`${listening.url.replace('http', 'ws')}${path}`, protocols, { headers });
  const status = await new Promise<number>((resolve) => {
    socket.once('open', () => resolve(101));
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.on('error', () => undefined);
  });
  if (status !== 101) return status;
  if (socket.readyState === WebSocket.OPEN)
    socket.send(JSON.stringify({ type: 'hello', id: 0, version: SOCKET_VERSION }));
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code: number, reason: Buffer) => resolve({ code, reason: reason.toString() }));
  });
  let lastId = 0;
  socket.setMaxListeners(0);
  const say = (message: object): Promise<{ type: string }> =>
    new Promise((resolve) => {
      const id = (lastId += 1);
      socket.on('message', (data: Buffer) => {
        const answer = JSON.parse(data.toString()) as { id: number; type: string };
        if (answer.id === id) resolve(answer);
      });
      socket.send(JSON.stringify({ ...message, id }));
    });
  return {
    call: (method, input = {}) => say({ type: 'request', method, input }),
    watch: (topic) => say({ type: 'subscribe', topic }),
    closed,
    close: () => socket.close(),
  };
}
const inside = async (...given: Parameters<typeof open>): Promise<Inside> => {
  const found = await open(...given);
  if (typeof found === 'number') throw new Error(`refused with ${String(found)}`);
  return found;
};
const byCookie = async (token: string): Promise<Inside> => {
  const entered = await enter(token);
  return inside(`/console/${entered.entry}?seat=seat-chosen`, { ...ownPage(), cookie: pairOf(entered) });
};
const byToken = (token: string): Promise<Inside> =>
  inside('/console?seat=seat-chosen', {}, [`interject.${token}`]);

describe('the cookie that a token is changed for', () => {
  it('is no script’s and no other site’s, and is sent to the entry of its token alone', async () => {
    const token = product.settings.ownerToken();
    const { cookie, entry, status } = await enter(token);

    expect(status).toBe(200);
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
    expect(cookie).toContain(`; Path=/console/${entry};`);
    expect(entry).not.toContain(token.slice(0, 8));
    const console = await byCookie(token);
    expect((await console.call('app.describe')).value).toMatchObject({ role: 'owner', seat: 'seat-chosen' });
  });

  it('opens the seat of an invite beside the owner’s own in one browser, each at its own entry', async () => {
    const [mine, theirs] = [await enter(product.settings.ownerToken()), await enter((await invite()).token)];
    const both = { ...ownPage(), cookie: `${pairOf(mine)}; ${pairOf(theirs)}` };

    const roles = [];
    for (const { entry } of [mine, theirs]) {
      const console = await inside(`/console/${entry}?seat=seat-chosen`, both);
      roles.push(((await console.call('app.describe')).value as { role: string }).role);
    }
    expect(roles).toEqual(['owner', 'expert']);
    // What was stolen from one path is worth nothing at another.
    expect(await open(`/console/${mine.entry}`, { ...ownPage(), cookie: pairOf(theirs) })).toBe(401);
    expect(await open(`/console/${theirs.entry}`, { ...ownPage(), cookie: pairOf(mine) })).toBe(401);
    expect(await open('/console', both)).toBe(401);
  });

  it('has another name in another data folder, so that none puts its own in the place of another’s', async () => {
    const other = await openProduct();
    const door = createConsoleDoor({ app: other, files: files() });
    const second = await openListener(door, { host: '127.0.0.1', port: 0, maxPayload: 1024, origin: 'same' });
    const entered = await fetch(`${second.url}/console`, {
      method: 'POST',
      headers: { authorization: `Bearer ${other.settings.ownerToken()}`, origin: second.url },
    });
    const name = (cookie: string): string => cookie.split('=')[0] ?? '';

    expect(name(entered.headers.get('set-cookie') ?? '')).not.toBe(
      name((await enter(product.settings.ownerToken())).cookie),
    );
    await second.close();
    await other.close();
    removeFolder(other.folder);
  });

  it('is given to no page of another site or port, and to no navigation', async () => {
    const token = product.settings.ownerToken();
    const others: Headers[] = [
      {},
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'http://127.0.0.1:9', 'sec-fetch-site': 'same-site' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { ...ownPage(), 'sec-fetch-site': 'same-site' },
    ];

    for (const headers of others) expect((await enter(token, headers)).status).toBe(403);
    expect((await enter('not-the-token')).status).toBe(401);
    expect((await ask('GET', `/console?token=${token}`, ownPage())).status).toBe(401);
    for (const method of ['PUT', 'DELETE', 'OPTIONS'])
      expect((await ask(method, '/console', ownPage())).status).toBe(405);
  });

  it('opens no socket for a page of another site or port, nor for who sends no page', async () => {
    const entered = await enter(product.settings.ownerToken());
    const cookie = pairOf(entered);

    for (const origin of ['https://evil.example', 'http://127.0.0.1:9', 'null'])
      expect(await open(`/console/${entered.entry}`, { origin, cookie })).toBe(403);
    expect(await open(`/console/${entered.entry}`, { cookie })).toBe(401);
    expect(await open(`/console/${entered.entry}`, { ...ownPage(), cookie, host: 'rebound.example' })).toBe(
      403,
    );
  });

  it('changes nothing by a GET, which says whether it still opens the console', async () => {
    const entered = await enter(product.settings.ownerToken());
    const path = `/console/${entered.entry}`;

    const still = await ask('GET', path, { cookie: pairOf(entered), 'sec-fetch-site': 'same-origin' });
    expect([still.status, still.cookie]).toEqual([204, '']);
    expect((await ask('GET', path, {})).status).toBe(401);
    expect((await ask('GET', path, { cookie: pairOf(entered), 'sec-fetch-site': 'same-site' })).status).toBe(
      403,
    );
    expect((await ask('POST', path, { ...ownPage(), cookie: pairOf(entered) })).status).toBe(405);
  });
});

describe('the owner’s token, renewed', () => {
  it('ends the old one at once: open consoles, new sockets, cookies and the address', async () => {
    const old = product.settings.ownerToken();
    const entered = await enter(old);
    const mine = await byCookie(old);
    const consoles = [mine, await byToken(old)];
    const guest = await byToken((await invite()).token);

    const renewed = await mine.call('owner.renew_token');

    const { token } = renewed.value as { token: string };
    for (const { closed } of consoles)
      expect(await closed).toEqual({ code: 4401, reason: 'the owner’s token was renewed' });
    expect(await open(`/console/${entered.entry}`, { ...ownPage(), cookie: pairOf(entered) })).toBe(401);
    expect(await open('/console', {}, [`interject.${old}`])).toBe(401);
    // The address that was in somebody's history.
    expect((await enter(old)).status).toBe(401);
    expect((await ask('GET', '/console', { authorization: `Bearer ${old}` })).status).toBe(401);
    expect((await (await byCookie(token)).call('app.describe')).type).toBe('value');
    expect((await guest.call('app.describe')).type).toBe('value');
  });
});

describe('a key to the console', () => {
  it('reads no default key, and renews no token of the owner’s', async () => {
    product.keys.ensureDefaults([
      { id: 'builtin', name: 'Built-in worlds', url: 'http://127.0.0.1:1', builtin: true },
    ]);
    const [byDefault] = product.keys.defaults();
    const console = await byCookie((await createKey()).secret);

    for (const method of ['keys.defaults', 'owner.renew_token']) {
      expect(await console.call(method)).toMatchObject({
        type: 'failure',
        failure: { code: 'unauthorized', message: `${method} is not for a key to the console` },
      });
    }
    const { keys } = (await console.call('access.list')).value as { keys: object[] };
    expect(JSON.stringify(keys)).not.toContain(byDefault?.secret);
  });

  it('moves no address to which the owner’s stored keys are sent', async () => {
    const console = await byCookie((await createKey()).secret);

    for (const [method, input] of [
      ['settings.change', { agent: { base_url: 'http://127.0.0.1:9/v1' } }],
      ['settings.change', { awm: { judge_base_url: 'http://127.0.0.1:9/v1' } }],
    ] as const)
      expect(await console.call(method, input)).toMatchObject({
        type: 'failure',
        failure: { code: 'unauthorized' },
      });
  });

  it('revokes what it made, with what that made, and nothing else: no key or invite of the owner’s or another’s', async () => {
    const [own, other] = [await createKey(), await createKey()];
    const [console, others] = [await byToken(own.secret), await byToken(other.secret)];
    const make = async (from: Inside, scopes = ['console']) =>
      (
        await from.call('keys.create', {
          name: 'child',
          scopes,
          environment: null,
          per_minute: null,
          at_once: null,
        })
      ).value as { key: { id: string }; secret: string };
    const inviteBy = async (from: Inside) =>
      (
        (await from.call('invites.create', { label: 'Eve' })).value as {
          invite: { id: string };
        }
      ).invite.id;
    product.keys.ensureDefaults([
      { id: 'builtin', name: 'Built-in worlds', url: 'http://127.0.0.1:1', builtin: true },
    ]);
    const byDefault = product.keys.list().find(({ is_default }) => is_default)?.id;
    const child = await make(console);
    const grandchild = await make(await byToken(child.secret), ['expert']);
    const refusal = {
      failure: { code: 'unauthorized', message: 'a key to the console revokes only what it made' },
    };

    for (const id of [own.key.id, other.key.id, byDefault, (await make(others)).key.id, 'nothing'])
      expect(await console.call('access.revoke', { id })).toMatchObject(refusal);
    for (const id of [(await invite()).invite.id, await inviteBy(others)])
      expect(await console.call('access.revoke', { id })).toMatchObject(refusal);
    expect(await console.call('access.revoke', { id: await inviteBy(console) })).toMatchObject({
      type: 'value',
    });
    for (const { key } of [grandchild, child])
      expect(await console.call('access.revoke', { id: key.id })).toMatchObject({ type: 'value' });
  });

  it('sits at its own seat, whichever owner’s seat the address names', async () => {
    const { key, secret } = await createKey();

    for (const console of [await byToken(secret), await byCookie(secret)])
      expect((await console.call('app.describe')).value).toMatchObject({ seat: `key-${key.id}` });
  });

  it('has no call executed that nobody decides, by a key or in an episode of its own', async () => {
    const console = await byToken((await createKey()).secret);
    const child = { name: 'c', scopes: ['expert'], environment: null, per_minute: null, at_once: null };
    const approval = { rules: [], deadline_ms: 1000, fallback: 'approve' as const };
    const refusal = { failure: { code: 'unauthorized', message: expect.stringContaining('nobody decides') } };

    expect(await console.call('keys.create', { ...child, hold_fallback: 'approve' })).toMatchObject(refusal);
    const start = startInput({ approval });
    expect(await console.call('episode.start', start)).toMatchObject(refusal);
    expect(await console.call('run.start', { starts: [start], concurrency: 1 })).toMatchObject(refusal);
    expect(await console.call('keys.create', { ...child, hold_fallback: 'reject' })).toMatchObject({
      type: 'value',
    });
  });

  it.each([['expert'], ['mcp'], ['tap']])(
    'is no key to another door: one of %s alone opens the console by no way',
    async (scope) => {
      const { secret } = await createKey({
        scopes: [scope],
        environment: scope === 'tap' ? 'builtin' : null,
      });

      expect((await enter(secret)).status).toBe(401);
      expect((await ask('GET', '/console', { authorization: `Bearer ${secret}` })).status).toBe(401);
      expect(await open('/console', {}, [`interject.${secret}`])).toBe(401);
    },
  );

  it('opens nothing with a rollout’s name behind it', async () => {
    const { secret } = await createKey();

    for (const named of [`${secret}~rollout-7`, `${secret}%7Erollout-7`]) {
      expect((await enter(named)).status).toBe(401);
      expect((await ask('GET', '/console', { authorization: `Bearer ${named}` })).status).toBe(401);
      expect(await open('/console', {}, [`interject.${named}`]).catch(() => 401)).toBe(401);
    }
  });

  it('takes along what it made when it is revoked: keys, invites, and what those made', async () => {
    const first = await createKey();
    const bystander = await createKey();
    const console = await byCookie(first.secret);
    const make = async (from: Inside): Promise<{ key: { id: string }; secret: string }> =>
      (
        await from.call('keys.create', {
          name: 'child',
          scopes: ['console', 'expert'],
          environment: null,
          per_minute: null,
          at_once: null,
        })
      ).value as { key: { id: string }; secret: string };
    const second = await make(console);
    const child = await byToken(second.secret);
    const third = await make(child);
    const { token } = (await child.call('invites.create', { label: 'Eve', days: null })).value as {
      token: string;
    };
    const guest = await byToken(token);

    await owner()('access.revoke', { id: first.key.id });

    for (const { closed } of [console, child, guest]) expect((await closed).code).toBe(4401);
    for (const secret of [first.secret, second.secret, third.secret]) {
      expect(product.keys.find(secret)).toBeNull();
      expect(await open('/console', {}, [`interject.${secret}`])).toBe(401);
    }
    expect(await open('/console', {}, [`interject.${token}`])).toBe(401);
    expect((await owner()('access.list', {})).invites).toEqual([]);
    expect(product.keys.find(bystander.secret)).not.toBeNull();
  });

  it('gives no more on than it may itself, and what it gave counts against it', async () => {
    const { key, secret } = await createKey({ per_minute: 5, at_once: 2 });
    const caller = { key: key.id };

    await expect(createKey({ per_minute: 6 }, caller)).rejects.toMatchObject({
      code: 'bad_input',
      message: 'this console’s own key may 5 requests a minute, and gives no more on',
    });
    const one = await createKey({ scopes: ['expert'] }, caller);
    const two = await createKey({ scopes: ['expert'] }, caller);
    expect([one.key.per_minute, one.key.at_once]).toEqual([5, 2]);
    const admit = (given: string) => {
      const found = product.keys.find(given);
      return found === null ? null : product.keys.admit(found, 'expert');
    };
    expect(admit(one.secret)).toMatchObject({ isAdmitted: true });
    expect(admit(two.secret)).toMatchObject({ isAdmitted: true });
    expect(admit(two.secret)).toMatchObject({
      isAdmitted: false,
      why: '2 requests at once are open already',
    });
    expect(admit(secret)).toMatchObject({ isAdmitted: false });
  });

  it('makes nothing any more once it is revoked', async () => {
    const { key } = await createKey();
    await owner()('access.revoke', { id: key.id });

    await expect(createKey({}, { key: key.id })).rejects.toMatchObject({ code: 'unauthorized' });
  });
});

describe('an invite', () => {
  it('holds for 30 days, for as long as is said, or without an end, and closes its consoles then', async () => {
    const [usual, short, endless] = [await invite(), await invite(1), await invite(null)];
    expect(usual.invite.expires_at).toBeCloseTo(now + 30 * DAY_MS, -4);
    expect(endless.invite.expires_at).toBeNull();
    const entered = await enter(short.token);

    now += DAY_MS + 60_000;

    expect(await open(`/console/${entered.entry}`, { ...ownPage(), cookie: pairOf(entered) })).toBe(401);
    expect(await open('/console', {}, [`interject.${short.token}`])).toBe(401);
    for (const { token } of [usual, endless]) (await byToken(token)).close();
  });

  it('closes its open consoles when it expires', async () => {
    const { token, invite: made } = await invite(1);
    now = (made.expires_at ?? 0) - 50;
    const guest = await byToken(token);

    now += 100;

    expect(await guest.closed).toEqual({ code: 4401, reason: 'this invite has expired' });
  });

  it('says when it was last used', async () => {
    const { token } = await invite();
    const listed = async () => (await owner()('access.list', {})).invites[0]?.last_used_at ?? null;
    expect(await listed()).toBeNull();

    await (await byToken(token)).call('app.describe');

    expect(await listed()).toBeGreaterThan(Date.now() - 60_000);
    expect(product.keys.audit()[0]).toMatchObject({ name: 'Ada', door: 'console', what: 'used' });
  });

  it('opens as many consoles as a person needs, and says why it opens no more', async () => {
    const { token } = await invite();
    const consoles = [];
    for (let n = 0; n < SEAT_LIMITS.consoles; n += 1) consoles.push(await byToken(token));

    const more = await byToken(token);
    expect(await more.closed).toEqual({
      code: 1013,
      reason: `${String(SEAT_LIMITS.consoles)} consoles of this seat are open already: close some`,
    });
    (await byToken((await invite()).token)).close();
    consoles[0]?.close();
    await consoles[0]?.closed;
    await expect.poll(async () => (await (await byToken(token)).call('app.describe')).type).toBe('value');
  });

  it('watches and asks no more than a seat needs, over all its consoles, and is told so in words', async () => {
    const { token } = await invite();
    const [one, two] = [await byToken(token), await byToken(token)];
    const watched = [];
    for (let n = 0; n < SEAT_LIMITS.subscriptions; n += 1) watched.push(one.watch({ topic: 'desk' }));
    await Promise.all(watched);

    expect(await two.watch({ topic: 'desk' })).toMatchObject({
      failure: {
        code: 'limit_exceeded',
        message: `this seat watches ${String(SEAT_LIMITS.subscriptions)} things already`,
      },
    });
    const asked = [];
    for (let n = 0; n < SEAT_LIMITS.perMinute; n += 1) asked.push(two.call('app.describe'));
    const refused = (await Promise.all(asked)).filter(({ type }) => type === 'failure');
    expect(refused.length).toBeGreaterThan(100);
    expect(refused.at(-1)).toMatchObject({
      failure: { code: 'limit_exceeded', message: expect.stringContaining('this seat is limited') as string },
    });
    // Nobody else is slower for it.
    expect((await (await byToken(product.settings.ownerToken())).call('app.describe')).type).toBe('value');
  });
});
