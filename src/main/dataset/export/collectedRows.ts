import type { ExportRules } from '../../../shared/contract/export.ts';
import type { EventLog } from '../../log/eventLog.ts';
import type { Format, MadeRow } from './format.ts';
import type { YieldToOthers } from './pace.ts';
import type { EventMarks } from './preflight/eventChecks.ts';
import type { Signature } from './preflight/nearTasks.ts';
import type { RowIndex, Totals } from './rowIndex.ts';
import type { ReadRequest, Reviews } from './loadEpisode.ts';
import { kindOf } from '../../../shared/environmentKinds.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';

/** Takes a row as it is made; returns the bytes of its line, its end among them. What is left out later goes by its number. */
export type RowSink = (line: string, made: MadeRow, episode: string) => number;

export type CollectedRows = {
  index: RowIndex;
  episodes: string[];
  /** What was found in the events of each, where they are to lie beside the rows. */
  marks: EventMarks[];
  tasks: { key: string; signature: Signature | null }[];
  labels: string[];
  /** Keys of rows, as the bits of `nulls` count them. */
  keys: string[];
  dropped: Record<string, number>;
  /** Episodes that cannot be read. */
  damaged: string[];
  /** Rows that say the same as one before, whether they were left out or not. */
  duplicates: number;
  /** Rows that others contradict, whether they were left out or not. */
  contradicted: number[];
  /** Words of tasks that are held out, where an episode in the log tells them. */
  heldOut: Signature[];
  read: number;
  /** Chosen one by one, and not in the log. */
  unknown: string[];
  range: { from: number | null; to: number | null; last: { episode: string; n: number } | null };
  origins: Record<TaskOrigin, number>;
  hasPeople: boolean;
  totals: Totals;
};

export type CollectRequest = {
  log: EventLog;
  format: Format;
  rules: ExportRules;
  /** The log as it stands at this place; what comes later is not there. */
  untilSeq: number;
  pace: YieldToOthers;
  onEpisode: (done: number) => void;
  sink: RowSink | null;
  reviews: Reviews;
  completions?: ReadRequest['completions'];
};

/** Stands for no class among the labels. */
export const NO_LABEL = 0;

export const countOne = (counts: Record<string, number>, name: string): void => {
  counts[name] = (counts[name] ?? 0) + 1;
};
export const addAll = (counts: Record<string, number>, more: Readonly<Record<string, number>>): void => {
  for (const [name, number] of Object.entries(more)) counts[name] = (counts[name] ?? 0) + number;
};

/** The episodes that gave rows in the end, by their place in the list. */
export function keptEpisodes({ index }: Pick<CollectedRows, 'index'>): Set<number> {
  const kept = new Set<number>();
  for (const row of index.kept()) kept.add(index.at(row).episode);
  return kept;
}

export type TaskOrigin = 'builtin' | 'awm' | 'other';

/** Files that hold nothing but Agent World Model episodes. */
const AWM_FILES: ReadonlySet<string> = new Set(['awm_trajectory', 'snowflake_run', 'echo_fixture']);

export function taskOrigin({ started, reset, imported }: EpisodeRecord): TaskOrigin {
  if (imported !== null) return AWM_FILES.has(imported.format) ? 'awm' : 'other';
  if (started !== null && kindOf(started.environment).isPartOfProduct) return 'builtin';
  // A server that names scenario and task at reset speaks Agent World Model's dialect.
  return reset !== null && reset.scenario !== null && reset.task_idx !== null ? 'awm' : 'other';
}
