import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { typeIn } from '../support/commandLine.ts';
import { endTap, startServing, type ServingConsole } from '../support/serving.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const folder = folderPerTest();
let serving: ServingConsole;
beforeEach(async () => {
  serving = await startServing(join(folder(), 'home'), ['--port', '0']);
});
afterEach(async () => {
  await serving.kill();
  endTap(join(folder(), 'home'));
});

const linesOf = (out: string): Record<string, unknown>[] =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
/** What the console's door says to a token now. */
const knock = async (token: unknown): Promise<number> => {
  const headers = { authorization: `Bearer ${String(token)}` };
  return (await fetch(new URL('/console', String(serving.ready['url'])), { headers })).status;
};

describe('interject invite', () => {
  it('makes a link beside an open Interject, lists it, and renews the owner’s token there', async () => {
    const { codes, out, err } = await typeIn(folder(), [
      { args: ['invite', 'Ada', '--days', 'never', '--json'] },
      { args: ['invite', 'Grace', '--days', '7', '--json'] },
      { args: ['invite', '--json'] },
      { args: ['invite', '--renew', '--json'] },
      { args: ['invite', 'Eve', '--renew'] },
      { args: ['invite', 'Eve', '--days', '0'] },
    ]);

    expect(codes).toEqual([0, 0, 0, 0, 2, 2]);
    const [ada, grace, one, two, renewed] = linesOf(out);
    expect(ada).toMatchObject({ label: 'Ada', expires_at: null });
    expect([one?.['label'], two?.['label'], one?.['token'] ?? null]).toEqual(['Ada', 'Grace', null]);
    expect(await knock(ada?.['token'])).toBe(204);
    expect(grace?.['url']).toBe(
      String(serving.ready['url']).replace(/#.*$/, `#token=${String(grace?.['token'])}`),
    );
    expect(await knock(serving.ready['token'])).toBe(401);
    expect(await knock(renewed?.['token'])).toBe(204);
    expect(err).toContain('signed out');
  });
});
