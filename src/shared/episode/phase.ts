// Who is acting, and which acts may change that. The one table both the commands and the buttons read.
import type { Phase } from '../events/stepIns.ts';

export type ControlAct = 'pause' | 'resume' | 'step' | 'take_over' | 'hand_back' | 'stop_at';

/** `autonomous`: the agent acts. `paused`: nobody does. `correcting`: a person does, in the agent's own words. */
const TRANSITIONS: Record<Phase, Partial<Record<ControlAct, Phase>>> = {
  autonomous: { pause: 'paused', take_over: 'correcting', stop_at: 'paused' },
  paused: { resume: 'autonomous', step: 'autonomous', take_over: 'correcting' },
  correcting: { hand_back: 'autonomous', pause: 'paused' },
};

/** The phase an act leads to, or null when it makes no sense now. */
export const nextPhase = (phase: Phase, act: ControlAct): Phase | null => TRANSITIONS[phase][act] ?? null;

/** What may be done in a phase, in the order of the buttons. */
export const actsIn = (phase: Phase): ControlAct[] => Object.keys(TRANSITIONS[phase]) as ControlAct[];
