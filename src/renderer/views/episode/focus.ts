// Moves the keyboard's focus after something came to the screen, or left it.
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import type { Phase } from '../../../shared/events/stepIns.ts';

/** True if the person is writing somewhere: then nothing takes the keyboard from them. */
const isWriting = (): boolean => {
  const now = document.activeElement;
  return now instanceof HTMLElement && now.matches('input, textarea, select, [contenteditable="true"]');
};

/** True if the focused element left the screen, or none was. */
const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

const focusSteps = (): void => document.querySelector<HTMLElement>('[data-steps] [role=list]')?.focus();

/** Gives the element the focus when it appears, or when it is wanted there, unless the person writes elsewhere. */
export function useFocusOnce(element: RefObject<HTMLElement | null>, isWanted = true): void {
  useEffect(() => {
    if (isWanted && !isWriting()) element.current?.focus();
  }, [element, isWanted]);
}

/** Gives the element the focus when it appears in the place of what had it. */
export function useFocusIfLost(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (isLost()) element.current?.focus();
  }, [element]);
}

/** Returns the keyboard to where it was before a band closed; after a hand-back it is at the steps. */
export function useReturnFocus(band: string | null, phase: Phase): void {
  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (band !== null) return () => undefined;
    return () => {
      before.current = document.activeElement;
    };
  }, [band]);
  useEffect(() => {
    if (band !== null || before.current === null) return;
    const place = before.current;
    before.current = null;
    if (!isLost()) return;
    if (place instanceof HTMLElement && place !== document.body && place.isConnected) place.focus();
    else focusSteps();
  }, [band]);
  const last = useRef(phase);
  useEffect(() => {
    if (last.current === 'correcting' && phase !== 'correcting' && isLost()) focusSteps();
    last.current = phase;
  }, [phase]);
}
