// What a person can do with a held call: one table gives the buttons and the keys.
import { Ban, Check, CheckCheck, PencilLine, Replace, Wrench } from 'lucide-react';
import type { ReactNode } from 'react';
import type { KeyId } from '../../state/keys.ts';
import type { CallState, Mode } from './useCallDecision.ts';

export type EnterMode = (mode: Mode, first?: 'tool') => void;
type CallAct = {
  chord: KeyId;
  label: string;
  icon: ReactNode;
  tone?: 'primary' | 'quiet';
  isBusy?: boolean;
  isDisabled?: boolean;
  run: () => void;
};

export function callActs(state: CallState, enter: EnterMode): CallAct[] {
  const { busy } = state;
  const approve = (similar: boolean) => (): void => (state.isFresh ? undefined : state.approve(similar));
  return [
    {
      chord: 'call.approve',
      label: 'Approve',
      icon: <Check />,
      tone: 'primary',
      isBusy: busy === 'approved',
      run: approve(false),
    },
    {
      chord: 'call.approve_similar',
      label: 'Approve and allow similar calls',
      icon: <CheckCheck />,
      isDisabled: busy !== null,
      run: approve(true),
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
