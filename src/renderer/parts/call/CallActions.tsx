// What a person can do with a held call: one table gives the buttons and the keys.
import { Check, CheckCheck } from 'lucide-react';
import type { CardAct } from '../card/DecisionCard.tsx';
import { unlessFresh } from '../card/useFreshness.ts';
import { CALL_MODES, callModeOf } from './callModes.tsx';
import { Mode, type CallState } from './useCallDecision.ts';

export type EnterMode = (mode: Mode, first?: 'tool') => void;

/** The acts while nothing is written, and the less-used ones behind "More". */
function callActs(state: CallState, enter: EnterMode): { acts: CardAct[]; more: CardAct[] } {
  const { busy } = state;
  const ways = Mode.options.flatMap((mode) =>
    mode === 'decide'
      ? []
      : CALL_MODES[mode].ways.map(({ first, isRare = false, ...way }) => ({
          isRare,
          act: { ...way, run: () => enter(mode, first) },
        })),
  );
  const acts: CardAct[] = [
    {
      chord: 'call.approve',
      label: 'Approve',
      icon: <Check />,
      tone: 'primary',
      isBusy: busy === 'approved',
      run: unlessFresh(state.isFresh, () => state.approve(false)),
    },
    ...ways.flatMap(({ isRare, act }) => (isRare ? [] : [act])),
  ];
  const more: CardAct[] = [
    {
      chord: 'call.approve_similar',
      label: 'Approve and allow similar calls',
      icon: <CheckCheck />,
      isDisabled: busy !== null,
      run: unlessFresh(state.isFresh, () => state.approve(true)),
    },
    ...ways.flatMap(({ isRare, act }) => (isRare ? [act] : [])),
  ];
  return { acts, more };
}

/** The acts on what is written; none where nothing is. */
function sendActs(state: CallState, canSend: boolean, enter: EnterMode): CardAct[] {
  const mode = callModeOf(state);
  if (mode === null) return [];
  const send = mode.send(state, canSend);
  return [
    { chord: 'call.send', tone: 'primary', ...send, run: unlessFresh(state.isFresh, send.run) },
    { chord: 'call.back', label: 'Back', tone: 'quiet', run: () => enter('decide') },
  ];
}

/** The acts that stand in the bar, and that alone have keys: while something is written, a letter decides nothing. */
export function barActs(
  state: CallState,
  canSend: boolean,
  enter: EnterMode,
): { acts: CardAct[]; more: CardAct[] } {
  const sending = sendActs(state, canSend, enter);
  return sending.length > 0 ? { acts: sending, more: [] } : callActs(state, enter);
}
