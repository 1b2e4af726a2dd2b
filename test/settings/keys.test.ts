import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileSecrets } from '../../src/main/settings/fileSecrets.ts';
import { openKeys } from '../../src/main/settings/keys.ts';

let folder = '';
let now = 1_000_000;
const waiting: (() => void)[] = [];

const open = () =>
  openKeys({
    file: (name) => join(folder, name),
    secrets: createFileSecrets(folder),
    clock: () => now,
    monotonic: () => now,
    schedule: (_delay, run) => {
      waiting.push(run);
      return () => undefined;
    },
  });
const key = (over: Partial<Parameters<ReturnType<typeof open>['create']>[0]> = {}) => ({
  name: 'trainer',
  scopes: ['expert' as const],
  environment: null,
  per_minute: null,
  at_once: null,
  ...over,
});
const world = { id: 'builtin', name: 'Built-in worlds', url: 'http://127.0.0.1:1', builtin: true };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'interject-keys-'));
  now = 1_000_000;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a named key', () => {
  it('opens what it was made for after a restart, and is nowhere on disk in clear', () => {
    const { secret, key: made } = open().create(key());

    const found = open().find(secret);

    expect(found).toMatchObject({ id: made.id, name: 'trainer', scopes: ['expert'] });
    expect(readFileSync(join(folder, 'keys.json'), 'utf8')).not.toContain(secret.slice('ij-'.length + 13));
    expect(found).not.toHaveProperty('sha256');
  });

  it('is not opened by a secret that differs in one character, by its id, or by nothing', () => {
    const keys = open();
    const { secret, key: made } = keys.create(key());
    const wrong = secret.slice(0, -1) + (secret.endsWith('a') ? 'b' : 'a');

    expect([wrong, made.id, '', `ij-${made.id}-`, 'toString'].map((one) => keys.find(one))).toEqual(
      Array(5).fill(null),
    );
  });

  it('opens nothing once revoked; listeners hear which one, and the list says when', () => {
    const keys = open();
    const { secret, key: made } = keys.create(key());
    const heard: (readonly string[])[] = [];
    keys.onChanged((revoked) => heard.push(revoked));
    now += 5;

    keys.revoke(made.id);

    expect(keys.find(secret)).toBeNull();
    expect(heard).toEqual([[made.id]]);
    expect(keys.list()).toMatchObject([{ id: made.id, revoked_at: 1_000_005 }]);
    expect(() => keys.revoke(made.id)).toThrow(/there is no key/);
  });

  it('to a tap needs an environment to lead to', () => {
    expect(() => open().create(key({ scopes: ['tap'] }))).toThrow(/leads to one environment/);
  });
});

describe('the default keys', () => {
  it('are one for each environment, which opens every door, the same after a restart', () => {
    const keys = open();
    keys.ensureDefaults([world, { ...world, id: 'own', name: 'Own' }]);
    const before = keys.defaults();

    const again = open();
    again.ensureDefaults([world, { ...world, id: 'own', name: 'Own' }]);

    expect(again.defaults()).toEqual(before);
    expect(before.map(({ environment }) => environment)).toEqual(['builtin', 'own']);
    for (const { environment, secret } of before)
      expect(again.find(secret)).toMatchObject({ scopes: ['tap', 'expert', 'mcp'], environment });
  });

  it('are replaced when revoked, so that the old words open nothing and new ones are there to print', () => {
    const keys = open();
    keys.ensureDefaults([world]);
    const [before] = keys.defaults();

    keys.revoke(keys.find(before?.secret ?? '')?.id ?? '');

    const [after] = keys.defaults();
    expect(keys.find(before?.secret ?? '')).toBeNull();
    expect(after).toMatchObject({ environment: 'builtin' });
    expect(after?.secret).not.toBe(before?.secret);
    expect(keys.find(after?.secret ?? '')?.scopes).toEqual(['tap', 'expert', 'mcp']);
  });

  it('are known to the tap by their digest alone', () => {
    const keys = open();
    keys.ensureDefaults([world]);
    const [tap] = keys.tapKeys();

    expect(tap).toMatchObject({ environment: 'builtin', name: 'Built-in worlds, by default' });
    expect(JSON.stringify(tap)).not.toContain(keys.defaults()[0]?.secret);
  });
});

describe('limits', () => {
  it('let a minute’s worth through at once, then one as each place comes free, and say when', () => {
    const keys = open();
    const { secret } = keys.create(key({ per_minute: 6 }));
    const found = keys.find(secret);
    if (found === null) throw new Error('the key is gone');
    const admit = () => keys.admit(found, 'expert');

    const burst = Array.from({ length: 7 }, admit);
    now += 10_000;
    const after = [admit(), admit()];

    expect(burst.map(({ isAdmitted }) => isAdmitted)).toEqual([true, true, true, true, true, true, false]);
    expect(burst.at(-1)).toMatchObject({ retryAfterS: 10, why: 'over 6 requests a minute' });
    expect(after.map(({ isAdmitted }) => isAdmitted)).toEqual([true, false]);
    expect(keys.list()[0]).toMatchObject({ uses: 7, limited: 2 });
  });

  it('count open requests, and a place that is given back twice is one place', () => {
    const keys = open();
    const { secret } = keys.create(key({ at_once: 1 }));
    const found = keys.find(secret);
    if (found === null) throw new Error('the key is gone');
    const first = keys.admit(found, 'expert');
    const second = keys.admit(found, 'expert');

    if (first.isAdmitted) {
      first.release();
      first.release();
    }
    const third = keys.admit(found, 'expert');
    const fourth = keys.admit(found, 'expert');

    expect([first, second, third, fourth].map(({ isAdmitted }) => isAdmitted)).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });
});

describe('the record of use', () => {
  it('counts what repeats within a minute, keeps its bound, and is there after a restart', () => {
    const keys = open();
    const { secret } = keys.create(key());
    const found = keys.find(secret);
    if (found === null) throw new Error('the key is gone');
    for (let at = 0; at < 600; at += 1) {
      if (at >= 3) now += 61_000;
      keys.admit(found, 'expert');
    }
    keys.close();

    const again = open();

    expect(again.audit()).toHaveLength(500);
    expect(again.list()[0]).toMatchObject({ uses: 600, last_used_at: now });
    expect(again.audit()[0]).toMatchObject({ what: 'used', name: 'trainer', times: 1, at: now });
  });

  it('names no key for one that is unknown', () => {
    const keys = open();
    keys.note('wrong_key', 'expert', null);
    keys.note('wrong_key', 'expert', null);

    expect(keys.audit()).toEqual([
      { at: now, key: null, name: null, door: 'expert', what: 'wrong_key', times: 2 },
    ]);
  });
});
