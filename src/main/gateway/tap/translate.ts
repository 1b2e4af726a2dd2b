// Turns records of the tap into events of its episodes, keeping what is open in each.
import { wholeOr } from '../../../shared/json.ts';
import { hasEqualKeys } from '../../../shared/jsonSpans.ts';
import { READ_MAX } from '../../../shared/truncate.ts';
import { Arm, HintTier } from '../../../shared/curriculum/rollout.ts';
import { emptyRecord, type EpisodeRecord, type Turn } from '../../../shared/episode/record.ts';
import { AGENT, isAtSeat, SYSTEM } from '../../../shared/events/actor.ts';
import type { EnvironmentSpec, Outcome, TrainerRef } from '../../../shared/events/lifecycle.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import { ANSWER_MAX } from '../../../shared/wire.ts';
import { sumRewards } from '../../environments/actions.ts';
import type { TimedEntry } from '../../log/eventLog.ts';
import { type ServerDescription, UNDESCRIBED } from '../../openenv/serverDescription.ts';
import {
  type Began,
  type EndedPlay,
  type Gap,
  HELD_FLAG,
  LOCAL,
  type OpenHold,
  RecordKind,
  type TapAction,
  type TapRecord,
} from './linkProtocol.ts';
import {
  eventBy,
  callId,
  framePassed,
  type FrameRequest,
  type NewEvent,
  type OpenEpisodeState,
  type Pending,
  readRequest,
  replyEvents,
  tapActionEvents,
  voidedEvents,
} from './frameEvents.ts';

type Entries = TimedEntry[];
type TranslateDependencies = {
  record: (episode: string) => EpisodeRecord;
  environment: (id: string) => EnvironmentSpec;
  /** What the server of an environment says of itself, as far as it was asked. */
  described: (id: string) => ServerDescription;
};

export type Translator = {
  translate(records: readonly TapRecord[]): { stream: string; entries: Entries }[];
  /** Requests of these episodes that still wait for a word. */
  asks(): { episode: string; ask: number; call: string }[];
  /** A request waits that was recorded before this process began. */
  expect(hold: OpenHold): void;
};

export function createTranslator(parts: TranslateDependencies): Translator {
  const under = new Map<string, OpenEpisodeState>();
  const openStateOf = (episode: string): OpenEpisodeState => {
    const known = under.get(episode);
    const { turns } = parts.record(episode);
    if (known !== undefined) {
      // A person who took over has turns of their own in the log.
      known.turn = Math.max(known.turn, turns.at(-1)?.turn ?? 0);
      return known;
    }
    const found = openState(parts, parts.record(episode), episode);
    under.set(episode, found);
    return found;
  };
  return {
    translate: (records) => {
      const streams = new Map<string, Entries>();
      // Of those that begin in this very batch the log knows nothing.
      const begun = new Set<string>();
      for (const record of records) {
        const entries = streams.get(record.episode) ?? [];
        streams.set(record.episode, entries);
        if (record.kind === RecordKind.began) {
          begun.add(record.episode);
          const { environment } = JSON.parse(record.payload.toString('utf8')) as Began;
          under.set(record.episode, {
            ...openState(parts, emptyRecord(record.episode), record.episode),
            server: parts.described(environment),
          });
        }
        const fresh = begun.has(record.episode) ? under.get(record.episode) : undefined;
        const events = recordEvents(parts, fresh ?? openStateOf(record.episode), record);
        for (const { actor, event } of events) entries.push({ actor, event, at: record.at });
        if (record.kind === RecordKind.ended) under.delete(record.episode);
      }
      return [...streams].flatMap(([stream, entries]) => (entries.length === 0 ? [] : [{ stream, entries }]));
    },
    asks: () =>
      [...under.values()].flatMap(({ id, asks }) =>
        [...asks].map(([ask, call]) => ({ episode: id, ask, call })),
      ),
    expect: ({ episode, ask, at }) => {
      const { asks } = openStateOf(episode);
      const known = new Set(asks.values());
      // One that is not found is nobody's to decide, and is refused when its time is over.
      const turn = parts
        .record(episode)
        .turns.find((one) => isOwnCall(one) && one.at === at && !known.has(callId(one.turn)));
      if (turn !== undefined && !asks.has(ask)) asks.set(ask, callId(turn.turn));
    },
  };
}

const isOwnCall = ({ actor, move }: Turn): boolean => !isAtSeat(actor) && move?.type === 'call_tool';

/** The newest call of the client itself. */
export const lastOwnTurn = ({ turns }: EpisodeRecord): Turn | undefined => turns.findLast(isOwnCall);

function openState(
  { described }: TranslateDependencies,
  record: EpisodeRecord,
  id: string,
): OpenEpisodeState {
  const { turns, verified, finished, started } = record;
  return {
    id,
    turn: turns.at(-1)?.turn ?? 0,
    pending: new Map(),
    asks: new Map(),
    unsettled: new Set(
      turns.flatMap(({ call, touched }) =>
        call !== null && call.held !== null && call.sent === null && touched === null ? [call.id] : [],
      ),
    ),
    verdict:
      verified === null
        ? null
        : { reward_type: verified.reward_type, reward: verified.reward, final_answer: null },
    isDone: finished !== null || turns.some(({ call }) => call?.returned?.done === true),
    server: started === null ? UNDESCRIBED : described(started.environment.id),
    rewards: turns.flatMap(({ call }) => call?.returned?.reward ?? []),
  };
}

/** An answer that would hold up every other episode reached its client, and is said to be missing. */
const unrecorded = ({ at, payload, lead }: TapRecord, frames: number): NewEvent => {
  const size = ((payload.length - lead) / 1024 / 1024).toFixed(0);
  const most = String(ANSWER_MAX / 1024 / 1024);
  const reason = `an answer of ${size} MiB reached the client and is not recorded: at most ${most} MiB are`;
  return eventBy(SYSTEM, { kind: 'recording.gap', from_at: at, to_at: at, frames, reason });
};

function recordEvents(parts: TranslateDependencies, under: OpenEpisodeState, record: TapRecord): NewEvent[] {
  const { kind, flags, payload, lead, ref } = record;
  switch (kind) {
    case RecordKind.began:
      return beganEvents(parts, JSON.parse(payload.toString('utf8')) as Began);
    case RecordKind.request:
    case RecordKind.rpcRequest:
      return requestEvents(under, record);
    case RecordKind.reply:
    case RecordKind.rpcReply: {
      const request = payload.toString('utf8', 0, lead);
      const pending =
        under.pending.get(ref) ?? foundAgain(parts.record(under.id), under, { text: request, at: record.at });
      under.pending.delete(ref);
      if (payload.length - lead > ANSWER_MAX) return [unrecorded(record, lead > 0 ? 2 : 1)];
      const isLocal = (flags & LOCAL) !== 0;
      return replyEvents(under, pending, payload.toString('utf8', lead), { isLocal, at: record.at });
    }
    case RecordKind.ownReply: {
      const call = payload.toString('utf8', 0, lead);
      return ownReplyEvents(parts.record(under.id), under, call, payload.toString('utf8', lead), record.at);
    }
    case RecordKind.unasked:
      if (payload.length > ANSWER_MAX) return [unrecorded(record, 1)];
      return [framePassed('to_client', payload.toString('utf8'))];
    case RecordKind.tapAction:
      return tapActionEvents(
        parts.record(under.id),
        under,
        ref,
        JSON.parse(payload.toString('utf8')) as TapAction,
      );
    case RecordKind.gap: {
      const gap = JSON.parse(payload.toString('utf8')) as Gap;
      return [eventBy(SYSTEM, { kind: 'recording.gap', ...gap })];
    }
    case RecordKind.ended:
      return endedEvents(parts.record(under.id), under, JSON.parse(payload.toString('utf8')) as EndedPlay);
    default:
      kind satisfies never;
      return [];
  }
}

function beganEvents({ environment }: TranslateDependencies, began: Began): NewEvent[] {
  const { environment: id, trainer, scenario, task_idx, ...opened } = began;
  const at = environment(id);
  return [
    eventBy(SYSTEM, {
      kind: 'episode.started',
      environment: at,
      scenario,
      task_idx,
      condition: null,
      agent: { policy: 'foreign', protocol: null, model: null },
      limits: null,
      deadline_ms: null,
      fallback: 'proceed',
      seed: null,
      repeat: 0,
      group: trainerGroup(trainer),
      prompt_sha256: null,
      source: 'tap',
      trainer: trainerOf(trainer),
    }),
    eventBy(SYSTEM, { kind: 'tap.opened', ...opened }),
  ];
}

const labelOr = (value: unknown): string | null =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null;

/** Rollouts of one prompt by one policy: the same name at another step, or in another run, is another group. */
function trainerGroup(trainer: Record<string, unknown>): string | null {
  const group = labelOr(trainer['interject_group']);
  if (group === null) return null;
  const step = wholeOr(trainer['interject_step']);
  const place = [labelOr(trainer['interject_run']), step === null ? null : `step ${String(step)}`];
  return [...place, group].filter((part) => part !== null).join(' · ');
}

/** The episode's place in its run, as the trainer told it; null if it told none. */
function trainerOf(kwargs: Record<string, unknown>): TrainerRef | null {
  const trainer: TrainerRef = {
    run: labelOr(kwargs['interject_run']),
    step: wholeOr(kwargs['interject_step']),
    checkpoint: labelOr(kwargs['interject_checkpoint']),
    episode: labelOr(kwargs['interject_episode']),
    ...armOf(kwargs),
  };
  return Object.values(trainer).every((value) => value === null) ? null : trainer;
}

/** A word that is none of the arms or hints says nothing. */
function armOf(kwargs: Record<string, unknown>): Pick<TrainerRef, 'arm' | 'hint'> {
  const arm = Arm.safeParse(kwargs['interject_arm']);
  const hint = HintTier.safeParse(kwargs['interject_hint']);
  return { ...(arm.success ? { arm: arm.data } : {}), ...(hint.success ? { hint: hint.data } : {}) };
}

function requestEvents(under: OpenEpisodeState, { seq, at, flags, payload }: TapRecord): NewEvent[] {
  const text = payload.toString('utf8');
  const asked = readRequest(text, under.server.actions);
  const isHeld = (flags & HELD_FLAG) !== 0;
  const turn = asked.type === 'call' || isHeld ? (under.turn += 1) : under.turn;
  const call = callId(turn);
  under.pending.set(seq, { asked, turn, call, at, text });
  if (isHeld) {
    under.asks.set(seq, call);
    under.unsettled.add(call);
  }
  if (asked.type === 'call') {
    const repairs = text.length <= READ_MAX && hasEqualKeys(text) ? ['duplicate_keys'] : [];
    return proposed(turn, asked.tool, asked.arguments, isHeld, repairs);
  }
  // A refused tool of the host is a call the client made, though never one that went on.
  if (isHeld && (asked.type === 'verify' || asked.type === 'done'))
    return proposed(turn, asked.type, {}, true);
  return asked.type === 'other' ? [framePassed('to_environment', text)] : [];
}

function proposed(
  turn: number,
  tool: string,
  args: Extract<FrameRequest, { type: 'call' }>['arguments'],
  isHeld: boolean,
  repairs: string[] = [],
): NewEvent[] {
  const call = callId(turn);
  const move = { type: 'call_tool' as const, tool_name: tool, arguments: args };
  const event = { kind: 'move.proposed' as const, turn, call, move, repairs, ignored_calls: 0 };
  return [
    eventBy(AGENT, isHeld ? event : { ...event, sent: true }),
    ...(tool === 'ask_expert' ? [eventBy(SYSTEM, { kind: 'ask.leaked', turn, call })] : []),
  ];
}

/** A request that another process of ours had recorded: the reply brings its text along. */
function foundAgain(
  record: EpisodeRecord,
  { server }: OpenEpisodeState,
  { text, at }: { text: string; at: number },
): Pending {
  const asked = readRequest(text, server.actions);
  const turn =
    asked.type === 'call'
      ? record.turns.find(
          ({ actor, call }) =>
            !isAtSeat(actor) && call !== null && call.sent !== null && call.returned === null,
        )
      : undefined;
  const number = turn?.turn ?? record.turns.at(-1)?.turn ?? 0;
  return { asked, turn: number, call: turn?.callId ?? callId(number), at: turn?.at ?? at, text };
}

/** The answer to a call of a person who has taken over. */
function ownReplyEvents(
  record: EpisodeRecord,
  under: OpenEpisodeState,
  call: string,
  text: string,
  at: number,
): NewEvent[] {
  const own = record.turns.find(({ callId: id }) => id === call);
  if (own?.move === undefined || own.move === null) return [];
  const asked: FrameRequest =
    own.move.type === 'list_tools' ? { type: 'list' } : { type: 'call', tool: '', arguments: {} };
  const pending: Pending = { asked, turn: own.turn, call, at: own.call?.sent?.at ?? at, text: '' };
  return replyEvents(under, pending, text, { isLocal: false, at, ownCall: call });
}

// The end of a client's episode, by who ended it.
const ABNORMAL_CODE = 1006;

/** The end, and before it whatever it leaves open. */
function endedEvents(record: EpisodeRecord, under: OpenEpisodeState, ended: EndedPlay): NewEvent[] {
  if (record.ended !== null) return [];
  const unanswered = [...under.pending.values()].flatMap(({ asked, text }) =>
    asked.type === 'call' || asked.type === 'other' ? [] : [framePassed('to_environment', text)],
  );
  // Calls that still wait for a person: a client that is gone is no rejection.
  const voided = record.turns.flatMap(({ call }) => (call === null ? [] : voidedEvents(under, call, ended)));
  return [...unanswered, ...voided, endEvent(under, ended)];
}

/** Of an environment of actions its rewards until now; of one of tools nothing is known before its verifier speaks. */
const rewardSoFar = ({ server, rewards }: OpenEpisodeState): number | null =>
  server.actions === null ? null : sumRewards(rewards);

function endEvent(under: OpenEpisodeState, ended: EndedPlay): NewEvent {
  const { outcome, reason, failure } = endOutcome(under, ended);
  const { reward_type = null, reward = rewardSoFar(under), final_answer = null } = under.verdict ?? {};
  return eventBy(SYSTEM, {
    kind: 'episode.ended',
    outcome,
    reason,
    failure,
    final_answer,
    reward_type,
    reward,
  });
}

function endOutcome(
  { isDone }: OpenEpisodeState,
  { by: who, code, reason }: EndedPlay,
): { outcome: Outcome; reason: string | null; failure: FailureShape | null } {
  if (who === 'person') return { outcome: 'stopped', reason, failure: null };
  if (isDone) return { outcome: 'done', reason: null, failure: null };
  const why = `${code === null ? '' : String(code)} ${reason}`.trim();
  switch (who) {
    case 'reset':
      return { outcome: 'stopped', reason, failure: null };
    case 'tap':
      return { outcome: 'stopped', reason, failure: null };
    case 'client':
      return code === ABNORMAL_CODE
        ? { outcome: 'interrupted', reason: 'the client’s connection was lost', failure: null }
        : { outcome: 'stopped', reason: `the client closed it (${why})`, failure: null };
    case 'environment':
      return {
        outcome: 'error',
        reason: null,
        failure: {
          code: 'env_closed',
          message: `the environment closed the connection (${why})`,
          next: 'Look at its log; a new episode needs a new connection.',
        },
      };
  }
}
