// Finds the things that have no room in a line that never wraps.
import { useCallback, useLayoutEffect, useState, type RefObject } from 'react';

const NONE: ReadonlySet<string> = new Set();

/**
 * The ids of the children that did not fit. The line is a flex box that wraps and shows one row only; every child has
 * a `data-overflow-id`. `content` is whatever changes when the children's widths do.
 */
export function useOverflow(line: RefObject<HTMLElement | null>, content: string): ReadonlySet<string> {
  const [hidden, setHidden] = useState(NONE);
  const measure = useCallback(() => {
    const children = [...(line.current?.children ?? [])].filter((child) => child instanceof HTMLElement);
    const top = children[0]?.offsetTop ?? 0;
    const below = children
      .filter((child) => child.offsetTop > top + child.offsetHeight / 2)
      .map((child) => child.dataset['overflowId'] ?? '');
    setHidden((old) =>
      old.size === below.length && below.every((id) => old.has(id)) ? old : new Set(below),
    );
  }, [line]);
  useLayoutEffect(() => {
    const node = line.current;
    if (node === null) return undefined;
    // It tells the size at once, before anything is painted, and then whenever that changes.
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    return () => observer.disconnect();
  }, [line, measure, content]);
  return hidden;
}
