// The shape of a record, the state folded from one episode's events. Live view, replay, CLI and export read it.
import type { TableChange } from '../events/world.ts';
import type { Actor, Privilege, Timing } from '../events/actor.ts';
import type {
  Act,
  Baseline,
  CoveredSpan,
  DeliveredAs,
  DraftRef,
  Hint,
  Link,
  Purpose,
} from '../events/consultations.ts';
import type { Touch } from '../events/gateway.ts';
import type { Fallback, Outcome, ReachedLimit, ToolSpec } from '../events/lifecycle.ts';
import type { Usage } from '../events/prices.ts';
import type { DoubtAct } from '../events/restarts.ts';
import type { ApprovalRule, Breakpoint, CallFallback, Phase, PhaseCause } from '../events/stepIns.ts';
import type { Text } from '../events/text.ts';
import type { JsonObject, Move, ReplyMarks, NativeCall, Segment, Thought } from '../events/turns.ts';
import type { EventOf } from '../events/vocabulary.ts';
import type { FailureShape } from '../failure.ts';
import type { Leak } from '../leak.ts';
import type { BrokeOff, CallDoubt, Restart } from './restarts.ts';
import type { ToldHelp } from './toldHelp.ts';

export type Status = 'starting' | 'running' | 'waiting' | 'ended';

export type Draft = {
  id: string;
  at: number;
  text: Text;
  generator: 'model' | 'rule';
  model: string | null;
  privilege: Privilege;
  /** What a person asked it to take into account; null for a draft nobody asked for. */
  hint: Hint | null;
  /** How much of it the agent could not know; absent where it was not measured. */
  leak?: Leak;
  /** What the model took for it; absent where it did not say, and of a rule’s. */
  usage?: Usage;
  /** The expert of the roster whose model wrote it; absent from the advisor's own. */
  expert?: string;
};

export type Decision =
  | {
      type: 'approved';
      at: number;
      actor: Actor;
      act: Act;
      text: Text;
      draft: string | null;
      /** The draft of another ask that the words came from; null where it was one of this ask's own, or none. */
      draftFrom: DraftRef | null;
      privilege: Privilege;
      timing: Timing;
      humanAct: string | null;
      leak?: Leak;
      expert?: string;
    }
  | { type: 'declined'; at: number; actor: Actor; reason: string; timing: Timing; expert?: string }
  | { type: 'expired'; at: number; fallback: Fallback; reason: EventOf<'consultation.expired'>['reason'] }
  /** `isByEnd`: its episode ended before anyone had answered. */
  | { type: 'cancelled'; at: number; reason: string; isByEnd?: true };

export type Consultation = {
  id: string;
  turn: number;
  /**
   * Turns below this number came before the question. It is `turn`, except in logs in which a client's question had the
   * number of the last call before it.
   */
  before: number;
  call: string | null;
  trigger: EventOf<'consultation.asked'>['trigger'];
  task: string | null;
  availableTools: string | null;
  question: Text | null;
  answeredBy: 'human' | 'model' | 'nobody';
  askedAt: number;
  askedN: number;
  deadline_at: number | null;
  fallback: Fallback;
  via: EventOf<'consultation.asked'>['via'];
  /** The client's whole request; null where the loop asked. */
  request: Text | null;
  link: Link | null;
  /** What of the request was recognised as criteria. */
  covered: CoveredSpan[];
  /** So many characters of an answer its client takes; null where it did not say. */
  limitChars: number | null;
  /** By what its client finds it again; null where the loop asked. */
  client: NonNullable<EventOf<'consultation.asked'>['client']> | null;
  /** What the request itself tells of the answer. */
  privilege: Privilege;
  purpose: Purpose;
  /** The earlier run a brief is written of; null for a question. */
  baseline: Baseline | null;
  routed: NonNullable<EventOf<'consultation.asked'>['routed']> | null;
  /** Every seat may answer it by now, where one saw it first. */
  isOpened: boolean;
  draft: Draft | null;
  /** Every draft, oldest first, each with the seq from which it could be seen. */
  drafts: (Draft & { seq: number })[];
  draftFailure: { code: string; message: string } | null;
  admission: { isAdmitted: boolean; rule: EventOf<'consultation.admitted'>['rule'] } | null;
  /** Who is at it, and until when. */
  claim: { seat: string; until: number } | null;
  passedBy: string[];
  /** What closed it; null while it waits. */
  decision: Decision | null;
  delivered: {
    at: number;
    as: DeliveredAs;
    text: Text;
    full_length: number;
    deliveredLength: number;
    privilege: Privilege;
    to: 'agent' | 'client';
  } | null;
};

/** The decision about a held call. A deadline or a stop is never a rejection. */
export type CallDecision = { at: number; actor: Actor } & (
  | { type: 'approved'; privilege?: Privilege }
  | { type: 'edited'; toolName: string; arguments: JsonObject; reason: string | null; privilege: Privilege }
  | { type: 'rejected'; reason: string; privilege: Privilege }
  | { type: 'answered'; text: Text; isError: boolean; privilege: Privilege }
  | { type: 'expired'; fallback: CallFallback }
  | { type: 'cancelled'; reason: string }
);

export type Call = {
  id: string;
  toolName: string;
  /** What went to the environment; null while nothing has, or when it was refused. */
  sent: { at: number; toolName: string; arguments: JsonObject } | null;
  refused: { at: number; reason: EventOf<'call.refused'>['reason']; text: string } | null;
  /** Set while and after it waited for a person. */
  held: {
    at: number;
    n: number;
    why: EventOf<'call.held'>['why'];
    rule: string | null;
    deadline_at: number | null;
    fallback: CallFallback;
  } | null;
  /** Set once nobody knew whether it had been carried out. Absent where that never was. */
  doubt?: CallDoubt;
  /** Why nobody was asked, where there were rules. */
  waived: string | null;
  decision: CallDecision | null;
  /** What was decided when the tap had done otherwise already, which stands as the decision. Absent where that never was. */
  late?: CallDecision;
  /** What it changed in the world, where that can be read. */
  changes: TableChange[] | null;
  /** They were left out on the way to a screen, which asks for them on a person’s word. */
  areChangesCovered?: boolean;
  returned: {
    at: number;
    reward_type: string | null;
    reward: number | null;
    done: boolean;
    text: Text | null;
    error: Text | null;
    frame: Text;
    latency_ms: number | null;
  } | null;
};

export type Turn = {
  turn: number;
  /** The turn whose reply made this call too; absent from a reply’s first turn. */
  replyOf?: number;
  at: number;
  n: number;
  content: Text;
  reasoning: Text | null;
  /** How its reasoning came, and its details as JSON; absent where none did. */
  thought?: Thought;
  reasoningDetails?: Text;
  /** The first turn whose reasoning the model was sent again for it, with that of each later one; absent where none was. */
  recalled?: number;
  toolCalls: NativeCall[];
  model: string | null;
  stopReason: string | null;
  usage: Usage | null;
  latency_ms: number | null;
  callId: string | null;
  move: Move | null;
  repairs: string[];
  ignoredCalls: number;
  /** How sure the agent said it is; absent where it said nothing. */
  confidence?: number;
  call: Call | null;
  consultation: string | null;
  actor: Actor;
  /** What the person who wrote it had seen of the answer; absent from an agent's, and where it was not recorded. */
  privilege?: Privilege;
  /** What the file it was imported from says of it; absent where it says nothing. */
  marks?: ReplyMarks;
  /** A turn of a take-over that is not to be learnt from. */
  isDiscarded: boolean;
  /** Copied from the episode this one was forked from. */
  isCopied: boolean;
  /** False for a turn of which only the call is known: the wire carries no model text. */
  hasText: boolean;
  /** What a person changed of it for a client's agent. */
  touched: Touch | null;
  label: {
    at: number;
    actor: Actor;
    move: Move;
    agrees: boolean;
    privilege: Privilege;
    /** The share of turns that was asked for a label; null when it was every one. */
    beta: number | null;
  } | null;
};

export type Message = {
  /** A further call of the reply of this turn; absent from a message of its own. */
  replyOf?: number;
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: Text;
  turn: number;
  n: number;
  origin: EventOf<'message.added'>['origin'] | 'agent';
  toolCalls: NativeCall[];
  toolCallId: string | null;
  name: string | null;
  segments: Segment[];
  full_length: number;
};

/** A line of what people did around the turns. */
export type StepInItem = Place &
  (
    | { type: 'phase'; from: Phase; to: Phase; cause: PhaseCause; reason: string | null }
    | { type: 'note'; note: string }
    | { type: 'breakpoint_hit'; breakpoint: string; turn: number }
    | { type: 'rules'; count: number }
    | { type: 'discarded'; fromTurn: number; toTurn: number; reason: string | null }
    | { type: 'preview'; preview: string }
    | { type: 'forked' }
    | { type: 'went_on'; attempt: number }
    /** `act` is null where the call began to wait. */
    | { type: 'doubt'; turn: number; act: DoubtAct | null }
  );

/** One line of the timeline, in log order. A turn's later facts are found through its number. */
export type Item =
  | StepInItem
  | GatewayItem
  | (Place &
      (
        | { type: 'started' }
        | { type: 'reset' }
        | { type: 'tools'; count: number; byAgent: boolean }
        | { type: 'turn'; turn: number }
        | { type: 'consultation'; consultation: string }
        | { type: 'model_failed'; turn: number; code: string; message: string; retryInMs: number | null }
        | { type: 'start_retried'; tries: number; retries: number; waitMs: number; failure: FailureShape }
        | ({ type: 'connection' } & Omit<EventOf<'connection.changed'>, 'kind'>)
        | { type: 'criteria' }
        | { type: 'answer_key'; seat: string }
        | { type: 'stop_requested'; reason: string | null }
        | { type: 'erased' }
        | { type: 'imported' }
        /** What somebody said to the agent between its turns, where no other line tells it. */
        | { type: 'message'; role: Message['role']; origin: Message['origin']; text: Text }
        | { type: 'verified' }
        | { type: 'finished' }
        | { type: 'ended' }
      ));

export type EpisodeRecord = {
  id: string;
  /** Last n of the stream and last seq of the log that are folded in. */
  n: number;
  seq: number;
  startedAt: number | null;
  updatedAt: number | null;
  status: Status;
  started: EventOf<'episode.started'> | null;
  reset: (EventOf<'environment.reset'> & { at: number }) | null;
  tools: ToolSpec[];
  /** What the agent was offered natively; empty in the XML protocol. */
  offered: ToolSpec[];
  turns: Turn[];
  consultations: Consultation[];
  messages: Message[];
  notes: Note[];
  previews: (EventOf<'preview.ran'> & { at: number; actor: Actor })[];
  /** Where the first turns came from; null for an episode that began by itself. */
  forked: EventOf<'episode.forked'> | null;
  /** The last `n` that was copied from there; 0 where nothing was. What lies before the reset is never a copy. */
  copiedN: number;
  /** How a client's episode is tapped; null for our own. */
  tapped: EventOf<'tap.opened'> | null;
  /** What a client's agent read and wrote: JSON lists of messages that follow each other; null while nobody told. */
  conversation: (Omit<EventOf<'conversation.told'>, 'messages' | 'follows'> & { messages: Text[] }) | null;
  /** What was told says of help: asks and advice of any telling, calls of the last. `calls` is null while nobody told. */
  told: Omit<ToldHelp, 'calls'> & { calls: string[] | null };
  /** The file it was read from; null for an episode that ran here. */
  imported: EventOf<'episode.imported'> | null;
  /** Texts of it were taken out of the log; null while it is as it was written. */
  erased: (EventOf<'episode.erased'> & { at: number }) | null;
  /** Each time that it was brought back after the program had been killed, oldest first. */
  restarts: Restart[];
  /** It broke off with the program and waits for a person's word; null where it does not. */
  brokeOff: BrokeOff | null;
  phase: Phase;
  phaseCause: PhaseCause | null;
  phaseN: number;
  phaseAt: number | null;
  breakpoints: { id: string; at: Breakpoint }[];
  rules: ApprovalRule[];
  suggested: { shown: number; answered: number };
  timeline: Item[];
  /** Who put into words what the task's verifier checks; null where nobody was asked. */
  criteria: EventOf<'criteria.prepared'> | null;
  verified: (EventOf<'verifier.ran'> & { at: number }) | null;
  finished: (EventOf<'environment.finished'> & { at: number }) | null;
  ended: {
    at: number;
    outcome: Outcome;
    reason: string | null;
    /** The limit that ended it, where one did. */
    limit?: ReachedLimit | undefined;
    failure: FailureShape | null;
    final_answer: Text | null;
    reward_type: string | null;
    reward: number | null;
  } | null;
  counts: {
    turns: number;
    /** Consultations that were opened; asks beyond the budget are refused calls. */
    consultations: number;
    /** Turns that could not be read as a move, and calls the environment labelled as format errors. */
    formatErrors: number;
    toolErrors: number;
    refused: number;
    humanActs: number;
    /** Asks that reached the wire. */
    leaks: number;
    /** Frames that went through unrecorded. */
    lostFrames: number;
  };
};

export const emptyRecord = (id: string): EpisodeRecord => ({
  id,
  n: 0,
  seq: 0,
  startedAt: null,
  updatedAt: null,
  status: 'starting',
  started: null,
  reset: null,
  tools: [],
  offered: [],
  turns: [],
  consultations: [],
  messages: [],
  notes: [],
  previews: [],
  forked: null,
  copiedN: 0,
  tapped: null,
  conversation: null,
  told: { hasAsk: false, hasAdvice: false, ownTools: [], calls: null, silentReplies: 0 },
  erased: null,
  imported: null,
  restarts: [],
  brokeOff: null,
  phase: 'autonomous',
  phaseCause: null,
  phaseN: 0,
  phaseAt: null,
  breakpoints: [],
  rules: [],
  suggested: { shown: 0, answered: 0 },
  timeline: [],
  criteria: null,
  verified: null,
  finished: null,
  ended: null,
  counts: {
    turns: 0,
    consultations: 0,
    formatErrors: 0,
    toolErrors: 0,
    refused: 0,
    humanActs: 0,
    leaks: 0,
    lostFrames: 0,
  },
});

// A person's words to the agent, unasked.
type Note = {
  id: string;
  at: number;
  actor: Actor;
  text: Text;
  privilege: Privilege;
  deliveredTurn: number | null;
};

/** A line's place in the log, and its actor. */
type Place = { n: number; at: number; actor: Actor };

export type GatewayItem = Place &
  (
    | { type: 'tapped' }
    | { type: 'frame'; direction: 'to_environment' | 'to_client'; frame: Text }
    | { type: 'gap'; fromAt: number; toAt: number; frames: number; reason: string }
    | { type: 'touched'; turn: number; touch: Touch }
    | { type: 'leaked'; turn: number }
  );

/** A task by its scenario and its number, as far as the environment has them. */
export type TaskAddress = { scenario: string | null; task_idx: number | null };

/** The task an episode plays: as its environment said at the reset, else as it was asked for. */
export const taskRef = ({ reset, started }: Pick<EpisodeRecord, 'reset' | 'started'>): TaskAddress => ({
  scenario: reset?.scenario ?? started?.scenario ?? null,
  task_idx: reset?.task_idx ?? started?.task_idx ?? null,
});

/** A task as messages name it: `loomline_workflows #3`. */
export const taskLabel = ({ scenario, task_idx }: TaskAddress): string =>
  `${scenario ?? 'no scenario'}${task_idx === null ? '' : ` #${String(task_idx)}`}`;
