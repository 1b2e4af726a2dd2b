// Whether the words of a draft have been on screen: what nobody has seen cannot be accepted.
import { useEffect, useState, type RefObject } from 'react';
import { LaterAdviceEditor } from './laterAdviceEditor.ts';

/** `unknown` until it was looked for: then a note that it was not seen would push it off the screen. */
export type Seen = 'unknown' | 'unseen' | 'seen';

/**
 * `seen` once the element was in view while `key` was what it showed; folded, covered or scrolled away it is not.
 * Text is on screen once its editor is fetched; the steps of a plan at once.
 */
export function useSeen(element: RefObject<Element | null>, key: string | null, isText: boolean): Seen {
  const [found, setFound] = useState<{ key: string; seen: Seen } | null>(null);
  const seen = found !== null && found.key === key ? found.seen : 'unknown';
  const isSeen = seen === 'seen';
  useEffect(() => {
    const target = element.current;
    if (key === null || isSeen || target === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      const isInView = entries.some(({ isIntersecting }) => isIntersecting);
      setFound({ key, seen: isInView ? 'seen' : 'unseen' });
    });
    let isGone = false;
    // Before the editor is there, its place is empty.
    if (isText) void LaterAdviceEditor.preload().then(() => (isGone ? undefined : observer.observe(target)));
    else observer.observe(target);
    return () => {
      isGone = true;
      observer.disconnect();
    };
  }, [element, key, isSeen, isText]);
  return seen;
}
