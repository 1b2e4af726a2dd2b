// Where the card that has the keys stands in its panel, and bringing it into sight.
import { isShown } from './current.ts';

/** The card that has the keys. */
export const currentCard = (list: HTMLElement | null): HTMLElement | null =>
  list?.querySelector<HTMLElement>('[data-current="true"]') ?? null;

/** Scrolls to a card; to the first one with what stands over it, where both have room. */
export function showCard(card: HTMLElement | null, isFirst: boolean): void {
  if (card === null) return;
  if (isFirst) card.closest('[data-scrolls]')?.scrollTo(0, 0);
  if (!isFirst || !isCardShown(card)) card.scrollIntoView({ block: 'nearest' });
}

/** Whether the card can be seen in its panel, and the panel on the screen. */
export function isCardShown(card: HTMLElement): boolean {
  const panel = card.closest('[data-scrolls]')?.getBoundingClientRect();
  const [top, bottom] = [
    Math.max(0, panel?.top ?? 0),
    Math.min(window.innerHeight, panel?.bottom ?? Infinity),
  ];
  return isShown(card.getBoundingClientRect(), { top, bottom });
}
