// The state of an episode, in the same words wherever it is named: its header, the lists, the desk. Pure.
import type { EpisodeRow } from '../../../shared/episode/rowShapes.ts';
import type { Outcome } from '../../../shared/events/lifecycle.ts';
import type { DotTone } from '../../ui/Badge.tsx';

export const WAITS_FOR_APPROVAL = 'Waiting for approval';
export const WAITS_FOR_EXPERT = 'Waiting for an expert';
export const PAUSED = 'Paused';
export const BROKE_OFF = 'Broke off';
export const IN_DOUBT = 'Call in doubt';

export type StateWords = { tone: DotTone; label: string };

type EpisodeState = {
  status: EpisodeRow['status'];
  /**
   * What it waits for, where it waits: a decision on a call, an answer, for someone to resume it, a word on a call whose
   * answer was lost, or a word on whether it goes on after a restart.
   */
  waitsFor: 'approval' | 'answer' | 'resume' | 'doubt' | 'restart';
  /** A person makes the moves; not known of a line of a list. */
  isPersonActing?: boolean;
  outcome: Outcome | null;
};

const WAITING_LABELS = {
  approval: WAITS_FOR_APPROVAL,
  answer: WAITS_FOR_EXPERT,
  resume: PAUSED,
  doubt: IN_DOUBT,
  restart: BROKE_OFF,
} as const;

/** The end says nothing of the task: that is the outcome. */
const ENDED: Readonly<Record<Outcome, StateWords>> = {
  done: { tone: 'idle', label: 'Ended' },
  limit: { tone: 'idle', label: 'Stopped at a limit' },
  stopped: { tone: 'idle', label: 'Stopped' },
  interrupted: { tone: 'error', label: 'Interrupted' },
  error: { tone: 'error', label: 'Ended with an error' },
};

export function stateWords({ status, waitsFor, isPersonActing = false, outcome }: EpisodeState): StateWords {
  switch (status) {
    case 'starting':
      return { tone: 'idle', label: 'Starting' };
    case 'running':
      return { tone: 'running', label: isPersonActing ? 'Person acting' : 'Running' };
    case 'waiting':
      return { tone: 'waiting', label: WAITING_LABELS[waitsFor] };
    case 'ended':
      return ENDED[outcome ?? 'done'];
  }
}
