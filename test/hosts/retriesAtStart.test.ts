// Clients of `/v1` that go on asking while a console that was killed is started again: its port is open only once it knows
// their questions, so that none is asked a second time.
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { isRecord } from '../../src/shared/json.ts';
import { freePort } from '../support/freePort.ts';
import { endTap, startServing, type ServingConsole } from '../support/serving.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const folder = folderPerTest();
const consoles: ServingConsole[] = [];
afterEach(async () => {
  for (const one of consoles.splice(0)) await one.kill();
  endTap(folder());
});

async function serve(port: number): Promise<ServingConsole> {
  const console = await startServing(folder(), ['--port', String(port)]);
  consoles.push(console);
  return console;
}

/** A client that asks until it is answered, every 10 ms, as often as it takes. */
async function askUntilAnswered(
  { url, key }: { url: string; key: string },
  question: string,
  headersOf: (tries: number) => Record<string, string>,
): Promise<{ answer: string; refused: number }> {
  for (let [tries, refused] = [0, 0]; ; tries += 1) {
    try {
      const response = await fetch(`${url}/chat/completions`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${key}`,
          ...headersOf(tries),
        },
        body: JSON.stringify({ model: 'expert', messages: [{ role: 'user', content: question }] }),
      });
      const body = (await response.json()) as { choices?: { message: { content: string } }[] };
      return { answer: body.choices?.[0]?.message.content ?? JSON.stringify(body), refused };
    } catch {
      refused += 1;
      await wait(10);
    }
  }
}

it('a client that retries while the console starts comes back to its one question, by its mark or its name', async () => {
  const port = await freePort();
  const first = await serve(port);
  const { gateway, key } = first.ready;
  const at = { url: isRecord(gateway) ? String(gateway['expert']) : '', key: String(key) };
  const marked = askUntilAnswered(at, 'Marked?', (tries) => ({ 'x-stainless-retry-count': String(tries) }));
  const named = askUntilAnswered(at, 'Named?', () => ({ 'idempotency-key': 'rollout-1' }));
  while ((await first.desk()).length < 2) await wait(20);
  const before = (await first.desk()).map(
    ({ consultation, asked_at }) => `${consultation} ${String(asked_at)}`,
  );
  await first.kill();

  const next = await serve(port);
  // Whoever is let in while it starts has asked by now.
  await wait(500);
  const after = (await next.desk()).map(
    ({ consultation, asked_at }) => `${consultation} ${String(asked_at)}`,
  );
  await next.answerAll('The first.');
  const answers = await Promise.all([marked, named]);

  expect(new Set(after)).toEqual(new Set(before));
  expect(after).toHaveLength(2);
  for (const { answer, refused } of answers) {
    expect(answer).toContain('The first.');
    expect(refused).toBeGreaterThan(1);
  }
  expect(await next.desk()).toEqual([]);
});
