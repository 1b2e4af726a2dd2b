// Who is acting, and which acts may change that. The one table both the commands and the buttons read.
import type { Phase } from '../events/stepIns.ts';
import type { EpisodeRecord } from './record.ts';

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

/** Whether a person makes every move of the episode. */
export const isPlayedByPerson = ({ started }: Pick<EpisodeRecord, 'started'>): boolean =>
  started?.agent.policy === 'human';

/** The model that acted by itself. A person's episode has none. */
export const agentModel = (record: Pick<EpisodeRecord, 'started'>): string | null =>
  isPlayedByPerson(record) ? null : (record.started?.agent.model ?? null);

const transitionsOf = (record: PhaseFacts): Partial<Record<ControlAct, Phase>> =>
  (isPlayedByPerson(record) ? PLAYED_TRANSITIONS : TRANSITIONS)[record.phase];

/** The phase an act leads to, or null when it makes no sense now. */
export const nextPhase = (record: PhaseFacts, act: ControlAct): Phase | null =>
  transitionsOf(record)[act] ?? null;

/** What may be done in a phase, in the order of the buttons. */
export const actsIn = (record: PhaseFacts): ControlAct[] =>
  Object.keys(transitionsOf(record)) as ControlAct[];
