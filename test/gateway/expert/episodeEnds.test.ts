// A client's question whose tapped episode ends before the client has read an answer: over real sockets, at both doors.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closedOf } from '../../../src/renderer/parts/card/closed.ts';
import { META_KEY } from '../../../src/main/gateway/expert/body.ts';
import { endOrphans } from '../../../src/main/gateway/tap/recorder.ts';
import { serveDoors, type Doors } from '../../support/doors.ts';
import { openLog } from '../../support/log.ts';
import { openTapped } from '../../support/tapped.ts';

let doors: Doors;
let folder: string;
const start = async () => {
  doors = await serveDoors({ log: openLog(join(folder, 'log.db'), Date.now), graceMs: 600_000 });
  doors.restore();
};
const stop = async () => {
  const { log, close } = doors;
  await close();
  (log as ReturnType<typeof openLog>).close();
};
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'interject-ends-'));
  await start();
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

type Asking = { said: Promise<string>; cut: () => void };
/** Asks under a name of the client's own; `rollout` is the name behind its key. */
type Ask = (name: string, rollout?: string) => Asking;

function post(
  path: string,
  headers: Record<string, string>,
  body: unknown,
  textIn: (body: never) => string,
): Asking {
  const cutting = new AbortController();
  const said = fetch(`${doors.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: cutting.signal,
  }).then(async (response) => textIn((await response.json()) as never));
  said.catch(() => undefined);
  return { said, cut: () => cutting.abort() };
}

const keyHeader = (rollout?: string): Record<string, string> =>
  rollout === undefined ? {} : { authorization: `Bearer k~${rollout}` };

const askCompletions: Ask = (name, rollout) =>
  post(
    '/v1/chat/completions',
    { 'idempotency-key': name, ...keyHeader(rollout) },
    { model: 'expert', messages: [{ role: 'user', content: 'Which one?' }] },
    (body: { choices: { message: { content: string } }[] }) => body.choices[0]?.message.content ?? '',
  );

async function askMcp(): Promise<Ask> {
  const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
  const opened = await fetch(`${doors.url}/mcp`, { method: 'POST', body: JSON.stringify(message) });
  const session = opened.headers.get('mcp-session-id') ?? '';
  return (name, rollout) =>
    post(
      '/mcp',
      { 'mcp-session-id': session, ...keyHeader(rollout) },
      {
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: { name: 'ask_expert', arguments: { question: 'Which one?' }, _meta: { [META_KEY]: name } },
      },
      (body: { result: { content: { text: string }[] } }) => body.result.content[0]?.text ?? '',
    );
}

const atDesk = () => doors.log.projections.desk(50).items;
const gone = (count: number) =>
  expect.poll(() => doors.requests.filter(({ signal }) => signal.aborted).length).toBe(count);
/** As main ends the episode of a tap that was killed. */
const endEpisode = (): void => endOrphans(doors.log, new Set());
const ENDED = 'the episode ended before anyone answered';

describe.each([
  ['/v1', () => Promise.resolve(askCompletions)],
  ['MCP’s ask', askMcp],
])('a question through %s whose tapped episode ends', (_door, connect) => {
  it.each([
    ['named nobody, of the only episode of its key', undefined],
    ['named its rollout', 'rollout-7'],
  ])(
    'keeps the answer that a person gave for its client that asks again, where it %s',
    async (_how, rollout) => {
      openTapped(doors.log, { id: 'e1', name: rollout ?? null });
      const first = (await connect())('q1', rollout);
      const item = await doors.waiting();
      first.cut();
      await gone(1);
      doors.answer(item, 'Take the second.');
      endEpisode();
      const events = doors.log.record('e1').n;

      expect(item.episode).toBe('e1');
      expect(await (await connect())('q1', rollout).said).toBe('Take the second.');
      // Also once the program was started again, and as often as it asks.
      await stop();
      await start();
      const ask = await connect();
      expect(await ask('q1', rollout).said).toBe('Take the second.');
      expect(await ask('q1', rollout).said).toBe('Take the second.');
      expect(atDesk()).toEqual([]);
      // An ended episode stays as it is.
      expect(doors.log.record('e1').n).toBe(events);
    },
  );

  it('keeps its answer for nobody else', async () => {
    openTapped(doors.log, { id: 'e1' });
    const first = (await connect())('q1');
    const item = await doors.waiting();
    first.cut();
    await gone(1);
    doors.answer(item, 'Take the second.');
    endEpisode();
    await stop();
    await start();
    const other = (await connect())('q2');
    const asked = await doors.waiting();
    doors.answer(asked, 'Of another.');

    expect(await other.said).toBe('Of another.');
  });

  it('is over where nobody had answered: the desk and the client are told the same, now and when it asks again', async () => {
    openTapped(doors.log, { id: 'e1' });
    const waits = (await connect())('q1');
    const item = await doors.waiting();
    endEpisode();

    expect(await waits.said).toBe(`No advice: ${ENDED}.`);
    expect(atDesk()).toEqual([]);
    expect(closedOf(doors.log.record('e1'), item.consultation, 'one', '')).toMatchObject({ detail: ENDED });
    expect(() => doors.answer(item, 'Too late.')).toThrow(ENDED);
    expect(await (await connect())('q1').said).toBe(`No advice: ${ENDED}.`);
    expect(doors.reported).toEqual([]);
  });

  it('is over in the same way where the program was killed before its tap', async () => {
    openTapped(doors.log, { id: 'e1' });
    (await connect())('q1');
    const item = await doors.waiting();
    await stop();
    // The next start ends the episode before its doors open.
    const log = openLog(join(folder, 'log.db'), Date.now);
    endOrphans(log, new Set());
    log.close();
    await start();

    expect(atDesk()).toEqual([]);
    expect(() => doors.answer(item, 'Too late.')).toThrow(ENDED);
    expect(await (await connect())('q1').said).toBe(`No advice: ${ENDED}.`);
  });
});

it('gives the answer of an ended episode to no retry without a name: who has read it is not known', async () => {
  openTapped(doors.log, { id: 'e1' });
  const ask = (headers: Record<string, string>) =>
    post(
      '/v1/chat/completions',
      headers,
      { model: 'expert', messages: [{ role: 'user', content: 'Which one?' }] },
      (body: { choices: { message: { content: string } }[] }) => body.choices[0]?.message.content ?? '',
    );
  const first = ask({});
  const item = await doors.waiting();
  doors.answer(item, 'Take the second.');
  // It is read only after the end.
  endEpisode();
  expect(await first.said).toBe('Take the second.');
  await stop();
  await start();
  const other = ask({ 'x-stainless-retry-count': '1' });
  doors.answer(await doors.waiting(), 'Of another.');

  expect(await other.said).toBe('Of another.');
});
