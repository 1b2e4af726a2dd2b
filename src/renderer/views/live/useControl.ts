// Owns: sending the acts that change who is acting, one at a time; what main says against one is shown as a toast.
import { useRef, useState } from 'react';
import type { Inputs } from '../../../shared/contract/contract.ts';
import { failureShape } from '../../../shared/failure.ts';
import { useSession, useToast } from '../../state/hooks.ts';

export type ControlInput = Omit<Inputs['episode.control'], 'episode'>;
type Act = ControlInput['act'];

export type Control = {
  busy: Act | null;
  /** Resolves with true when main took it. */
  act: (act: Act, more?: Partial<ControlInput>) => Promise<boolean>;
};

const REFUSED: Readonly<Record<Act, string>> = {
  pause: 'Could not pause',
  resume: 'Could not resume',
  step: 'Could not step',
  take_over: 'Could not take over',
  hand_back: 'Could not hand back',
};

export function useControl(episode: string): Control {
  const { call } = useSession();
  const toast = useToast();
  const [busy, setBusy] = useState<Act | null>(null);
  const isBusy = useRef(false);
  const act: Control['act'] = async (what, more = {}) => {
    if (isBusy.current) return false;
    isBusy.current = true;
    setBusy(what);
    try {
      await call('episode.control', {
        episode,
        act: what,
        at_once: false,
        reason: null,
        note: null,
        is_discarded: false,
        ...more,
      });
      return true;
    } catch (thrown) {
      const { message, next } = failureShape(thrown);
      toast({ tone: 'error', title: `${REFUSED[what]}: ${message}`, text: next });
      return false;
    } finally {
      isBusy.current = false;
      setBusy(null);
    }
  };
  return { busy, act };
}
