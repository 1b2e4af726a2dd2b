// Where the focus goes once a change of the steps is drawn, and that the step it is in stays where it is on the screen.
import { useLayoutEffect, useRef, useState } from 'react';

export type FocusTarget = {
  index: number;
  chip?: string;
  isFirstChip?: boolean;
  isEmptyChip?: boolean;
  /** The step stays where it is on the screen, whatever goes from below it. */
  isStill?: boolean;
};

export const NEW_STEP: FocusTarget = { index: 0, isEmptyChip: true };

/** Puts the focus into the steps once what was asked for is drawn; past the last step it is the button that adds one. */
export function useFocusAfter(
  list: { current: HTMLElement | null },
  adder: { current: HTMLElement | null },
  atFirst: FocusTarget | null,
) {
  const wanted = useRef<FocusTarget | null>(atFirst);
  const standsAt = useRef<number | null>(null);
  const stepAt = (index: number): HTMLElement | null =>
    list.current?.querySelector<HTMLElement>(`[data-step="${String(index)}"]`) ?? null;
  const [, draw] = useState(0);
  useLayoutEffect(() => {
    const target = wanted.current;
    if (target === null) return;
    wanted.current = null;
    const step = stepAt(target.index);
    if (target.isStill === true && step !== null && standsAt.current !== null)
      keepPlace(step, standsAt.current);
    const chips = [...(step?.querySelectorAll<HTMLElement>('[data-chip]') ?? [])];
    const chip =
      target.chip === undefined
        ? target.isFirstChip === true
          ? chips[0]
          : target.isEmptyChip === true
            ? chips.find((one) => one.dataset['missing'] === 'true')
            : undefined
        : chips.find((one) => one.dataset['chip'] === target.chip);
    (chip ?? step?.querySelector<HTMLElement>('[data-handle]') ?? adder.current)?.focus({
      preventScroll: target.isStill === true,
    });
  });
  return (target: FocusTarget): void => {
    wanted.current = target;
    standsAt.current = stepAt(target.index)?.getBoundingClientRect().top ?? null;
    draw((count) => count + 1);
  };
}

/** Scrolls what the element stands in, so that it is again as high on the screen as it was. */
function keepPlace(element: HTMLElement, top: number): void {
  let scroller = element.parentElement;
  while (scroller !== null && !/auto|scroll/.test(getComputedStyle(scroller).overflowY))
    scroller = scroller.parentElement;
  const moved = element.getBoundingClientRect().top - top;
  if (scroller !== null && moved !== 0) scroller.scrollTop += moved;
}
