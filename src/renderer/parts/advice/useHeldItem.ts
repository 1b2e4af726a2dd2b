// Keeping a question on screen that is gone from the desk while words of it are not sent.
import { useState } from 'react';
import type { DeskItem } from '../../../shared/contract/rows.ts';
import { useConsole } from '../../state/hooks.ts';

/** The question that waits, else the last one while the person's words for it are unsent, else none. */
export function useHeldItem(current: DeskItem | null): DeskItem | null {
  const [last, setLast] = useState(current);
  if (current !== null && current !== last) setLast(current);
  const hasUnsentText = useConsole(
    ({ ui }) => last !== null && Object.hasOwn(ui.unsentTexts, last.consultation),
  );
  return current ?? (hasUnsentText ? last : null);
}
