// Dragging a step by its handle: where it would land while the pointer is down, and the move when it is let go.
import { useState, type PointerEvent, type RefObject } from 'react';

type Drag = { from: number; to: number; startY: number; hasMoved: boolean };
/** Less than this is a press, not a drag. */
const DRAG_MIN_PX = 4;

export function useStepDrag(list: RefObject<HTMLElement | null>, onMove: (from: number, to: number) => void) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const placeAt = (y: number): number => {
    const steps = [...(list.current?.querySelectorAll<HTMLElement>(':scope > [data-step]') ?? [])];
    const below = steps.findIndex((step) => {
      const { top, height } = step.getBoundingClientRect();
      return y < top + height / 2;
    });
    return below === -1 ? steps.length : below;
  };
  const handle = (index: number) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>): void => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ from: index, to: index, startY: event.clientY, hasMoved: false });
    },
    onPointerMove: ({ clientY }: PointerEvent): void => {
      if (drag === null) return;
      const hasMoved = drag.hasMoved || Math.abs(clientY - drag.startY) >= DRAG_MIN_PX;
      if (!hasMoved) return;
      const gap = placeAt(clientY);
      setDrag({ ...drag, hasMoved, to: gap > drag.from ? gap - 1 : gap });
    },
    onPointerUp: (): void => {
      setDrag(null);
      if (drag !== null && drag.hasMoved && drag.to !== drag.from) onMove(drag.from, drag.to);
    },
    onPointerCancel: (): void => setDrag(null),
  });
  const isDragging = drag !== null && drag.hasMoved;
  return { handle, from: isDragging ? drag.from : null, to: isDragging ? drag.to : null };
}
