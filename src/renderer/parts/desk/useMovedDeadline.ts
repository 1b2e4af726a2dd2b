// Noticing that a deadline was moved on while the card is open.
import { useState } from 'react';
import type { DeskItem } from '../../../shared/contract/rows.ts';

/** The new deadline (UTC ms), or null while it stands as it was when the card was opened. */
export function useMovedDeadline({ deadline_at }: DeskItem): number | null {
  const [first] = useState(deadline_at);
  return first !== null && deadline_at !== null && deadline_at > first ? deadline_at : null;
}
