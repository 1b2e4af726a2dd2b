// An episode whose environment's server is killed, and the episode that goes on with it.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EpisodeRecord } from '../../src/shared/episode/record.ts';
import { freePort } from '../support/freePort.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';

const TIMING = { first_seen_at: 1, active_ms: 1_000 };
const GATED = {
  condition: 'none' as const,
  approval: {
    rules: [{ glob: '*', argument: null, does: 'ask' as const, count: null }],
    deadline_ms: null,
    fallback: 'wait' as const,
  },
};
let product: Product;
let folder = '';
let environment = '';
let url = '';
let server: ChildProcess | null = null;
let startServer: () => Promise<void>;
let call: ReturnType<Product['as']>;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lost '));
  const script = join(folder, 'server.mjs');
  const support = `file://${join(import.meta.dirname, '..', 'support', 'worlds.ts')}`;
  writeFileSync(
    script,
    `import { serveWorlds } from ${JSON.stringify(support)};\nawait serveWorlds({ port: Number(process.argv[2]) });\n`,
  );
  product = await openProduct();
  call = product.as('seat-one');
  const port = await freePort();
  const added = await call('environments.add', { url: `http://127.0.0.1:${String(port)}`, name: 'Mine' });
  environment = added.id;
  url = added.url;
  startServer = async () => {
    server = spawn(process.execPath, [script, String(port)], { stdio: 'ignore' });
    await expect.poll(() => isHealthy(), { timeout: 30_000 }).toBe(true);
  };
  await startServer();
});
afterEach(async () => {
  server?.kill('SIGKILL');
  await product.close();
  removeFolder(product.folder);
  removeFolder(folder);
});

const start = async (): Promise<string> =>
  (await call('episode.start', startInput({ environment, ...GATED }))).episodes[0] ?? '';
const isHeld = ({ turns }: EpisodeRecord): boolean => {
  const last = turns.at(-1)?.call ?? null;
  return last !== null && last.held !== null && last.decision === null;
};
const approve = async (episode: string): Promise<void> => {
  const { turns, seq } = product.log.record(episode);
  const held = turns.at(-1)?.callId ?? '';
  await call('call.decide', {
    act: 'approve',
    episode,
    call: held,
    seen_seq: seq,
    timing: TIMING,
    similar: false,
  });
};
const isHealthy = async (): Promise<boolean> => (await fetch(`${url}/health`).catch(() => null))?.ok === true;
/** One call answered and the second sent to a server that is killed before it answers. */
const lost = async (): Promise<EpisodeRecord> => {
  const id = await start();
  await product.until(id, isHeld);
  await approve(id);
  await product.until(id, (record) => record.turns.length > 1 && isHeld(record));
  server?.kill('SIGSTOP');
  await approve(id);
  await product.until(id, ({ turns }) => turns[1]?.call?.sent);
  server?.kill('SIGKILL');
  return product.ended(id);
};

describe('an episode whose server is killed in the middle', () => {
  it('is resumed on the server started again: what was answered is made again, what was in doubt is not sent', async () => {
    const first = await lost();
    const { id } = first;
    expect(first.ended).toMatchObject({
      outcome: 'error',
      failure: { code: 'env_closed', message: expect.stringContaining('closed the connection (1006)') },
    });
    expect(first.turns[1]?.call).toMatchObject({ sent: expect.anything(), returned: null });

    await startServer();
    const { episode, turn } = await call('episode.resume', { episode: id });
    const resumed = await product.until(episode, (one) => one.forked !== null && isHeld(one));

    expect(turn).toBe(1);
    expect(resumed.forked).toMatchObject({ from: id, from_turn: 1, why: 'resume', replayed: 1, drift: [] });
    expect(resumed.turns[0]).toMatchObject({
      isCopied: true,
      call: { returned: { frame: first.turns[0]?.call?.returned?.frame } },
    });
    expect(resumed.turns.slice(1)).toMatchObject([{ isCopied: false, call: { sent: null } }]);

    await approve(episode);
    const after = await product.until(episode, ({ turns }) => turns[1]?.call?.returned);
    expect(after.turns[1]?.call?.sent).toEqual({ ...first.turns[1]?.call?.sent, at: expect.any(Number) });
    expect(product.log.record(id)).toEqual(first);
  });

  it('stays paused where a person had paused it, and cannot be resumed once a person stopped it', async () => {
    const id = await start();
    await product.until(id, isHeld);
    const control = { episode: id, at_once: false, reason: null, note: null, is_discarded: false };
    await call('episode.control', { ...control, act: 'pause' });
    server?.kill('SIGKILL');
    await product.ended(id);

    await startServer();
    const { episode } = await call('episode.resume', { episode: id });
    const resumed = await product.until(episode, (one) => one.forked !== null && one.phase === 'paused');
    expect(resumed.timeline.at(-1)).toMatchObject({
      reason: 'it was paused when it lost its environment: resume it, or take it over',
    });

    await call('episode.stop', { episode, reason: null });
    await product.ended(episode);
    await expect(call('episode.resume', { episode })).rejects.toThrow(/only an interrupted episode/);
  });
});
