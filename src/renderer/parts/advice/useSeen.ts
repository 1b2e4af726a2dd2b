// Whether the words of a draft have been on screen: what nobody has seen cannot be accepted.
import { useEffect, useState, type RefObject } from 'react';
import { loadEditor } from './AnswerField.tsx';

/** `unknown` until it was looked for: then a note that it was not seen would push it off the screen. */
export type Seen = 'unknown' | 'unseen' | 'seen';

/** `seen` once the element was in view while `key` was what it showed; folded, covered or scrolled away it is not. */
export function useSeen(element: RefObject<Element | null>, key: string | null): Seen {
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
    void loadEditor().then(() => (isGone ? undefined : observer.observe(target)));
    return () => {
      isGone = true;
      observer.disconnect();
    };
  }, [element, key, isSeen]);
  return seen;
}
