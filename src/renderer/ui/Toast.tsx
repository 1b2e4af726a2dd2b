// Short messages at the edge: their look, and how long they stay.
import { CircleAlert, CircleCheck, Hand, Info, X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button, IconButton } from './Button.tsx';
import { cx, variantClass } from './cx.ts';
import * as styles from './Toast.module.css';

type ToastItem = {
  id: number;
  tone: 'plain' | 'ok' | 'error' | 'waiting';
  title: string;
  text: string | null;
  action: { label: string; run: () => void } | null;
};

const TOAST_ICONS = { plain: Info, ok: CircleCheck, error: CircleAlert, waiting: Hand } as const;
const STAYS_MS = { plain: 6000, ok: 5000, waiting: 10_000, error: 15_000 } as const;

/** The messages, newest last. Pointing at one keeps it. */
export function ToastStack({
  toasts,
  onDismiss,
}: {
  toasts: readonly ToastItem[];
  onDismiss: (id: number) => void;
}): ReactNode {
  const stack = useClearOfActs(toasts.length > 0);
  return (
    <section className={styles.stack} aria-label="Messages" ref={stack}>
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} onDismiss={onDismiss} />
      ))}
    </section>
  );
}

/** Cards and dialogs come and go under a message. */
const TOAST_LOOK_MS = 200;

/** Narrower than this, forms reach to the foot: messages come to the top. The style sheet knows it too. */
const TOAST_NARROW_PX = 700;

/** Keeps the messages off every row of buttons that holds a primary one or sends a form, and off the field one writes in. */
function useClearOfActs(isShown: boolean): RefObject<HTMLElement | null> {
  const stack = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const place = (): void => {
      const element = stack.current;
      if (element === null) return;
      element.style.removeProperty('bottom');
      element.style.removeProperty('top');
      const box = element.getBoundingClientRect();
      const keepFree = [...rowsOfActs(element), ...fieldInUse(element)];
      const height = window.innerHeight;
      if (window.innerWidth < TOAST_NARROW_PX) {
        const place = topClearOf(box, keepFree, { height, highest: box.top });
        if (place !== box.top) element.style.top = `${String(place)}px`;
        return;
      }
      const lowest = height - box.bottom;
      const place = bottomClearOf(box, keepFree, { height, lowest });
      if (place !== lowest) element.style.bottom = `${String(place)}px`;
    };
    if (!isShown) return undefined;
    place();
    const timer = setInterval(place, TOAST_LOOK_MS);
    window.addEventListener('resize', place);
    return () => {
      clearInterval(timer);
      window.removeEventListener('resize', place);
    };
  });
  return stack;
}

/** A parent that is higher than this is no row: only the button itself is kept free. */
const ROW_MAX_PX = 120;

function rowsOfActs(stack: HTMLElement): Box[] {
  const buttons = [...document.querySelectorAll<HTMLElement>('[data-primary], form [type="submit"]')];
  return buttons
    .filter((button) => !stack.contains(button))
    .map((button) => {
      const row = button.parentElement?.getBoundingClientRect();
      return row === undefined || row.height > ROW_MAX_PX ? button.getBoundingClientRect() : row;
    })
    .filter(({ width }) => width > 0);
}

/** The field one writes in. */
function fieldInUse(stack: HTMLElement): Box[] {
  const focused = document.activeElement;
  const isField = focused?.matches('input, textarea, select, [contenteditable]') === true;
  return isField && !stack.contains(focused) ? [focused.getBoundingClientRect()] : [];
}

function ToastCard({ toast, onDismiss }: { toast: ToastItem; onDismiss: (id: number) => void }): ReactNode {
  const [isHeld, setIsHeld] = useState(false);
  const { id, tone, title, text, action } = toast;
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(() => onDismiss(id), STAYS_MS[tone]);
    return () => clearTimeout(timer);
  }, [id, isHeld, onDismiss, tone]);
  const Icon = TOAST_ICONS[tone];
  return (
    <div
      className={cx(styles.toast, variantClass(styles, tone))}
      role={tone === 'error' ? 'alert' : 'status'}
      // A message that comes up under a pointer which rests is not pointed at.
      onPointerMove={({ movementX, movementY }) => {
        if (movementX !== 0 || movementY !== 0) setIsHeld(true);
      }}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <Icon className={styles.icon} aria-hidden="true" />
      <div className={styles.words}>
        <p className="strong">{title}</p>
        {text === null ? null : <p className="soft small">{text}</p>}
        {action === null ? null : (
          <Button
            size="small"
            onClick={() => {
              action.run();
              onDismiss(id);
            }}
          >
            {action.label}
          </Button>
        )}
      </div>
      <IconButton label="Dismiss" icon={<X />} onClick={() => onDismiss(id)} side="left" />
    </div>
  );
}

export type Box = { left: number; right: number; top: number; bottom: number };

/** Kept between it and what it stands clear of. */
const GAP = 8;

/**
 * The distance from the bottom for a box of the given sides and height: `lowest`, or as little above it as leaves every
 * one of `keepFree` uncovered. Where there is no such place it stands at `lowest`.
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
