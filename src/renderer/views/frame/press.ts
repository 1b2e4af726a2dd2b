// The one key listener of the page.
import { useEffect } from 'react';
import { useSession } from '../../state/hooks.ts';

const EDITABLE =
  'textarea, select, [contenteditable="true"], [contenteditable=""], input:not([type="checkbox"], [type="radio"], [type="button"], [type="range"])';
const CONTROL =
  'button, a[href], summary, input, [role="button"], [role="tab"], [role="separator"], [role="menuitem"], [role="option"] a';

/** A step of the timeline opens with Enter; Space there pauses what it shows, as anywhere else. */
const isFreeSpace = ({ key }: KeyboardEvent, target: Element): boolean =>
  key === ' ' && target.closest('[data-row-head]') !== null;

/** At what a plan is changed with; a result that is read below a step is no part of that. */
const isInPlan = (target: Element): boolean =>
  target.closest('[data-plan]') !== null && target.closest('[data-reading]') === null;

/** Hands every press to the keyboard; one that something already took is left alone. */
export function useKeyListener(): void {
  const { keyboard } = useSession();
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      const target = event.target instanceof Element ? event.target : null;
      const { key, ctrlKey, metaKey, altKey, shiftKey, repeat } = event;
      const place = {
        isEditable: target?.closest(EDITABLE) !== null && target !== null,
        isControl: target?.closest(CONTROL) !== null && target !== null && !isFreeSpace(event, target),
        isInPlan: target !== null && isInPlan(target),
        isOverlayOpen: document.querySelector('[data-overlay="open"]') !== null,
      };
      const isTaken = keyboard.press({ key, ctrlKey, metaKey, altKey, shiftKey, repeat, place });
      if (isTaken) event.preventDefault();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [keyboard]);
}
