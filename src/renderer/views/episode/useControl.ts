// Sending the acts that change who is acting, one at a time; what main says against one is shown as a toast.
import type { Inputs } from '../../../shared/contract/contract.ts';
import { useSession } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';

type ControlInput = Omit<Inputs['episode.control'], 'episode'>;
type ControlAct = ControlInput['act'];

export type Control = {
  busy: ControlAct | null;
  /** Resolves with true when main took it. */
  act: (act: ControlAct, more?: Partial<ControlInput>) => Promise<boolean>;
};

const CONTROL_FAILURES: Readonly<Record<ControlAct, string>> = {
  pause: 'Could not pause',
  resume: 'Could not resume',
  step: 'Could not step',
  take_over: 'Could not take over',
  set_aside: 'Could not set it aside',
  hand_back: 'Could not hand back',
};

export function useControl(episode: string): Control {
  const { call } = useSession();
  const { run, busyWith } = useAct(
    (act: ControlAct, more: Partial<ControlInput> = {}) =>
      call('episode.control', {
        episode,
        act,
        at_once: false,
        reason: null,
        note: null,
        is_discarded: false,
        ...more,
      }),
    (act) => CONTROL_FAILURES[act],
  );
  return { busy: busyWith?.[0] ?? null, act: run };
}
