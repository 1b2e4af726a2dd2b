// The form of a new bench as it was left: going elsewhere and back loses nothing of it.
import { useState } from 'react';
import type { Session } from '../../state/createSession.ts';
import { useSession } from '../../state/hooks.ts';
import { EMPTY_FORM, type BenchForm } from './benchForm.ts';

/** In memory alone, until the page is closed. */
const drafts = new WeakMap<Session, BenchForm>();

type BenchDraft = {
  form: BenchForm;
  change: (by: Partial<BenchForm>) => void;
  /** The next form is an empty one. */
  discard: () => void;
};

export function useBenchDraft(): BenchDraft {
  const session = useSession();
  const [form, setForm] = useState(() => drafts.get(session) ?? EMPTY_FORM);
  return {
    form,
    change: (by) => {
      const next = { ...(drafts.get(session) ?? EMPTY_FORM), ...by };
      drafts.set(session, next);
      setForm(next);
    },
    discard: () => void drafts.delete(session),
  };
}
