import { describe, expect, it } from 'vitest';
import { placeTip } from '../../../src/renderer/ui/Tooltip.tsx';

const SCREEN = { width: 800, height: 600 };
const TIP = { width: 100, height: 30 };

describe('a tooltip', () => {
  it('stands on the other side of a control at the edge of the window', () => {
    const low = { left: 300, top: 570, width: 40, height: 20 };
    expect(placeTip(low, TIP, 'bottom', SCREEN).side).toBe('top');
    const high = { left: 300, top: 10, width: 40, height: 20 };
    expect(placeTip(high, TIP, 'top', SCREEN).side).toBe('bottom');
    const right = { left: 740, top: 300, width: 40, height: 20 };
    expect(placeTip(right, TIP, 'right', SCREEN).side).toBe('left');
  });

  it('never leaves the window', () => {
    const corner = { left: 780, top: 580, width: 20, height: 20 };
    expect(placeTip(corner, TIP, 'bottom', SCREEN)).toEqual({ left: 692, top: 544, side: 'top' });
    const first = { left: 0, top: 0, width: 20, height: 20 };
    expect(placeTip(first, TIP, 'bottom', SCREEN)).toMatchObject({ left: 8, top: 26 });
  });
});
