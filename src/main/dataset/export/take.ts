// Owns: taking one episode into an export: its rows, each chosen, looked at, remembered and handed on.
import { hash } from 'node:crypto';
import type { ExportRules } from '../../../shared/contract/export.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { EndedEpisode } from '../../log/endedEpisodes.ts';
import type { MadeRow, Told } from './format.ts';
import { shownBody } from './evidence.ts';
import { addAll, countOne, NO_LABEL, type Gathered, type GatherAsk } from './gathered.ts';
import { jsonLine } from './lines.ts';
import { originOf } from './origin.ts';
import { besides } from './output.ts';
import { createRowChecks } from './preflight/checks.ts';
import { eventMarks, type EventMarks } from './preflight/eventChecks.ts';
import { CHARS_PER_TOKEN } from './preflight/findings.ts';
import { signatureOf } from './preflight/nearTasks.ts';
import { see } from './preflight/seen.ts';
import { rowRule, splitOf, taskOf } from './select.ts';
import { readTold, type ReadEpisode, type Reviews } from './told.ts';

const NO_MARKS: EventMarks = { bits: 0, at: [] };

type At = { task: number; isValidation: boolean; episode: string };

/** Takes in one episode after the other. */
export function createTake(ask: GatherAsk, gathered: Gathered): (episode: EndedEpisode) => void {
  const { log, format, rules, sink, reviews } = ask;
  const hasEvents = besides(format, rules).events;
  const names = createNames(gathered, rules);
  const addRow = createAddRow(ask, gathered, names.label);
  return ({ id }) => {
    const read = readTold(ask, id);
    const rule = recordRule(read.record, rules, reviews);
    if (rule !== null) return countOne(gathered.dropped, rule);
    widen(gathered.range, read.rows);
    const { rows, dropped } = format.rows(read, rules);
    addAll(gathered.dropped, dropped);
    if (rows.length === 0) return;
    const key = taskOf(read.record, read.whole);
    const isValidation = splitOf(key, rules.validation) === 'validation';
    const at: At = { episode: id, task: names.task(read, key), isValidation };
    let kept = 0;
    rows.forEach((made, nth) => {
      const why = rowRule(made.facts, rules);
      if (why !== null) return countOne(gathered.dropped, why);
      if (!addRow(made, nth, at)) return;
      kept += 1;
      gathered.hasPeople ||= made.facts.actor === 'human';
    });
    if (kept === 0) return;
    gathered.origins[originOf(read.record)] += 1;
    gathered.episodes.push(id);
    gathered.marks.push(hasEvents ? eventMarks(read.rows, (body) => shownBody(log.texts, body)) : NO_MARKS);
    sink?.episode(read);
  };
}

/** Beginning of a task that is compared with others. */
const TASK_HEAD = 20_000;

/** Tasks and labels by their place in a list. */
function createNames(gathered: Gathered, rules: ExportRules) {
  const tasks = new Map<string, number>();
  const labels = new Map<string, number>();
  const isCompared = rules.validation !== null || rules.held_out.length > 0;
  return {
    task: ({ record, whole }: Told, key: string): number => {
      const known = tasks.get(key);
      if (known !== undefined) return known;
      const words = record.reset?.task ?? null;
      const signature = isCompared && words !== null ? signatureOf(whole(words).slice(0, TASK_HEAD)) : null;
      const place = gathered.tasks.push({ key, signature }) - 1;
      tasks.set(key, place);
      return place;
    },
    label: (label: string | null): number => {
      if (label === null) return NO_LABEL;
      const known = labels.get(label) ?? gathered.labels.push(label) - 1;
      labels.set(label, known);
      return known;
    },
  };
}

/** Of a row's hash: enough to tell a billion apart. */
const DIGEST_CHARS = 24;
/** As many of its digits as a number holds exactly. */
const LOT_CHARS = 12;

/** Says whether the row is kept. */
function createAddRow(
  { format, rules, sink }: GatherAsk,
  gathered: Gathered,
  labelAt: (label: string | null) => number,
): (made: MadeRow, nth: number, at: At) => boolean {
  const find = createRowChecks(format, rules);
  const identities = new Set<string>();
  return (made, nth, { task, isValidation, episode }) => {
    const { facts, row, more = [] } = made;
    const digest = hash('sha256', facts.identity, 'hex').slice(0, DIGEST_CHARS);
    if (identities.has(digest)) {
      gathered.duplicates += 1;
      if (rules.dedupe) {
        countOne(gathered.dropped, 'duplicate');
        return false;
      }
    }
    identities.add(digest);
    const line = [row, ...more].map(jsonLine).join('\n');
    gathered.index.add({
      episode: gathered.episodes.length,
      task,
      label: labelAt(facts.label),
      nth,
      n: facts.n ?? -1,
      isValidation,
      tokens: Math.ceil(line.length / CHARS_PER_TOKEN),
      found: find(see(row, line)),
      nulls: nullsOf(gathered.keys, row),
      lot: Number.parseInt(digest.slice(0, LOT_CHARS), 16),
      bytes: sink === null ? Buffer.byteLength(line) + 1 : sink.row(line, made, { episode, isValidation }),
    });
    return true;
  };
}

/** What only the record tells. */
export function recordRule(
  record: EpisodeRecord,
  rules: Pick<ExportRules, 'touched' | 'min_agreement'>,
  reviews: Pick<Reviews, 'agreement'>,
): string | null {
  if (record.erased !== null) return 'erased';
  if (rules.touched === 'drop' && record.turns.some(({ touched }) => touched !== null)) return 'touched';
  if (rules.min_agreement !== null && (reviews.agreement(record.id) ?? -1) < rules.min_agreement)
    return 'agreement';
  return null;
}

function nullsOf(keys: string[], row: Record<string, unknown>): number {
  for (const key of Object.keys(row)) if (!keys.includes(key)) keys.push(key);
  let nulls = 0;
  keys.forEach((key, bit) => {
    if (bit < 32 && (row[key] ?? null) === null) nulls |= 1 << bit;
  });
  return nulls >>> 0;
}

function widen(range: Gathered['range'], list: ReadEpisode['rows']): void {
  const [first, last] = [list[0], list.at(-1)];
  if (first === undefined || last === undefined) return;
  range.from = Math.min(range.from ?? first.seq, first.seq);
  if (range.to !== null && range.to >= last.seq) return;
  range.to = last.seq;
  range.last = { episode: last.stream, n: last.n };
}
