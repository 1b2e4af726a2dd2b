// Owns: what a reader of a format is given and gives back, and the log entries of an episode that was read.
import { SYSTEM } from '../../../shared/events/actor.ts';
import type { Companion, ImportFormat } from '../../../shared/events/import.ts';
import type { Condition, Outcome, ToolSpec, TrainerRef } from '../../../shared/events/lifecycle.ts';
import type { JsonObject } from '../../../shared/events/turns.ts';
import type { EventOf } from '../../../shared/events/vocabulary.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import type { Entry, TimedEntry } from '../../log/eventLog.ts';
import type { Chunks } from './bytes.ts';
import type { Notes } from './notes.ts';

/** A file that lies beside the one that is read. */
export type Beside = { name: string; path: string; bytes: number };

/** One file on its way in. Its chunks are UTF-8; it may be read from the beginning more than once. */
export type Input = {
  name: string;
  /** Where its bytes lie while it is read. */
  path: string;
  bytes: number;
  chunks: () => Chunks;
  beside: readonly Beside[];
  notes: Notes;
  signal: AbortSignal;
  /** Whether this episode of the file is in the log already. */
  isKnown(index: number): boolean;
};

export type End = {
  outcome: Outcome;
  reason: string | null;
  failure: FailureShape | null;
  finalAnswer: string | null;
  rewardType: string | null;
  reward: number | null;
  at: number | null;
};

export const DONE: End = {
  outcome: 'done',
  reason: null,
  failure: null,
  finalAnswer: null,
  rewardType: null,
  reward: null,
  at: null,
};

/** An episode as a reader tells it. */
export type ReadEpisode = {
  index: number;
  version: string | null;
  environment: string | null;
  scenario: string | null;
  taskIdx: number | null;
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
  end: End;
  notRecorded: string[];
  companions: { role: Companion['role']; file: Beside }[];
  extra: JsonObject;
  notes: Notes;
};

/** One of our own: its stream is taken over as it is. */
export type OwnEpisode = { index: number; own: { id: string; entries: TimedEntry[] }; notes: Notes };

export type Reader = (input: Input) => AsyncGenerator<ReadEpisode | OwnEpisode>;

export const blankEpisode = (index: number, notes: Notes): ReadEpisode => ({
  index,
  version: null,
  environment: null,
  scenario: null,
  taskIdx: null,
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
  end: DONE,
  notRecorded: [],
  companions: [],
  extra: {},
  notes,
});

export type Imported = EventOf<'episode.imported'>;

/** The entries of a foreign episode: what it began with, where it came from, what happened, how it ended. */
export function entriesOf(read: ReadEpisode, format: ImportFormat, imported: Imported): TimedEntry[] {
  const { scenario, taskIdx, startedAt } = read;
  const system = (event: Entry['event'], at: number | null = null): TimedEntry => ({
    at,
    actor: SYSTEM,
    event,
  });
  return [
    system(
      {
        kind: 'episode.started',
        environment: {
          id: `import:${format}`,
          name: read.environment ?? imported.source.name,
          url: '',
          builtin: false,
        },
        scenario,
        task_idx: taskIdx,
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
        final_answer: read.end.finalAnswer,
        reward_type: read.end.rewardType,
        reward: read.end.reward,
      },
      read.end.at,
    ),
  ];
}
