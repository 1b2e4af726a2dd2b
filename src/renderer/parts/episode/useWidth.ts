// Measures an element's width, so that a layout answers to its own room and not to the window's.
import { useCallback, useSyncExternalStore, type RefObject } from 'react';

/** Width in CSS pixels; infinite until it is measured. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const node = element.current;
      if (node === null) return () => undefined;
      const observer = new ResizeObserver(onChange);
      observer.observe(node);
      return () => observer.disconnect();
    },
    [element],
  );
  return useSyncExternalStore(subscribe, () => element.current?.clientWidth ?? Number.POSITIVE_INFINITY);
}
