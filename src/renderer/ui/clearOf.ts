// Where something at an edge of the screen stands so that it covers none of what must stay free. Pure.

export type Box = { left: number; right: number; top: number; bottom: number };

/** Kept between it and what it stands clear of. */
const GAP = 8;

/**
 * How far from the bottom a box of the given sides and height stands: at `lowest`, or as little above it as leaves
 * every one of `keepFree` uncovered. Where there is no such place it stands at `lowest`.
 */
export function bottomClearOf(
  box: Pick<Box, 'left' | 'right'> & { height: number },
  keepFree: readonly Box[],
  screen: { height: number; lowest: number },
): number {
  const beside = keepFree.filter(({ left, right }) => left < box.right && right > box.left);
  const covers = (bottom: number): boolean => {
    const [top, foot] = [screen.height - bottom - box.height, screen.height - bottom];
    return beside.some((one) => one.top < foot && one.bottom > top);
  };
  const places = beside
    .map(({ top }) => screen.height - top + GAP)
    .filter((bottom) => bottom > screen.lowest && bottom + box.height <= screen.height)
    .toSorted((a, b) => a - b);
  return [screen.lowest, ...places].find((bottom) => !covers(bottom)) ?? screen.lowest;
}

/** The same from the top: how far from it the box stands. */
export const topClearOf = (
  box: Pick<Box, 'left' | 'right'> & { height: number },
  keepFree: readonly Box[],
  screen: { height: number; highest: number },
): number =>
  bottomClearOf(
    box,
    keepFree.map(({ left, right, top, bottom }) => ({
      left,
      right,
      top: screen.height - bottom,
      bottom: screen.height - top,
    })),
    { height: screen.height, lowest: screen.highest },
  );
