// The phases of an episode and the acts allowed in each. One table for both the commands and the buttons.
import type { Outcome, ReachedLimit } from '../events/lifecycle.ts';
import type { Phase } from '../events/stepIns.ts';
import type { EventOf } from '../events/vocabulary.ts';
import type { FailureShape } from '../failure.ts';
import type { EpisodeRecord } from './record.ts';
import { formatMoney } from './spending.ts';

export type ControlAct = 'pause' | 'resume' | 'step' | 'take_over' | 'hand_back' | 'stop_at';

/** `autonomous`: the agent acts. `paused`: nobody does. `correcting`: a person does, in the agent's own words. */
const TRANSITIONS: Record<Phase, Partial<Record<ControlAct, Phase>>> = {
  autonomous: { pause: 'paused', take_over: 'correcting', stop_at: 'paused' },
  paused: { resume: 'autonomous', step: 'autonomous', take_over: 'correcting' },
  correcting: { hand_back: 'autonomous', pause: 'paused' },
};

/** An episode that a person plays has no agent that could go on. */
const PLAYED_TRANSITIONS: typeof TRANSITIONS = {
  autonomous: {},
  paused: { take_over: 'correcting' },
  correcting: {},
};

type PhaseFacts = Pick<EpisodeRecord, 'phase' | 'started'>;

export const isPlayedByPerson = ({ started }: Pick<EpisodeRecord, 'started'>): boolean =>
  started?.agent.policy === 'human';

export const agentModel = (record: Pick<EpisodeRecord, 'started'>): string | null =>
  isPlayedByPerson(record) ? null : (record.started?.agent.model ?? null);

const transitionsOf = (record: PhaseFacts): Partial<Record<ControlAct, Phase>> =>
  (isPlayedByPerson(record) ? PLAYED_TRANSITIONS : TRANSITIONS)[record.phase];

/** The phase an act leads to, or null when it makes no sense now. */
export const nextPhase = (record: PhaseFacts, act: ControlAct): Phase | null =>
  transitionsOf(record)[act] ?? null;

/** The acts allowed in a phase, in the order of the buttons. */
export const actsIn = (record: PhaseFacts): ControlAct[] =>
  Object.keys(transitionsOf(record)) as ControlAct[];

/** It came to its end, or to its limit; not where something failed, stopped it, or cut it off. */
export const isFinished = (outcome: string | null | undefined): boolean =>
  outcome === 'done' || outcome === 'limit';

/** As readers of formats say it. */
export const ERRORS_OF_CALLS = 'errors of calls';

/** True if the log says of each call if it failed; of an import without that, a call that returned may have failed. */
export const recordsErrors = ({ imported }: Pick<EpisodeRecord, 'imported'>): boolean =>
  imported?.not_recorded.includes(ERRORS_OF_CALLS) !== true;

// The agent's open question, or its call that waits for approval.
export type LeftOpen = { type: 'question' | 'call'; id: string; turn: number };

/** The loop's own open question or held call; one that a client asked from elsewhere is none of the loop's. */
export function leftOpen({ turns, consultations, ended }: EpisodeRecord): LeftOpen | null {
  if (ended !== null) return null;
  const asked = consultations.findLast(({ decision, via }) => decision === null && via === 'loop');
  if (asked !== undefined) return { type: 'question', id: asked.id, turn: asked.turn };
  const last = turns.at(-1);
  if (last === undefined || last.call === null) return null;
  const { call, turn } = last;
  return call.held !== null && call.decision === null ? { type: 'call', id: call.id, turn } : null;
}

/** The end of an episode in which nobody gave a final answer and nothing was verified. */
export const endedWithoutVerdict = (
  outcome: Outcome,
  reason: string | null,
  failure: FailureShape | null = null,
): EventOf<'episode.ended'> => ({
  kind: 'episode.ended',
  outcome,
  reason,
  failure,
  final_answer: null,
  reward_type: null,
  reward: null,
});

// A limit that ended an episode, in words.
const FROM: Readonly<Record<ReachedLimit['from'], string>> = {
  settings: 'set in Setup',
  start: 'set with the start',
  default: 'the default',
};

/** `50,000 tokens per run, set in Setup`. A command line says by which flag a limit came. */
export function limitText(
  { name, of, value, from }: ReachedLimit,
  { currency = null, flag }: { currency?: string | null | undefined; flag?: string | undefined } = {},
): string {
  const source = from === 'start' && flag !== undefined ? `set by ${flag}` : FROM[from];
  return `${amountText(name, value, currency)} per ${of}, ${source}`;
}

function amountText(name: ReachedLimit['name'], value: number, currency: string | null): string {
  switch (name) {
    case 'turns':
      return value === 1 ? '1 turn' : `${value.toLocaleString('en')} turns`;
    case 'time_ms':
      return `${(value / 60_000).toLocaleString('en', { maximumFractionDigits: 2 })} minutes`;
    case 'tokens':
      return `${value.toLocaleString('en')} tokens`;
    case 'cost':
      return currency === null ? `a cost of ${String(value)}` : formatMoney(value, currency);
  }
}
