// Two panes with a line between them that a mouse drags and arrow keys move; Enter or a double click folds.
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { cx } from './cx.ts';
import * as styles from './SplitPane.module.css';

type PaneState = { size: number; isCollapsed: boolean };

type SplitPaneProps = {
  /** What the resizable pane is called, for its handle. */
  label: string;
  side: 'start' | 'end';
  pane: PaneState;
  onPane: (pane: PaneState) => void;
  min?: number;
  max?: number;
  /** Where the window is narrow the panes stand one over the other, each as wide as both. */
  stacks?: boolean;
  content: ReactNode;
  children: ReactNode;
};

const STEP = 16;
const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value));

/** The size an arrow key asks for, or null when the key is not about size. */
function sizeAfterKey(
  key: string,
  size: number,
  side: 'start' | 'end',
  range: [number, number],
): number | null {
  const grows = side === 'start' ? 'ArrowRight' : 'ArrowLeft';
  const shrinks = side === 'start' ? 'ArrowLeft' : 'ArrowRight';
  if (key === grows) return clamp(size + STEP, ...range);
  if (key === shrinks) return clamp(size - STEP, ...range);
  if (key === 'Home') return range[0];
  return key === 'End' ? range[1] : null;
}

export function SplitPane(props: SplitPaneProps): ReactNode {
  const { label, side, pane, onPane, min = 200, max = 720, stacks = false, content, children } = props;
  const [dragged, setDragged] = useState<number | null>(null);
  const start = useRef<{ x: number; size: number } | null>(null);
  const size = clamp(dragged ?? pane.size, min, max);

  const drag = (event: PointerEvent): void => {
    if (start.current === null) return;
    const moved = event.clientX - start.current.x;
    setDragged(clamp(start.current.size + (side === 'start' ? moved : -moved), min, max));
  };
  const drop = (): void => {
    if (dragged !== null) onPane({ size: dragged, isCollapsed: false });
    start.current = null;
    setDragged(null);
  };
  const fold = (): void => onPane({ size: pane.size, isCollapsed: !pane.isCollapsed });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') fold();
    const next = sizeAfterKey(event.key, size, side, [min, max]);
    if (next === null && event.key !== 'Enter') return;
    event.preventDefault();
    if (next !== null) onPane({ size: next, isCollapsed: false });
  };

  const paneNode = (
    <div className={styles.pane} style={{ width: size }} hidden={pane.isCollapsed} key="pane">
      {content}
    </div>
  );
  const handle = (
    <div
      className={cx(styles.handle, dragged !== null && styles.isDragged)}
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`${label}, width`}
      aria-valuenow={pane.isCollapsed ? 0 : Math.round(size)}
      aria-valuemin={0}
      aria-valuemax={max}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, size: pane.isCollapsed ? min : size };
      }}
      onPointerMove={drag}
      onPointerUp={drop}
      onPointerCancel={drop}
      onDoubleClick={fold}
      onKeyDown={onKeyDown}
    />
  );
  const isTowardsStart = (side === 'start') !== pane.isCollapsed;
  const toggle = (
    <button
      type="button"
      className={cx(styles.toggle, styles[side], pane.isCollapsed && styles.isFolded)}
      aria-label={`${pane.isCollapsed ? 'Show' : 'Hide'}: ${label}`}
      title={`${pane.isCollapsed ? 'Show' : 'Hide'}: ${label}`}
      onClick={fold}
    >
      {isTowardsStart ? <ChevronLeft /> : <ChevronRight />}
    </button>
  );
  const rest = (
    <div className={styles.rest} key="rest">
      {children}
    </div>
  );
  const edge = (
    <div className={styles.edge} key="edge">
      {handle}
      {toggle}
    </div>
  );
  return (
    <div className={cx(styles.split, stacks && styles.stacks)}>
      {side === 'start' ? [paneNode, edge, rest] : [rest, edge, paneNode]}
    </div>
  );
}
