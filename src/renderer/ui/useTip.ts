// When a tooltip is open: after a moment of hovering, at once on keyboard focus or right after another one, and until
// the pointer, the focus or Escape leaves it. One at a time.
import {
  createContext,
  useContext,
  useEffect,
  useState,
  type FocusEvent,
  type PointerEvent,
  type RefObject,
} from 'react';

/** Hovering this long opens one. */
const DELAY_MS = 450;
/** Right after one closed, the next opens without a delay. */
const SKIP_DELAY_MS = 200;
/** On the way from the control to the tip it stays open. */
const GRACE_MS = 120;

/** What all tooltips share: how to close the open one, and when one was closed last. */
export type TipGround = { close: (() => void) | null; closedAt: number };
export const TipGroundContext = createContext<RefObject<TipGround> | null>(null);

type Tip = {
  /** The control it belongs to; null while it is closed. */
  control: HTMLElement | null;
  /** What the control tells. */
  on: ReturnType<typeof createTip>;
};

export function useTip(): Tip {
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
