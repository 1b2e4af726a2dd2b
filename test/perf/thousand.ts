// A thousand live episodes, half of them tapped clients, half driven here, with three seats at the desk: how long after
// its agent asked a question is on the desk, what a key costs meanwhile, how late main's loop comes, and what memory is
// left when they are gone. When an agent asked, the model's server knows; nothing here asks main for it.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { createSocketTransport } from '../../src/renderer/client/socket.ts';
import { goTo, openConsole } from '../e2e/console.ts';
import { removeFolder, START, startServer, type Server } from '../e2e/server.ts';
import { findDesktopBrowser, launch } from '../support/browser.ts';
import { startBusyModel } from './busyModel.ts';
import { against, fixedWork, ms, quantile } from './figures.ts';
import { listenToKeys } from './inPage.ts';
import { CALL, open, RESET } from './load.ts';
import { memoryOf } from './processes.ts';

const OWN = 500;
const TAPPED = 500;
/** Clients of the tap that also ask an expert, each once. */
const CLIENTS_ASKING = 364;
const REPEATS_MAX = 50;
/** A tapped client calls once in this time. */
const STEP_EVERY_MS = 2_000;
const KEYS = 60;
const PAUSE_MS = 80;
/** Longer than this nobody waits for a desk. */
const DESK_MS_MAX = 180_000;
const LEAVES_MS = 30_000;
/** What a crowd must not cost more than. */
const TARGET = { deskMs: 30_000, keyMs: 50, loopMs: 50, megabytes: 1_500 };

type Say = (what: string, figure: string) => void;
type Figures = { p50: number; p99: number; longest: number; round: number; rss: number };
const Said = z.object({
  argv: z.array(z.string()),
  p50: z.number(),
  p99: z.number(),
  longest: z.number(),
  round: z.number(),
});

export async function measureThousand(say: Say): Promise<void> {
  const workBefore = fixedWork();
  const delays = mkdtempSync(join(tmpdir(), 'interject-perf-delays-'));
  const model = await startBusyModel({ oneAskingOf: 1 });
  const server = await startServer({
    flags: ['--concurrency', String(OWN)],
    env: {
      INTERJECT_AGENT_BASE_URL: model.url,
      INTERJECT_AGENT_API_KEY: 'none',
      INTERJECT_AGENT_MODEL: 'busy',
      INTERJECT_PERF_DELAYS: delays,
      NODE_OPTIONS: [
        process.env['NODE_OPTIONS'] ?? '',
        `--import ${join(import.meta.dirname, 'loopDelay.ts')}`,
      ].join(' '),
    },
  });
  const person = await openDesk(server);
  try {
    await wait(2_000);
    const before = mainFigures(delays);
    const desk = watchDesk(server);
    const crowd = await gather(server);
    const asked = [...crowd.askedAt];
    const typing = person?.type() ?? Promise.resolve(null);
    typing.catch(() => undefined);
    const isThere = await desk.reaches(OWN + CLIENTS_ASKING, DESK_MS_MAX);
    asked.push(...model.askedAt);
    const lags = desk.lags(asked);
    const took = await typing;
    const peak = mainFigures(delays);
    say(
      `${String(OWN + TAPPED)} episodes live, ${String(asked.length)} questions: on the desk after p50, p95, longest`,
      isThere
        ? [quantile(lags, 0.5), quantile(lags, 0.95), Math.max(...lags)].map(ms).join(', ') +
            against(Math.max(...lags), TARGET.deskMs)
        : `only ${String(desk.total())} came within ${ms(DESK_MS_MAX)}${against(Infinity, TARGET.deskMs)}`,
    );
    say(
      '  a key at the desk: p50, p95',
      took === null
        ? 'no browser'
        : [0.5, 0.95].map((q) => ms(quantile(took, q))).join(', ') +
            against(quantile(took, 0.95), TARGET.keyMs),
    );
    say(
      '  main’s loop came late by p50, p99, longest',
      [peak.p50, peak.p99, peak.longest].map(ms).join(', ') + against(peak.p99, TARGET.loopMs),
    );
    say('  processor time of one round of it, p99', ms(peak.round));
    if (crowd.refused.length > 0)
      say('  clients that could not ask', `${String(crowd.refused.length)}, one: ${crowd.refused[0] ?? ''}`);
    await crowd.leave();
    await stopAll(server);
    await wait(LEAVES_MS);
    const after = mainFigures(delays);
    say(
      '  memory of main before, with them, once they are gone',
      [before, peak, after].map(({ rss }) => `${String(rss)} MB`).join(', ') +
        against(peak.rss, TARGET.megabytes, (megabytes) => `${String(megabytes)} MB`),
    );
    say(
      '  a fixed piece of work on this machine, before and after',
      [workBefore, fixedWork()].map(ms).join(', '),
    );
    desk.close();
  } finally {
    await person?.close();
    await server.stop();
    removeFolder(server.folder);
    rmSync(delays, { recursive: true });
    model.close();
  }
}

/** Of the process that serves. */
function mainFigures(delays: string): Figures {
  for (const name of readdirSync(delays)) {
    const said = Said.parse(JSON.parse(readFileSync(join(delays, name), 'utf8')));
    if (!said.argv.includes('serve')) continue;
    return { ...said, rss: memoryOf(Number.parseInt(name, 10)) };
  }
  throw new Error('main said nothing of its loop');
}

/** Two seats beside the browser's, and when each count of waiting questions was first seen. */
function watchDesk(server: Server) {
  const origin = server.url.replace(/^http/, 'ws').replace(/\/#.*$/, '');
  const seen: { at: number; total: number }[] = [];
  const seats = ['seat-two', 'seat-three'].map((seat) =>
    createSocketTransport({ origin, token: server.token, seat }),
  );
  for (const [at, seat] of seats.entries())
    seat.subscribe({ topic: 'desk' }, (push) => {
      if (at === 0 && push.topic === 'desk') seen.push({ at: performance.now(), total: push.total });
    });
  const total = (): number => seen.at(-1)?.total ?? 0;
  return {
    total,
    reaches: async (count: number, withinMs: number): Promise<boolean> => {
      const until = performance.now() + withinMs;
      while (total() < count && performance.now() < until) await wait(100);
      return total() >= count;
    },
    /** The desk had `n` questions this long after the `n`th was asked. */
    lags: (asked: readonly number[]): number[] =>
      asked
        .toSorted((a, b) => a - b)
        .flatMap((at, n) => {
          const first = seen.find((one) => one.total > n);
          return first === undefined ? [] : [Math.max(0, first.at - at)];
        }),
    close: () => {
      for (const seat of seats) seat.close();
    },
  };
}

/** Everyone comes at once; the promise resolves when all have been let in. */
async function gather(
  server: Server,
): Promise<{ askedAt: readonly number[]; refused: readonly string[]; leave: () => Promise<void> }> {
  const agent = { policy: 'chat' as const, protocol: 'native' as const, model: 'busy' };
  const limits = { turns: 10_000, stall_steps: 10_000 };
  const own = async (): Promise<void> => {
    for (let left = OWN; left > 0; left -= REPEATS_MAX)
      await server.call('episode.start', {
        ...START,
        agent,
        limits,
        condition: 'human',
        repeats: Math.min(left, REPEATS_MAX),
      });
  };
  const clients = await openClients(server.gateway.tap, TAPPED);
  await own();
  const askedAt: number[] = [];
  const refused: string[] = [];
  const leaving = new AbortController();
  const asks = Array.from({ length: CLIENTS_ASKING }, async (_, at) => {
    askedAt.push(performance.now());
    await askExpert(server, at, leaving.signal).catch((thrown: unknown) => {
      if (!leaving.signal.aborted) refused.push(String(thrown));
    });
  });
  return {
    askedAt,
    refused,
    leave: async () => {
      leaving.abort();
      for (const client of clients) client.close();
      await Promise.allSettled(asks);
    },
  };
}

/** Cut off when the crowd leaves. */
async function askExpert(server: Server, at: number, signal: AbortSignal): Promise<void> {
  const body = {
    model: 'expert',
    messages: [{ role: 'user', content: `Question ${String(at)}: which record is meant?` }],
  };
  const response = await fetch(`${server.gateway.expert}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
  // Its headers come early, to keep the connection. A body that nobody reads is collected, and the client is gone.
  const words = await response.text();
  if (!signal.aborted) throw new Error(`answered with ${String(response.status)}: ${words.slice(0, 200)}`);
}

/** Connections that reset and then call now and then, spread over time. */
async function openClients(url: string, count: number): Promise<{ close: () => void }[]> {
  const sockets = await open(url, count);
  return sockets.map((socket, at) => {
    socket.send(RESET);
    const first = setTimeout(
      () => {
        timer = setInterval(() => socket.send(CALL), STEP_EVERY_MS);
      },
      (at / count) * STEP_EVERY_MS,
    );
    let timer: ReturnType<typeof setInterval> | undefined;
    return {
      close: () => {
        clearTimeout(first);
        clearInterval(timer);
        socket.close();
      },
    };
  });
}

type Person = { type: () => Promise<number[]>; close: () => Promise<void> };

/** A person at the desk in a real browser, there before the crowd comes; null where there is no browser. */
async function openDesk(server: Server): Promise<Person | null> {
  const found = findDesktopBrowser();
  if (found === null) return null;
  const browser = await launch(found);
  const page = await openConsole(
    await browser.newContext({ viewport: { width: 1440, height: 900 } }),
    server,
  );
  await goTo(page, '#/desk');
  return {
    type: async () => {
      const editor = page.getByRole('textbox', { name: 'Advice' });
      await editor.waitFor({ timeout: DESK_MS_MAX });
      await editor.click();
      await page.evaluate(listenToKeys);
      for (let at = 0; at < KEYS; at += 1) {
        await page.keyboard.press('a');
        await page.waitForTimeout(PAUSE_MS);
      }
      return page.evaluate(() => (window as unknown as { painted: number[] }).painted);
    },
    close: () => browser.close(),
  };
}

async function stopAll(server: Server): Promise<void> {
  for (;;) {
    const filter = { query: '', condition: null, offset: 0, limit: 500 };
    const pages = await Promise.all(
      (['running', 'waiting'] as const).map((status) => server.call('episodes.page', { ...filter, status })),
    );
    const live = pages.flatMap(({ rows }) => rows).filter(({ source }) => source === 'run');
    if (live.length === 0) return;
    for (const { id } of live) await server.call('episode.stop', { episode: id, reason: null });
    await wait(500);
  }
}
