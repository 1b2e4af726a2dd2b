// Keeping a question on screen that is gone from the desk while words of it are not sent, or where it was answered here.
import { useState } from 'react';
import type { DeskItem } from '../../../shared/episode/rowShapes.ts';
import { useConsole } from '../../state/hooks.ts';

/** The question that waits, else the last one while its words are unsent or what came of it is shown, else none. */
export function useHeldItem(current: DeskItem | null): DeskItem | null {
  const [last, setLast] = useState(current);
  if (current !== null && current !== last) setLast(current);
  const isKept = useConsole(
    ({ ui }) =>
      last !== null &&
      (Object.hasOwn(ui.unsentTexts, last.consultation) ||
        ui.sending.some(({ keys }) => keys.includes(last.consultation)) ||
        ui.answered.some(({ consultation }) => consultation === last.consultation)),
  );
  return current ?? (isKept ? last : null);
}
