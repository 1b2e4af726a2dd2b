// The words shown on hover and on keyboard focus. Never the only place where something is said.
import {
  cloneElement,
  useId,
  useLayoutEffect,
  useRef,
  type DOMAttributes,
  type ReactElement,
  type ReactNode,
} from 'react';
import { createPortal } from 'react-dom';
import { Kbd } from './Kbd.tsx';
import { placeTip, type Side } from './tipPlace.ts';
import * as styles from './Tooltip.module.css';
import { TipGroundContext, useTip, type TipGround } from './useTip.ts';

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
