// Where a tooltip stands: beside its control, on the other side where there is no room, and inside the window. Pure.
export type Side = 'top' | 'right' | 'bottom' | 'left';
type Size = { width: number; height: number };
type Box = Size & { left: number; top: number };

/** Between the tip and its control. */
const GAP_PX = 6;
/** Between the tip and the edge of the window. */
const EDGE_PX = 8;

export function placeTip(
  control: Box,
  tip: Size,
  side: Side,
  screen: Size,
): { left: number; top: number; side: Side } {
  const placed = hasRoom(control, tip, side, screen) ? side : otherSide(control, tip, side, screen);
  const { left, top } = beside(control, tip, placed);
  return {
    left: clamp(left, screen.width - tip.width),
    top: clamp(top, screen.height - tip.height),
    side: placed,
  };
}

const OPPOSITE: Readonly<Record<Side, Side>> = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' };

function otherSide(control: Box, tip: Size, side: Side, screen: Size): Side {
  const opposite = OPPOSITE[side];
  return hasRoom(control, tip, opposite, screen) ? opposite : side;
}

function hasRoom(control: Box, tip: Size, side: Side, screen: Size): boolean {
  if (side === 'top') return control.top - GAP_PX - tip.height >= EDGE_PX;
  if (side === 'left') return control.left - GAP_PX - tip.width >= EDGE_PX;
  if (side === 'bottom') return control.top + control.height + GAP_PX + tip.height <= screen.height - EDGE_PX;
  return control.left + control.width + GAP_PX + tip.width <= screen.width - EDGE_PX;
}

/** Centred on the control along its edge. */
function beside(control: Box, tip: Size, side: Side): { left: number; top: number } {
  const centred = {
    left: control.left + (control.width - tip.width) / 2,
    top: control.top + (control.height - tip.height) / 2,
  };
  if (side === 'top') return { ...centred, top: control.top - GAP_PX - tip.height };
  if (side === 'bottom') return { ...centred, top: control.top + control.height + GAP_PX };
  if (side === 'left') return { ...centred, left: control.left - GAP_PX - tip.width };
  return { ...centred, left: control.left + control.width + GAP_PX };
}

const clamp = (at: number, most: number): number => Math.max(EDGE_PX, Math.min(at, most - EDGE_PX));
