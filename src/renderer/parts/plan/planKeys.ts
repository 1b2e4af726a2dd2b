// The keys of the steps and of the plan around them.
import type { KeyboardEvent } from 'react';

const isWriting = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement;

const taken = (event: KeyboardEvent): void => {
  event.preventDefault();
  event.stopPropagation();
};

type StepKeys = {
  move: (by: -1 | 1) => void;
  remove: () => void;
  repeat: () => void;
  go: (by: -1 | 1) => void;
  enter: () => void;
};

export function stepKeys(event: KeyboardEvent, { move, remove, repeat, go, enter }: StepKeys): void {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (key === 'ArrowDown' && altKey && shiftKey && !isWriting(event)) {
    taken(event);
    return repeat();
  }
  if (isWriting(event) || ctrlKey || metaKey || shiftKey) return;
  const by = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : null;
  const isOnHandle = event.target instanceof HTMLElement && 'handle' in event.target.dataset;
  if (by !== null && (altKey || isOnHandle)) {
    taken(event);
    if (altKey) move(by);
    else go(by);
  } else if (altKey) return;
  else if (key === 'Delete') {
    taken(event);
    remove();
  } else if (key === 'Enter' && isOnHandle) {
    taken(event);
    enter();
  }
}

export function planKeys(
  event: KeyboardEvent,
  { undo, leave }: { undo: (() => void) | null; leave: (() => void) | undefined },
): void {
  if (event.defaultPrevented) return;
  if (event.key === 'Escape' && leave !== undefined) {
    taken(event);
    leave();
  } else if (
    event.key.toLowerCase() === 'z' &&
    (event.ctrlKey || event.metaKey) &&
    !isWriting(event) &&
    undo !== null
  ) {
    taken(event);
    undo();
  }
}
