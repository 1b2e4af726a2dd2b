// Fills a log with very many events through the product's own import, so that every row and projection is what it writes.
import { openDatabase, type Database } from '../../src/main/log/database.ts';
import { createEventLog, type TimedEntry } from '../../src/main/log/eventLog.ts';
import type { ImportedStream } from '../../src/main/log/importQueue.ts';
import { openSearch } from '../../src/main/log/searchIndex.ts';
import type { Actor } from '../../src/shared/events/actor.ts';
import { ENVIRONMENT } from '../../src/shared/events/actor.ts';
import type { LogEvent } from '../../src/shared/events/vocabulary.ts';
import { CONDITIONS_PLAYED, SCENARIOS_PLAYED, createWords } from './manyWords.ts';
import {
  AGENT,
  asked,
  drafted,
  HUMAN,
  reset,
  started,
  SYSTEM,
  ended,
  generated,
  proposed,
  returned,
} from '../support/log.ts';

export const EVENTS_EACH = 100;
/** Stands once in every 50,000 events. */
export const RARE_WORD = 'zanzibar';
/** Stands in every result. */
export const COMMON_WORD = 'workflow';
export const PHRASE = '"is to be renamed"';

type Filled = { episodes: number; events: number };

/** Episodes of a hundred events each, half a minute apart; nothing is indexed for the search yet. */
export function fillEpisodes(path: string, count: number, from = 0): Filled {
  const db = openDatabase(path);
  const events = writeEpisodes(db, count, from);
  db.close();
  return { episodes: count, events };
}

/** The same into an open log; the last place in it. */
export function writeEpisodes(db: Database, count: number, from: number): number {
  const log = createEventLog({ db, clock: Date.now, onListenerError: () => undefined });
  const words = createWords(from + 1);
  for (let at = 0; at < count; at += 20)
    log.importStreams(
      Array.from({ length: Math.min(20, count - at) }, (_, i) => episodeOf(from + at + i, words)),
    );
  return log.lastSeq();
}

/** Takes everything into the search index, as the product does in the background. */
export function indexAll(path: string): void {
  const db = openDatabase(path);
  const log = createEventLog({ db, clock: Date.now, onListenerError: () => undefined });
  const edges = { schedule: () => () => undefined, report: () => undefined };
  openSearch(db, log, edges).searchIndex.catchUp();
  db.close();
}

const idOf = (index: number): string => `many${String(index).padStart(7, '0')}`;
const FIRST_AT = Date.UTC(2026, 0, 1);
const BETWEEN_MS = 30_000;

type Words = ReturnType<typeof createWords>;

function episodeOf(index: number, words: Words): ImportedStream {
  const stream = idOf(index);
  const began = FIRST_AT + index * BETWEEN_MS;
  const task = { scenario: SCENARIOS_PLAYED[index % SCENARIOS_PLAYED.length] ?? null, task_idx: index % 10 };
  const condition = CONDITIONS_PLAYED[index % CONDITIONS_PLAYED.length] ?? 'none';
  const hasAdvice = condition === 'human+draft' && index % 2 === 0;
  const entries: TimedEntry[] = [];
  const add = (actor: Actor, event: TimedEntry['event']): void =>
    void entries.push({ actor, event, at: began + entries.length * 200 });
  add(SYSTEM, started({ ...task, condition, group: null }));
  add(SYSTEM, reset({ ...task, task: `${words.sentence(8)} ${words.sentence(6)}` }));
  if (hasAdvice) {
    const consultation = `${stream}:c1`;
    add(SYSTEM, asked({ consultation, question: words.sentence(12) }));
    add({ type: 'model', id: null }, drafted({ consultation }));
    add(HUMAN, approvedEvent(consultation, words.sentence(10)));
  }
  for (let turn = 1; entries.length < EVENTS_EACH - 3; turn += 1) addTurn(add, turn, index, words);
  while (entries.length < EVENTS_EACH - 1) addNote(add, entries.length, words);
  const isSolved = words.below(3) > 0;
  add(
    SYSTEM,
    ended({
      outcome: words.below(20) === 0 ? 'error' : 'done',
      final_answer: words.sentence(5),
      reward_type: isSolved ? 'complete' : 'incomplete',
      reward: isSolved ? 1 : words.below(10) / 10,
    }),
  );
  return { stream, entries };
}

const approvedEvent = (consultation: string, text: string): LogEvent => ({
  kind: 'advice.approved',
  consultation,
  draft: 'd1',
  act: 'edit',
  text,
  privilege: [],
  human_act: null,
  seen_seq: 3,
  timing: { first_seen_at: null, active_ms: 4_000 },
});

type Add = (actor: Actor, event: TimedEntry['event']) => void;

const addNote = (add: Add, at: number, words: Words): void =>
  add(SYSTEM, {
    kind: 'note.interjected',
    note: String(at),
    text: words.sentence(3),
    privilege: [],
    timing: { first_seen_at: null, active_ms: null },
  });

function addTurn(add: Add, turn: number, index: number, words: Words): void {
  const call = `c${String(turn)}`;
  const args = { query: words.sentence(2), limit: 20 + words.below(30) };
  const isFailed = words.below(12) === 0;
  const rare = (index * EVENTS_EACH + turn) % 50_000 === 7 ? ` ${RARE_WORD}` : '';
  const phrase = words.below(50) === 0 ? ' The row is to be renamed.' : '';
  const text = `${COMMON_WORD} ${words.sentence(14)}${phrase}${rare}`;
  add(AGENT, generated({ turn, content: words.sentence(9), model: 'm', stop_reason: 'stop', latency_ms: 1 }));
  add(
    AGENT,
    proposed({ turn, call, move: { type: 'call_tool', tool_name: 'search_workflows', arguments: args } }),
  );
  add(SYSTEM, { kind: 'call.sent', call, tool_name: 'search_workflows', arguments: args });
  add(
    ENVIRONMENT,
    returned({
      call,
      frame: text,
      reward_type: isFailed ? 'tool_call_error' : 'tool_call_ok',
      text,
      error: isFailed ? 'no such row' : null,
      latency_ms: 2,
    }),
  );
}
