// Figures of the parts a person feels, as ratios within one run: these machines are shared, absolute times are not claims.
// Run with `npm run perf`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectAlone } from '../../src/main/hosts/collecting.ts';
import { foldAll } from '../../src/shared/episode/fold.ts';
import {
  asked,
  drafted,
  HUMAN,
  openLog,
  openQuestion,
  reset,
  started,
  SYSTEM,
  generated,
} from '../support/log.ts';
import { measureCrowd } from './crowd.ts';
import { measureDeskOfSixteen } from './deskOfSixteen.ts';
import { measureExporting } from './exporting.ts';
import { ms, quantile } from './figures.ts';
import { measureFirstUse } from './firstUse.ts';
import { measureHolds } from './holds.ts';
import { measureTap } from './tap.ts';
import { measureImporting } from './importing.ts';
import { measureList, measureReplay, measureSearch } from './library.ts';
import { measureStatistics } from './statistics.ts';
import { measureThousand } from './thousand.ts';
import { measureTenMillion } from './tenMillion.ts';
import { measureScenarios } from './scenarios.ts';
import { createFlow, serveEnvironment, spec } from '../support/flow.ts';

// As every process of the product does when it starts.
collectAlone();
const folder = mkdtempSync(join(tmpdir(), 'interject-perf-'));
const say = (what: string, figure: string): void => console.log(`${what.padEnd(64)} ${figure}`);
const timed = <T>(work: () => T): [T, number] => {
  const startedAt = performance.now();
  const value = work();
  return [value, performance.now() - startedAt];
};

function appends(): void {
  const log = openLog(join(folder, 'append.db'), Date.now);
  const count = 3_000;
  const [, normal] = timed(() => {
    for (let i = 0; i < count; i += 1) log.append('e', SYSTEM, reset());
  });
  const [, full] = timed(() => {
    for (let i = 0; i < count / 10; i += 1) log.append('e', HUMAN, { kind: 'stop.requested', reason: null });
  });
  say(
    'append with projections, one a transaction',
    `${Math.round(count / (normal / 1000)).toLocaleString('en')} events/s`,
  );
  say(
    'a durable decision costs, against an ordinary event',
    `${(full / (count / 10) / (normal / count)).toFixed(1)} x`,
  );
  log.close();
}

function folding(): void {
  const log = openLog(join(folder, 'fold.db'), Date.now);
  const sizes = [1_000, 10_000];
  const took = sizes.map((size) => {
    const id = `e${String(size)}`;
    log.append(id, SYSTEM, started());
    const turn = (i: number) => ({
      actor: SYSTEM,
      event: generated({
        turn: i,
        content: 'A reply of some length that says what is going to happen next.',
        model: 'm',
        stop_reason: 'stop',
        latency_ms: 1,
      }),
    });
    for (let at = 0; at < size; at += 500)
      log.appendAll(
        id,
        Array.from({ length: 500 }, (_, i) => turn(at + i)),
      );
    const [events, reading] = timed(() => log.read(id));
    const [, fold] = timed(() => foldAll(id, events));
    say(
      `open an episode of ${size.toLocaleString('en')} turns: read and parse, fold`,
      `${ms(reading)}, ${ms(fold)}`,
    );
    return reading + fold;
  });
  say('ten times the episode costs', `${((took[1] ?? 0) / (took[0] ?? 1)).toFixed(1)} x`);
  log.close();
}

function listing(): void {
  const log = openLog(join(folder, 'list.db'), Date.now);
  const count = 20_000;
  for (let i = 0; i < count; i += 1) log.append(`e${String(i)}`, SYSTEM, started({ task_idx: i % 10 }));
  const query = { query: '', status: null, condition: null, offset: 0, limit: 100 };
  const [, first] = timed(() => log.projections.episodes(query));
  const [, deep] = timed(() => log.projections.episodes({ ...query, offset: count - 100 }));
  const [, search] = timed(() => log.projections.episodes({ ...query, query: 'automation' }));
  say(
    `list ${count.toLocaleString('en')} episodes: first page, last page, search`,
    `${ms(first)}, ${ms(deep)}, ${ms(search)}`,
  );
  log.close();
}

async function sending(): Promise<void> {
  const environment = await serveEnvironment();
  const path = join(folder, 'send.db');
  const { log, desk, supervisor, waiting } = createFlow({ path });
  const took: number[] = [];
  for (let i = 0; i < 200; i += 1) {
    const { id, ended } = supervisor.start(spec(environment.url, { condition: 'human' }));
    const item = await waiting(({ episode }) => episode === id);
    const sentAt = performance.now();
    const arrived = new Promise<number>((resolve) => {
      const stop = log.subscribe(({ stream, event }) => {
        if (stream !== id || event.kind !== 'advice.delivered') return;
        stop();
        resolve(performance.now() - sentAt);
      });
    });
    desk.answer(
      {
        episode: id,
        consultation: item.consultation,
        text: 'rename_workflow({"id": 2})',
        draft: null,
        seen_seq: item.seq,
        timing: { first_seen_at: null, active_ms: null },
      },
      HUMAN,
    );
    took.push(await arrived);
    await ended;
  }
  say(
    'send to the advice in the agent’s messages, durable: p50, p99',
    `${ms(quantile(took, 0.5))}, ${ms(quantile(took, 0.99))}`,
  );
  environment.close();
  log.close();
}

function desks(): void {
  const log = openLog(join(folder, 'desk.db'), Date.now);
  for (let i = 0; i < 64; i += 1) {
    openQuestion(log, `e${String(i)}`);
    log.append(`e${String(i)}`, SYSTEM, drafted({ consultation: `e${String(i)}:c1` }));
  }
  const [{ total }, took] = timed(() => log.projections.desk(200));
  say(`read a desk on which ${String(total)} questions wait`, ms(took));
  log.append('e0', SYSTEM, asked({ consultation: 'e0:c2' }));
  log.close();
}

type Measurement = () => void | Promise<void>;

/** In the order in which they are made; `npm run perf -- list desk16` makes those alone. */
const MEASUREMENTS: Readonly<Record<string, Measurement>> = {
  statistics: () => measureStatistics(say),
  appends,
  folding,
  listing,
  desks,
  list: () => measureList(folder, say),
  search: () => measureSearch(folder, say),
  replay: () => measureReplay(say),
  sending,
  firstUse: () => measureFirstUse(say),
  desk16: () => measureDeskOfSixteen(say),
  scenarios: () => measureScenarios(say),
  importing: () => measureImporting(say),
  exporting: () => measureExporting(say),
  holds: () => measureHolds(say),
  tap: () => measureTap(say),
  crowd: () => measureCrowd(say),
  thousand: () => measureThousand(say),
};

/** Too long for every run: these are made when they are named. */
const LONG: Readonly<Record<string, Measurement>> = {
  tenmillion: () => measureTenMillion(folder, say),
};

const named = process.argv.slice(2);
const all = { ...MEASUREMENTS, ...LONG };
const unknown = named.find((name) => !(name in all));
if (unknown !== undefined) {
  console.error(`There is no measurement "${unknown}". There are: ${Object.keys(all).join(', ')}.`);
  process.exit(2);
}
try {
  for (const [name, measure] of Object.entries(named.length === 0 ? MEASUREMENTS : all)) {
    if (named.length === 0 || named.includes(name)) await measure();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
