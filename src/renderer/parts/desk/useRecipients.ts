// Selects which of the asks that are alike get this answer.
import { useCallback, useMemo, useState } from 'react';
import type { DeskItem } from '../../../shared/episode/rowShapes.ts';

/** All that were there when the card was opened; one that comes later is listed, and joins only when it is ticked. */
export function useRecipients(
  front: DeskItem,
  group: readonly DeskItem[],
): {
  chosen: ReadonlySet<string>;
  also: { episode: string; consultation: string; seen_seq: number }[];
  toggle: (id: string) => void;
} {
  const [ticked, setTicked] = useState(() => new Set(group.map(({ consultation }) => consultation)));
  const toggle = useCallback(
    (id: string): void =>
      setTicked((before) => {
        const next = new Set(before);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
    [],
  );
  // The same while nothing of it changes: a key in the editor must not draw the list of those who get the answer.
  const chosen = useMemo(() => {
    const present = group.filter(
      ({ consultation }) => consultation === front.consultation || ticked.has(consultation),
    );
    return {
      chosen: new Set(present.map(({ consultation }) => consultation)),
      also: present
        .filter(({ consultation }) => consultation !== front.consultation)
        .map(({ episode, consultation, seq }) => ({ episode, consultation, seen_seq: seq })),
    };
  }, [front.consultation, group, ticked]);
  return { ...chosen, toggle };
}
