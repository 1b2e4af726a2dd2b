// What waits on the desk that did not before. What waits when the page opens is no news.
import { useEffect, useEffectEvent, useRef } from 'react';
import type { DeskItem, HoldItem } from '../../../shared/contract/rows.ts';
import { useDesk } from '../../state/hooks.ts';

export type NewlyWaiting = { items: DeskItem[]; holds: HoldItem[] };

/** Tells once of each question and hold that comes while the page is open; several that come together, together. */
export function useNewlyWaiting(tell: (news: NewlyWaiting) => void): void {
  const { items, holds, isLoaded } = useDesk();
  const known = useRef<ReadonlySet<string> | null>(null);
  const say = useEffectEvent(tell);
  useEffect(() => {
    if (!isLoaded) return;
    const before = known.current;
    known.current = new Set([...items.map((item) => item.consultation), ...holds.map(({ key }) => key)]);
    if (before === null) return;
    const news = {
      items: items.filter(({ consultation }) => !before.has(consultation)),
      holds: holds.filter(({ key }) => !before.has(key)),
    };
    if (news.items.length + news.holds.length > 0) say(news);
  }, [items, holds, isLoaded]);
}
