// Shows an advice as the steps of its plan where there is one, and as text once a person wants it.
import { useState } from 'react';
import type { Plan } from '../../../shared/plan.ts';

export type AnswerForm = {
  /** There is a plan to show as steps. */
  hasPlan: boolean;
  isPlan: boolean;
  toggle: () => void;
  /** Words were typed as text: they stay text while they are, whatever they come to. */
  onTyped: () => void;
  /** A plan was begun with a tool. */
  onStarted: () => void;
};

export function useAnswerForm(id: string, plan: Plan, isEdited: boolean): AnswerForm {
  const [prefersText, setPrefersText] = useState(false);
  const [typedIn, setTypedIn] = useState<string | null>(null);
  const hasPlan = plan.form !== 'none';
  const isPlan = hasPlan && !prefersText && !(isEdited && typedIn === id);
  const showPlan = (): void => {
    setPrefersText(false);
    setTypedIn(null);
  };
  return {
    hasPlan,
    isPlan,
    toggle: () => (isPlan ? setPrefersText(true) : showPlan()),
    onTyped: () => setTypedIn(id),
    onStarted: showPlan,
  };
}
