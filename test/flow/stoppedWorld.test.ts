// A world in a process of its own that is stopped and continued, as a machine that sleeps does it: what was asked of it
// meanwhile waits, and nothing is asked twice.
import { spawn, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { isRecord, tryJson } from '../../src/shared/json.ts';
import { ME, TIMING } from '../support/killed.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';

const CLI = resolve(import.meta.dirname, '../../src/main/hosts/cli.ts');
let world: ChildProcess | null = null;
let product: Product | null = null;
afterEach(async () => {
  await product?.close();
  if (product !== null) removeFolder(product.folder);
  world?.kill('SIGKILL');
});

async function startWorld(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [CLI, 'world', 'serve', '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  world = child;
  for await (const line of createInterface({ input: child.stdout })) {
    const said: unknown = tryJson(line);
    if (isRecord(said) && typeof said['url'] === 'string') return { child, url: said['url'] };
  }
  throw new Error('the world ended before it was ready');
}

it.skipIf(process.platform === 'win32')(
  'an episode waits for a world that is stopped, and goes on with it, each call sent once',
  async () => {
    const { child, url } = await startWorld();
    const opened = (product = await openProduct());
    const call = opened.as(ME);
    const { log } = opened;
    const { id } = await call('environments.add', { name: 'Theirs', url });
    const [episode = ''] = (await call('episode.start', startInput({ environment: id }))).episodes;
    const asking = await opened.until(episode, ({ consultations }) => consultations[0]?.draft);
    const [question] = asking.consultations;
    child.kill('SIGSTOP');
    await call('desk.answer', {
      episode,
      consultation: question?.id ?? '',
      text: log.texts.loadText(question?.draft?.text ?? ''),
      draft: question?.draft?.id ?? null,
      seen_seq: asking.seq,
      timing: TIMING,
    });
    const waiting = await opened.until(episode, ({ turns }) => {
      const last = turns.at(-1)?.call ?? null;
      return last !== null && last.sent !== null && last.returned === null;
    });
    await wait(1_000);
    const stillWaits = log.record(episode).n === waiting.n;

    child.kill('SIGCONT');

    const record = await opened.ended(episode);
    const sent = log.read(episode).flatMap(({ event }) => (event.kind === 'call.sent' ? [event.call] : []));
    expect(stillWaits).toBe(true);
    expect(record.ended).toMatchObject({ outcome: 'done', reward_type: 'complete' });
    expect(sent.length).toBe(new Set(sent).size);
  },
);
