// Marking found words where they stand, without touching what is drawn: the texts stay what they are.
import { useEffect, type RefObject } from 'react';

const HIGHLIGHT_NAME = 'found';
/** More marks than this help nobody and cost time. */
const MARKS_MAX = 2000;

/** Marks `query` in everything under the element, again whenever what is drawn there changes. */
export function useHighlight(element: RefObject<HTMLElement | null>, query: string): void {
  useEffect(() => {
    const root = element.current;
    const needle = query.trim().toLowerCase();
    if (root === null || needle === '' || typeof Highlight === 'undefined') return undefined;
    const mark = (): void =>
      void CSS.highlights.set(HIGHLIGHT_NAME, new Highlight(...rangesOf(root, needle)));
    let frame = requestAnimationFrame(mark);
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(mark);
    });
    observer.observe(root, { childList: true, subtree: true, characterData: true });
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      CSS.highlights.delete(HIGHLIGHT_NAME);
    };
  }, [element, query]);
}

function rangesOf(root: HTMLElement, needle: string): Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null && ranges.length < MARKS_MAX; node = walker.nextNode()) {
    const text = (node.nodeValue ?? '').toLowerCase();
    for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + needle.length);
      ranges.push(range);
    }
  }
  return ranges;
}
