// What a person can do with a held call: one table gives the buttons and the keys.
import { Ban, Check, CheckCheck, PencilLine, Replace, Send, Wrench } from 'lucide-react';
import type { CardAct } from '../card/DecisionCard.tsx';
import { unlessFresh } from '../card/useFreshness.ts';
import type { CallState, Mode } from './useCallDecision.ts';

export type EnterMode = (mode: Mode, first?: 'tool') => void;

/** The acts that decide at once, and those that need something written first. */
export function callActs(state: CallState, enter: EnterMode): CardAct[] {
  const { busy } = state;
  return [
    {
      chord: 'call.approve',
      label: 'Approve',
      icon: <Check />,
      tone: 'primary',
      isBusy: busy === 'approved',
      run: unlessFresh(state.isFresh, () => state.approve(false)),
    },
    {
      chord: 'call.approve_similar',
      label: 'Approve and allow similar calls',
      icon: <CheckCheck />,
      isDisabled: busy !== null,
      run: unlessFresh(state.isFresh, () => state.approve(true)),
    },
    { chord: 'call.edit', label: 'Edit', icon: <PencilLine />, run: () => enter('edit') },
    {
      chord: 'call.override',
      label: 'Use another tool',
      icon: <Replace />,
      run: () => enter('edit', 'tool'),
    },
    { chord: 'call.answer', label: 'Write the result', icon: <Wrench />, run: () => enter('answer') },
    { chord: 'call.reject', label: 'Reject', icon: <Ban />, tone: 'quiet', run: () => enter('reject') },
  ];
}

/** The acts on what is written; none where nothing is. */
export function sendActs(state: CallState, canSend: boolean, enter: EnterMode): CardAct[] {
  const { draft, busy, edit, answer, reject } = state;
  if (draft.mode === 'decide') return [];
  const send = (act: Pick<CardAct, 'label' | 'isBusy' | 'run'> & Partial<CardAct>): CardAct => ({
    chord: 'call.send',
    icon: <Send />,
    tone: 'primary',
    ...act,
    run: unlessFresh(state.isFresh, act.run),
  });
  const sends = {
    edit: send({
      label: 'Send edited call',
      isBusy: busy === 'edited',
      title: canSend ? undefined : 'The arguments do not fit the tool’s schema.',
      run: () => edit(false),
    }),
    answer: send({
      label: 'Send as the result',
      isBusy: busy === 'answered',
      isDisabled: draft.answer.trim() === '',
      run: answer,
    }),
    reject: send({
      label: 'Reject',
      icon: <Ban />,
      tone: 'danger',
      isBusy: busy === 'rejected',
      isDisabled: draft.reason.trim() === '',
      run: reject,
    }),
  };
  return [
    sends[draft.mode],
    { chord: 'call.back', label: 'Back', tone: 'quiet', run: () => enter('decide') },
  ];
}
