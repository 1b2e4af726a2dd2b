// The words shown on hover and on keyboard focus. Never the only place where something is said.
import {
  cloneElement,
  createContext,
  type DOMAttributes,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { Kbd } from './Kbd.tsx';
import * as styles from './Tooltip.module.css';

type ControlProps = Pick<
  DOMAttributes<HTMLElement>,
  'onPointerMove' | 'onPointerLeave' | 'onPointerDown' | 'onFocus' | 'onBlur' | 'onClick'
> & { 'aria-describedby'?: string | undefined };

type TooltipProps = {
  text: ReactNode;
  chord?: string;
  side?: Side;
  /** The control; it must pass its props on. */
  children: ReactElement<ControlProps>;
};

export function Tooltip({ text, chord, side = 'bottom', children }: TooltipProps): ReactNode {
  const id = useId();
  const { control, on } = useTip();
  const own = children.props;
  return (
    <>
      {cloneElement(children, {
        onPointerMove: both(own.onPointerMove, on.hover),
        onPointerLeave: both(own.onPointerLeave, on.leave),
        onPointerDown: both(own.onPointerDown, on.press),
        onFocus: both(own.onFocus, on.focus),
        onBlur: both(own.onBlur, on.hide),
        onClick: both(own.onClick, on.hide),
        'aria-describedby': own['aria-describedby'] ?? (control === null ? undefined : id),
      })}
      {control === null
        ? null
        : createPortal(
            <Tip id={id} control={control} side={side} onEnter={on.stay} onLeave={on.leave}>
              {text}
              {chord === undefined ? null : <Kbd chord={chord} />}
            </Tip>,
            document.body,
          )}
    </>
  );
}

const both =
  <E,>(own: ((event: E) => void) | undefined, ours: (event: E) => void) =>
  (event: E): void => {
    own?.(event);
    ours(event);
  };

type TipProps = {
  id: string;
  control: HTMLElement;
  side: Side;
  onEnter: () => void;
  onLeave: () => void;
  children: ReactNode;
};

function Tip({ id, control, side, onEnter, onLeave, children }: TipProps): ReactNode {
  const tip = useRef<HTMLDivElement>(null);
  // Each time it is drawn: the control may have moved.
  useLayoutEffect(() => {
    if (tip.current === null) return;
    const { style } = tip.current;
    const screen = { width: window.innerWidth, height: window.innerHeight };
    const place = placeTip(
      control.getBoundingClientRect(),
      tip.current.getBoundingClientRect(),
      side,
      screen,
    );
    style.left = `${String(place.left)}px`;
    style.top = `${String(place.top)}px`;
  });
  return (
    <div
      ref={tip}
      id={id}
      role="tooltip"
      className={styles.tip}
      onPointerEnter={onEnter}
      onPointerLeave={onLeave}
    >
      {children}
    </div>
  );
}

/** Stands around the whole app: one delay for all, and one tip at a time. */
export function TooltipGround({ children }: { children: ReactNode }): ReactNode {
  const ground = useRef<TipGround>({ close: null, closedAt: 0 });
  return <TipGroundContext value={ground}>{children}</TipGroundContext>;
}

/** Hovering this long opens one. */
const DELAY_MS = 450;
/** Right after one closed, the next opens without a delay. */
const SKIP_DELAY_MS = 200;
/** On the way from the control to the tip it stays open. */
const GRACE_MS = 120;

/** What all tooltips share: how to close the open one, and when one was closed last. */
type TipGround = { close: (() => void) | null; closedAt: number };
const TipGroundContext = createContext<RefObject<TipGround> | null>(null);

type OpenTip = {
  /** The control it belongs to; null while it is closed. */
  control: HTMLElement | null;
  /** What the control tells. */
  on: ReturnType<typeof createTip>;
};

function useTip(): OpenTip {
  const ground = useContext(TipGroundContext);
  const [control, setControl] = useState<HTMLElement | null>(null);
  const [on] = useState(() => createTip(ground, setControl));
  useEffect(() => on.end, [on]);
  useDismissal(control, on.hide);
  return { control, on };
}

function createTip(ground: RefObject<TipGround> | null, setControl: (control: HTMLElement | null) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let [isOpen, isHovered, isPressed] = [false, false, false];
  const later = (run: () => void, ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(run, ms);
  };
  const hide = (): void => {
    clearTimeout(timer);
    if (!isOpen) return;
    isOpen = false;
    if (ground !== null) ground.current = { close: null, closedAt: Date.now() };
    setControl(null);
  };
  const show = (control: HTMLElement): void => {
    clearTimeout(timer);
    if (isOpen || !control.isConnected) return;
    ground?.current.close?.();
    isOpen = true;
    if (ground !== null) ground.current = { close: hide, closedAt: 0 };
    setControl(control);
  };
  const release = (): void => void (isPressed = false);
  return {
    hide,
    stay: (): void => clearTimeout(timer),
    leave: (): void => {
      isHovered = false;
      if (isOpen) later(hide, GRACE_MS);
      else clearTimeout(timer);
    },
    hover: ({ pointerType, currentTarget }: PointerEvent<HTMLElement>): void => {
      if (pointerType === 'touch') return;
      if (isOpen) clearTimeout(timer);
      if (isHovered) return;
      isHovered = true;
      const isNext = Date.now() - (ground?.current.closedAt ?? 0) < SKIP_DELAY_MS;
      if (isNext) show(currentTarget);
      else if (!isOpen) later(() => show(currentTarget), DELAY_MS);
    },
    press: (): void => {
      hide();
      isPressed = true;
      document.addEventListener('pointerup', release, { once: true });
    },
    /** Its words would cover what is below a menu that has just closed: the focus comes back without them. */
    focus: ({ currentTarget }: FocusEvent<HTMLElement>): void => {
      const isReturning = currentTarget.dataset['menuClosed'] !== undefined;
      delete currentTarget.dataset['menuClosed'];
      if (!isReturning && !isPressed) show(currentTarget);
    },
    end: (): void => {
      hide();
      document.removeEventListener('pointerup', release);
    },
  };
}

/** Escape closes the tip and nothing below it; so does scrolling its control away. */
function useDismissal(control: HTMLElement | null, hide: () => void): void {
  useEffect(() => {
    if (control === null) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      hide();
    };
    const onScroll = ({ target }: Event): void => {
      if (target instanceof Node && target.contains(control)) hide();
    };
    const onResize = (): void => hide();
    window.addEventListener('keydown', onKeyDown, true);
    window.addEventListener('scroll', onScroll, true);
    window.addEventListener('resize', onResize);
    return () => {
      window.removeEventListener('keydown', onKeyDown, true);
      window.removeEventListener('scroll', onScroll, true);
      window.removeEventListener('resize', onResize);
    };
  }, [control, hide]);
}

export type Side = 'top' | 'right' | 'bottom' | 'left';
type Size = { width: number; height: number };
type Box = Size & { left: number; top: number };

/** Between the tip and its control. */
const GAP_PX = 6;
/** Between the tip and the edge of the window. */
const EDGE_PX = 8;

/**
 * Where a tooltip stands: beside its control, on the other side where there is no room, and inside the window.
 */
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
