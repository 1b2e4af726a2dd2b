// Input and output of a format's reader, and the log entries of an episode it read.
import { SYSTEM } from '../../../shared/events/actor.ts';
import { serverSpec } from '../../../shared/environmentKinds.ts';
import type { Companion, ImportFormat } from '../../../shared/events/import.ts';
import type { Condition, Outcome, ToolSpec, TrainerRef } from '../../../shared/events/lifecycle.ts';
import type { JsonObject } from '../../../shared/events/turns.ts';
import type { EventOf } from '../../../shared/events/vocabulary.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import type { LogEntry, TimedEntry } from '../../log/eventLog.ts';
import type { Chunks } from './bytes.ts';
import type { RecordSource } from './conservation.ts';
import type { ImportNotes } from './importNotes.ts';

/** A file that lies beside the one that is read. */
export type CompanionFile = { name: string; path: string; bytes: number };

/** One file on its way in. Its chunks are UTF-8; it may be read from the beginning more than once. */
export type ImportInput = {
  name: string;
  /** Where its bytes lie while it is read. */
  path: string;
  bytes: number;
  chunks: () => Chunks;
  beside: readonly CompanionFile[];
  notes: ImportNotes;
  signal: AbortSignal;
};

export type EpisodeEnd = {
  outcome: Outcome;
  reason: string | null;
  failure: FailureShape | null;
  final_answer: string | null;
  reward_type: string | null;
  reward: number | null;
  at: number | null;
};

export const EPISODE_DONE: EpisodeEnd = {
  outcome: 'done',
  reason: null,
  failure: null,
  final_answer: null,
  reward_type: null,
  reward: null,
  at: null,
};

/** An episode as a reader tells it. */
export type ImportedEpisode = {
  index: number;
  version: string | null;
  environment: string | null;
  scenario: string | null;
  task_idx: number | null;
  task: string | null;
  model: string | null;
  protocol: 'native' | 'xml' | null;
  condition: Condition | null;
  seed: number | null;
  repeat: number;
  group: string | null;
  trainer: TrainerRef | null;
  startedAt: number | null;
  /** What the agent was offered, where the file says so. */
  tools: ToolSpec[];
  body: readonly TimedEntry[];
  end: EpisodeEnd;
  notRecorded: string[];
  companions: { role: Companion['role']; file: CompanionFile }[];
  extra: JsonObject;
  /** What of the file it was read from, to be compared with what became of it. */
  sources: readonly RecordSource[];
  /** What was told of the same sources in other episodes: what stands there is kept as well. */
  elsewhere: readonly TimedEntry[];
  notes: ImportNotes;
};

/** One of our own: its stream is taken over as it is. */
export type OwnEpisode = {
  index: number;
  own: { id: string; entries: TimedEntry[] };
  sources: readonly RecordSource[];
  notes: ImportNotes;
};

export type FormatReader = (input: ImportInput) => AsyncGenerator<ImportedEpisode | OwnEpisode>;

export const blankEpisode = (index: number, notes: ImportNotes): ImportedEpisode => ({
  index,
  version: null,
  environment: null,
  scenario: null,
  task_idx: null,
  task: null,
  model: null,
  protocol: null,
  condition: null,
  seed: null,
  repeat: 0,
  group: null,
  trainer: null,
  startedAt: null,
  tools: [],
  body: [],
  end: EPISODE_DONE,
  notRecorded: [],
  companions: [],
  extra: {},
  sources: [],
  elsewhere: [],
  notes,
});

export type ImportedEvent = EventOf<'episode.imported'>;

/** The entries of a foreign episode: what it began with, where it came from, what happened, how it ended. */
export function episodeEntries(
  read: ImportedEpisode,
  format: ImportFormat,
  imported: ImportedEvent,
): TimedEntry[] {
  const { scenario, task_idx, startedAt } = read;
  const system = (event: LogEntry['event'], at: number | null = null): TimedEntry => ({
    at,
    actor: SYSTEM,
    event,
  });
  return [
    system(
      {
        kind: 'episode.started',
        environment: serverSpec(`import:${format}`, read.environment ?? imported.source.name, ''),
        scenario,
        task_idx,
        condition: read.condition,
        agent: { policy: 'foreign', protocol: read.protocol, model: read.model },
        limits: null,
        deadline_ms: null,
        fallback: 'wait',
        seed: read.seed,
        repeat: read.repeat,
        group: read.group,
        prompt_sha256: null,
        source: 'import',
        trainer: read.trainer,
      },
      startedAt,
    ),
    system(imported),
    ...(read.tools.length === 0 ? [] : [system({ kind: 'tools.offered', tools: read.tools })]),
    ...read.body,
    system(
      {
        kind: 'episode.ended',
        outcome: read.end.outcome,
        reason: read.end.reason,
        failure: read.end.failure,
        final_answer: read.end.final_answer,
        reward_type: read.end.reward_type,
        reward: read.end.reward,
      },
      read.end.at,
    ),
  ];
}
