// Putting the focus into what the next drawing shows, at once: a person types on without waiting.
import { useCallback, useEffect, useRef, type RefObject } from 'react';

type Pick = (frame: HTMLElement) => HTMLElement | null | undefined;

/** Asks for the focus once the change that is being made is on screen. */
export function useFocusNext(frame: RefObject<HTMLElement | null>): (pick: Pick) => void {
  const wanted = useRef<Pick | null>(null);
  useEffect(() => {
    const pick = wanted.current;
    wanted.current = null;
    if (pick !== null && frame.current !== null) pick(frame.current)?.focus();
  });
  return useCallback((pick: Pick) => {
    wanted.current = pick;
  }, []);
}

const FIELD_SELECTOR = 'input:not([type="checkbox"]), textarea, select';

/** The field that chooses a tool. */
export const toolField: Pick = (frame) => frame.querySelector<HTMLElement>('[role="combobox"]');

/** The first field that is no choice of a tool, else that one. */
export const firstField: Pick = (frame) => {
  const fields = [...frame.querySelectorAll<HTMLElement>(FIELD_SELECTOR)];
  return fields.find((field) => field.getAttribute('role') !== 'combobox') ?? fields[0];
};
