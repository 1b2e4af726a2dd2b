// Chooses the panel beside a timeline: the sheet of what waits for this person, or one of the others.
import { useState } from 'react';
import type { FrontPanel } from './Inspector.tsx';

export type PanelChoice = {
  panel: string;
  /** What waits for this person is in front. */
  isSheet: boolean;
  choose: (panel: string) => void;
  openSheet: () => void;
  closeSheet: () => void;
};

/** The panel that is asked for by this name is the sheet. */
export const SHEET = 'answer';

/** Brings what is asked for and what newly waits first; what the person chooses after that stands. */
export function usePanelChoice(answer: string | null, front: FrontPanel | null): PanelChoice {
  const count = front?.count ?? 0;
  const [chosen, setChosen] = useState({ panel: 'tools', isClosed: false, answer, front: 0 });
  const change = (by: Partial<typeof chosen>): void => setChosen({ ...chosen, answer, front: count, ...by });
  if (front !== null && chosen.front !== count)
    change(front.id === SHEET ? { isClosed: false } : { panel: front.id, isClosed: true });
  else if (answer !== null && chosen.answer !== answer) change({ isClosed: false });
  return {
    panel: chosen.panel,
    isSheet: answer !== null && !chosen.isClosed,
    choose: (panel) => change({ panel, isClosed: true }),
    openSheet: () => change({ isClosed: false }),
    closeSheet: () => change({ isClosed: true }),
  };
}
