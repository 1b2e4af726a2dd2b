// The type of a format: a pure function from one episode to rows, with where each row comes from.
import type { ExportFormat, ExportRules, TaskRef } from '../../../shared/contract/export.ts';
import type { ItemRecord } from '../../../shared/review/record.ts';
import type { Dimension } from '../../../shared/events/annotations.ts';
import type { Privilege } from '../../../shared/events/actor.ts';
import type { EventOf, Recorded } from '../../../shared/events/vocabulary.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { Text } from '../../../shared/events/text.ts';
import type { ProfileRow } from '../../../shared/contract/rewards.ts';
import type { InterventionLift } from '../../../shared/lift/intervention.ts';
import type { Completions } from './outcomes.ts';

/** One ended episode and what stands beside it. Reading is lazy: most formats need the record alone. */
export type EpisodeInput = {
  record: EpisodeRecord;
  loadText: (text: Text) => string;
  /** The episode's own events, oldest first. */
  events: () => Iterable<Recorded>;
  /** What reviewers said of it in every project. */
  reviews: () => readonly ItemRecord[];
  /** The question a value of an item answers, as its project asked it then; null where that is not known. */
  dimension?: (item: ItemRecord, id: string, schemaVersion: number) => Dimension | null;
  /** Advice that came after its question was over. */
  late: () => readonly EventOf<'advice.late'>[];
  /** What answers in it were worth, where that was measured; newest last. */
  lifts?: () => readonly InterventionLift[];
  /** The reward profiles there are, the default first. */
  profiles: () => readonly ProfileRow[];
  /** What may be the rejected side of the imported pair whose chosen side this is. */
  rejected?: () => readonly EpisodeRecord[];
  /** What completed episodes of the same task did; left out where there is no log to look in. */
  completions?: () => Completions;
};

export type SideOutcome = {
  /** What the verifier said; empty where that is not known. */
  outcome: string;
  reward: number;
  /** `episode`: it was played in this one. `sibling`: in another episode of the task. */
  known: 'episode' | 'sibling' | 'unknown';
};
export type Sides = { chosen: SideOutcome; rejected: SideOutcome };

/** Facts of a row that the rules read; null where one does not apply. */
export type RowFacts = {
  task: TaskRef;
  /** Seq-independent place in the episode, to jump to it: an event's `n`. */
  n: number | null;
  turn: number | null;
  consultation: string | null;
  actor: string;
  privilege: Privilege;
  hasTimeout: boolean;
  isLate: boolean;
  hasFabricated: boolean;
  /** The class that preflight counts; null where the format has none. */
  label: string | null;
  /** What became of both sides of a pair. */
  sides?: Sides;
  /** Whether what the agent thought is known of a reply that is taught; left out where none is. */
  hasThoughts?: boolean;
  /** A call in it names an argument twice, of which a reader holds the last alone. */
  hasEqualKeys?: boolean;
  /** Facts in what is taught that stand nowhere before it. Looked for when they are asked for. */
  unknowable?: readonly string[];
  /** What an expert wrote has a loss: as advice, in the agent's place, or on a side of a pair. */
  hasExpertWords?: boolean;
  /** The expert was taken out, and something still tells of it. */
  hasTrace?: boolean;
  /** Of a row that judges a reply: the identity it would have with the other label, and whether somebody judged this very
   * reply, not the end of its episode. */
  judged?: { opposite: string; isDirect: boolean };
  /** What makes two rows the same row: the columns a trainer reads, without where they came from. */
  identity: string;
  /** Messages as they train, for the mask preview. Made only for samples. */
  mask: () => { role: string; text: string; trains: boolean; why: string | null }[];
};

export type MadeRow = {
  row: Record<string, unknown>;
  facts: RowFacts;
  /** Lines that belong to the row and stand right after it: messages of a session, events of an episode. Lines only. */
  more?: readonly Record<string, unknown>[];
};
export type EpisodeRows = { rows: MadeRow[]; dropped: Record<string, number> };

/** A column of a format, for the data card, for Parquet, and for the check that every row has just these. */
export type FormatColumn = {
  name: string;
  /** `json`: any value; written as a JSON list or object in lines, as text in Parquet. */
  type: 'string' | 'int64' | 'float64' | 'bool' | 'json';
  /** Lists of messages, calls or tools. */
  isList?: boolean;
  /** Another tool's schema has null here; JSON columns alone can hold it. */
  isNullable?: boolean;
};

export type Format = {
  id: ExportFormat;
  /** What an episode's verdict must be where the rules leave it to the format. */
  verdict: 'completed' | 'verified' | 'any';
  /** The verdict is what the format promises: no rule changes it. */
  isVerdictFixed?: true;
  /** In order. Null: records of another tool's schema, whose keys vary; lines only. */
  columns: readonly FormatColumn[] | null;
  /** Where `columns` is null: what a line may hold, for the card. Readers would else take keys that some lines lack for none. */
  cardColumns?: readonly FormatColumn[];
  /** What the rows are and how to train on them, for the card. */
  says: string;
  /** Small files that readers of the format look for beside the data: a name and its JSON. */
  beside?: Readonly<Record<string, Record<string, unknown>>>;
  /** Rows of one episode; what is left out is counted by rule. Pure. */
  rows: (input: EpisodeInput, rules: ExportRules) => EpisodeRows;
};
