// What a folder of ten million events costs a person: the start, the library, the search, a long episode, memory.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { OrderBy } from '../../src/shared/contract/library.ts';
import { LOG_FILE } from '../../src/main/log/openLog.ts';
import { startServer, type Server } from '../e2e/server.ts';
import { against, median, ms } from './figures.ts';
import type { Say } from './library.ts';
import { COMMON_WORD, EVENTS_EACH, fillEpisodes, indexAll, PHRASE, RARE_WORD } from './manyEvents.ts';
import { ranked } from './manyWords.ts';
import { memoryOf } from './processes.ts';

const EVENTS = 10_000_000;
/** What ten million events must not cost more than, the first time that a person asks. */
const TARGET = { startMs: 1_000, pageMs: 100, searchMs: 50 };
const PAGE = { query: '', status: null, condition: null, offset: 0, limit: 100 };
const ORDERS: readonly OrderBy[] = [
  'started_at',
  'scenario',
  'condition',
  'turns',
  'consultations',
  'tool_errors',
  'human_acts',
  'reward',
  'outcome',
  'lift',
];

/** Fills a folder, measures it and removes it. About 5 GB of disk and a quarter of an hour. */
export async function measureTenMillion(folder: string, say: Say): Promise<void> {
  const data = join(folder, 'ten-million');
  const path = join(data, LOG_FILE);
  fillEpisodes(path, EVENTS / EVENTS_EACH);
  indexAll(path);
  try {
    await measureFolder(data, EVENTS / EVENTS_EACH, say);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

/** What a person waits for in a folder that was filled with so many episodes. */
export async function measureFolder(folder: string, episodes: number, say: Say): Promise<void> {
  let [server, took] = await timed(() => startServer({ folder }));
  say('start until the address answers', ms(took) + against(took, TARGET.startMs));
  await measureAsking(server, episodes, say);
  say('memory after that', `${String(memoryOf(server.pid))} MB`);
  await server.kill();
  await leaveWriteAheadLog(join(folder, LOG_FILE), episodes);
  [server, took] = await timed(() => startServer({ folder }));
  say('start after an unclean end, with a write-ahead log of 100,000 events', ms(took));
  await server.stop();
}

async function measureAsking({ call }: Server, episodes: number, say: Say): Promise<void> {
  const page = (over: object) => () => call('episodes.page', { ...PAGE, ...over });
  say('first page of the library', await asked(page({}), TARGET.pageMs));
  say('first page of what runs, as the desk asks', await asked(page({ status: 'running' })));
  say('what there is to choose from', await asked(() => call('library.facets', {})));
  for (const by of ORDERS) say(`ordered by ${by}`, await asked(page({ order: { by, is_ascending: false } })));
  const narrowed: Record<string, object> = {
    'narrowed to a scenario': { filter: { scenario: 'crm_2' } },
    'narrowed to no advice': { filter: { has_advice: false } },
    'narrowed to labelled ones': { filter: { has_labels: true } },
    'narrowed to a scenario, by reward': {
      filter: { scenario: 'crm_2' },
      order: { by: 'reward', is_ascending: false },
    },
    'narrowed by words of the task': { query: ranked(40) },
    'narrowed by an id': { query: `many${String(episodes - 7).padStart(7, '0')}` },
    'the last page': { offset: episodes - 100 },
  };
  for (const [what, over] of Object.entries(narrowed)) say(what, await asked(page(over)));
  const find = (query: string) => () => call('log.search', { query, kinds: [], before: null, limit: 50 });
  const searches: Record<string, string> = {
    'a common word': COMMON_WORD,
    'a rare word': RARE_WORD,
    'two common words': `${COMMON_WORD} ${ranked(1)}`,
    'a common and a rare word': `${COMMON_WORD} ${RARE_WORD}`,
    'a phrase': PHRASE,
    'the beginning of a word': 'zanzi',
    'a word that is nowhere': 'quetzalcoatl',
  };
  for (const [what, query] of Object.entries(searches))
    say(`search ${what}`, await asked(find(query), TARGET.searchMs));
  say(
    'read one episode',
    await asked(() => call('episode.read', { episode: 'many0000500', after: 0, limit: 1000 })),
  );
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const from = performance.now();
  return [await work(), performance.now() - from];
}

/** The first time, which is how often a person asks, and the middle of a few more. */
async function asked(work: () => Promise<unknown>, targetMs?: number): Promise<string> {
  const took: number[] = [];
  for (let i = 0; i < 6; i += 1) took.push((await timed(work))[1]);
  const [first = 0, ...more] = took;
  const verdict = targetMs === undefined ? '' : against(first, targetMs);
  return `${ms(first)} (${ms(median(more))})${verdict}`;
}

/** A process that writes without a checkpoint and is killed. */
async function leaveWriteAheadLog(path: string, from: number): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'killedWriter.ts'), path, String(from)], {
    stdio: 'inherit',
  });
  await new Promise((done) => child.once('exit', done));
}
