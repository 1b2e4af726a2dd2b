// Owns: what the library costs at size: its list at 100,000 episodes, search at a million events, and a long episode on
// its way to the screen of a real browser.
import { join } from 'node:path';
import { openDatabase, type Database } from '../../src/main/log/database.ts';
import { createEventLog } from '../../src/main/log/eventLog.ts';
import { openSearch } from '../../src/main/log/searchIndex.ts';
import { RUNNING_FIRST } from '../../src/shared/contract/library.ts';
import { ENVIRONMENT } from '../../src/shared/events/actor.ts';
import type { LogEvent } from '../../src/shared/events/vocabulary.ts';
import { goTo, openConsole } from '../e2e/console.ts';
import { newFolder, removeFolder, startServer } from '../e2e/server.ts';
import { findDesktopBrowser, launch } from '../support/browser.ts';
import { ms } from './figures.ts';
import { heapOf, openReplay } from './inPage.ts';
import {
  AGENT,
  openLog,
  reset,
  started,
  SYSTEM,
  ended,
  generated,
  proposed,
  returned,
} from '../support/log.ts';

export type Say = (what: string, figure: string) => void;
const timed = <T>(work: () => T): [T, number] => {
  const from = performance.now();
  return [work(), performance.now() - from];
};
/** The first time, which is how often a person asks, and the middle of a few more. */
const asked = (work: () => unknown): string => {
  const [first = 0, ...rest] = Array.from({ length: 6 }, () => timed(work)[1]);
  const middle = rest.toSorted((a, b) => a - b)[2] ?? 0;
  return `${ms(first)} (${ms(middle)})`;
};

const ENDED: LogEvent = {
  kind: 'episode.ended',
  outcome: 'done',
  reason: null,
  failure: null,
  final_answer: null,
  reward_type: null,
  reward: null,
};
const SCENARIOS = ['loomline_workflows', 'crm_2', 'shop_3', 'calendar_4'];

/** 100,000 episodes in the list, 200 of them running, in several orders and narrowed. */
export function measureList(folder: string, say: Say): void {
  const log = openLog(join(folder, 'library.db'), Date.now);
  const count = 100_000;
  const episode = (i: number) => {
    const scenario = SCENARIOS[i % SCENARIOS.length] ?? null;
    return {
      stream: `e${String(i).padStart(6, '0')}`,
      entries: [
        { actor: SYSTEM, at: i, event: started({ task_idx: i % 10, scenario }) },
        { actor: SYSTEM, at: i, event: reset({ scenario, task_idx: i % 10 }) },
        ...(i % 500 === 0 ? [] : [{ actor: SYSTEM, at: i, event: ENDED }]),
      ],
    };
  };
  for (let at = 0; at < count; at += 500)
    log.importStreams(Array.from({ length: 500 }, (_, i) => episode(at + i)));
  const ask = { query: '', status: null, condition: null, offset: 0, limit: 100 };
  const { episodes } = log.projections;
  const by = (name: 'turns' | 'reward' | 'scenario') => () =>
    episodes({ ...ask, order: { by: name, is_ascending: name === 'scenario' } });
  say(
    `list ${count.toLocaleString('en')} episodes, first page: newest, by turns, by reward, by task`,
    [
      asked(() => episodes({ ...ask, order: RUNNING_FIRST })),
      asked(by('turns')),
      asked(by('reward')),
      asked(by('scenario')),
    ].join(', '),
  );
  say(
    'the same narrowed: scenario, two filters, words of the task, last page',
    [
      asked(() => episodes({ ...ask, order: RUNNING_FIRST, filter: { scenario: 'crm_2' } })),
      asked(() =>
        episodes({ ...ask, order: RUNNING_FIRST, filter: { scenario: 'crm_2', has_advice: false } }),
      ),
      asked(() => episodes({ ...ask, query: 'rename calendar' })),
      asked(() => episodes({ ...ask, offset: count - 100 })),
    ].join(', '),
  );
  log.close();
}

const WORDS = [
  'ticket',
  'workflow',
  'customer',
  'invoice',
  'calendar',
  'meeting',
  'status',
  'rename',
  'archive',
];

/** Events put straight into their table: what is measured is the index, not the append. */
function fillEvents(db: Database, count: number): void {
  const insert = db.prepare(
    'INSERT INTO events (stream, n, at, kind, actor, body) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const actor = JSON.stringify(AGENT);
  const run = db.transaction((from: number, to: number) => {
    for (let i = from; i < to; i += 1) {
      const word = (step: number): string => WORDS[(i * step) % WORDS.length] ?? '';
      const rare = i % 50_000 === 7 ? ' zanzibar' : '';
      const event: LogEvent = {
        kind: 'note.interjected',
        note: String(i),
        text: `The ${word(1)} of ${word(5)} number ${String(i)} is to be ${word(7)}d before the ${word(2)}${rare}.`,
        privilege: [],
        timing: { first_seen_at: null, active_ms: null },
      };
      insert.run(
        `e${String(Math.floor(i / 100))}`,
        (i % 100) + 1,
        i,
        event.kind,
        actor,
        JSON.stringify(event),
      );
    }
  });
  for (let at = 0; at < count; at += 20_000) run(at, Math.min(count, at + 20_000));
}

/** A million events: what taking them in costs, and finding in them. */
export function measureSearch(folder: string, say: Say): void {
  const db = openDatabase(join(folder, 'search.db'));
  const log = createEventLog({ db, clock: Date.now, onListenerError: () => undefined });
  const count = 1_000_000;
  fillEvents(db, count);
  const { search, searchIndex } = openSearch(db, log, {
    schedule: () => () => undefined,
    report: () => undefined,
  });
  const batches: number[] = [];
  const [, took] = timed(() => {
    for (let more = true; more;) {
      const [next, batch] = timed(() => searchIndex.step());
      batches.push(batch);
      more = next;
    }
  });
  batches.sort((a, b) => a - b);
  const at = (share: number): string => ms(batches[Math.floor((batches.length - 1) * share)] ?? 0);
  say(
    `index ${count.toLocaleString('en')} events; one batch holds the log up: p50, p99, most`,
    `${String(Math.round(count / (took / 1000)))} events/s; ${at(0.5)}, ${at(0.99)}, ${at(1)}`,
  );
  const find =
    (query: string, kinds: ('note' | 'call')[] = []) =>
    () =>
      search.find({ query, kinds, before: null, limit: 50 });
  say(
    'search them, newest first: common word, rare word, two words, phrase, by kind, beginning of a word',
    [
      asked(find('workflow')),
      asked(find('zanzibar')),
      asked(find('workflow zanzibar')),
      asked(find('"is to be"')),
      asked(find('invoice', ['note'])),
      asked(find('zanzi')),
    ].join(', '),
  );
  db.close();
}

/** An episode of so many events: turns that call a tool and get something back. */
function fillEpisode(path: string, id: string, count: number): void {
  const log = openLog(path, Date.now);
  const calls = Math.floor((count - 2) / 4);
  const entries = Array.from({ length: calls }, (_, i) => callEvents(i + 1)).flat();
  const first = [
    { actor: SYSTEM, event: started({ task_idx: 3 }) },
    { actor: SYSTEM, event: reset({ task_idx: 3 }) },
  ];
  const end: LogEvent = ended({ final_answer: 'done' });
  const all = [...first, ...entries, { actor: SYSTEM, event: end }].map((entry) => ({ ...entry, at: null }));
  log.importStreams([{ stream: id, entries: all }]);
  log.close();
}

function callEvents(turn: number) {
  const call = `c${String(turn)}`;
  const args = { query: `workflow ${String(turn)}`, limit: 20 };
  const text = JSON.stringify({
    items: Array.from({ length: 6 }, (_, i) => ({ id: i, name: `row ${String(i)}` })),
  });
  return [
    {
      actor: AGENT,
      event: generated({
        turn,
        content: 'I look for the workflow by its name before I change anything.',
        model: 'm',
        stop_reason: 'stop',
        latency_ms: 1,
      }),
    },
    {
      actor: AGENT,
      event: proposed({
        turn,
        call,
        move: { type: 'call_tool' as const, tool_name: 'search_workflows', arguments: args },
      }),
    },
    {
      actor: SYSTEM,
      event: { kind: 'call.sent' as const, call, tool_name: 'search_workflows', arguments: args },
    },
    {
      actor: ENVIRONMENT,
      event: returned({ call, frame: text, text, latency_ms: 2 }),
    },
  ];
}

/** From opening a replay to its first lines and to all of it, and how smoothly it scrolls; null without a browser. */
export async function measureReplay(say: Say): Promise<void> {
  const found = findDesktopBrowser();
  if (found === null) return say('a long replay on screen', 'not measured: no browser here');
  const folder = newFolder();
  const sizes = [10_000, 40_000];
  for (const size of sizes) fillEpisode(join(folder, 'interject.db'), `long${String(size)}`, size);
  const server = await startServer({ folder });
  const browser = await launch(found);
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await openConsole(context, server);
    for (const size of sizes) {
      await goTo(page, '#/episodes');
      await page.getByRole('grid', { name: 'Episodes' }).getByRole('row').first().waitFor();
      const { first, all } = await page.evaluate(openReplay, `long${String(size)}`);
      const still = await page.evaluate(scroll, { forMs: 1_000, step: 0 });
      const { fps, worst } = await page.evaluate(scroll, { forMs: 3_000, step: 40 });
      say(
        `open a replay of ${size.toLocaleString('en')} events: first rows, all of it; scrolling`,
        `${ms(first)}, ${ms(all)}; ${fps.toFixed(0)} frames/s (standing still ${still.fps.toFixed(0)}), longest ${ms(worst)}, ${String(Math.round((await heapOf(page)) / 1_000_000))} MB kept`,
      );
    }
  } finally {
    await browser.close();
    await server.kill();
    removeFolder(folder);
  }
}

/** In the page: scrolls the timeline steadily, so many pixels a frame. */
function scroll({ forMs, step }: { forMs: number; step: number }): Promise<{ fps: number; worst: number }> {
  return new Promise((done) => {
    const list = document.querySelector('[role="list"][aria-label="Steps of the episode"]');
    if (list === null) return done({ fps: 0, worst: 0 });
    list.scrollTop = 0;
    const from = performance.now();
    let [frames, last, worst] = [0, from, 0];
    const frame = (now: number): void => {
      frames += 1;
      worst = Math.max(worst, now - last);
      last = now;
      list.scrollTop += step;
      if (now - from < forMs) requestAnimationFrame(frame);
      else done({ fps: (frames / (now - from)) * 1000, worst });
    };
    requestAnimationFrame(frame);
  });
}
