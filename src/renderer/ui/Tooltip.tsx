// The words shown on hover and on keyboard focus. Never the only place where something is said.
import * as Radix from 'radix-ui/tooltip';
import type { FocusEvent, ReactElement, ReactNode } from 'react';
import { Kbd } from './Kbd.tsx';
import * as styles from './Tooltip.module.css';

export type Side = 'top' | 'right' | 'bottom' | 'left';

type TooltipProps = {
  text: ReactNode;
  chord?: string;
  side?: Side;
  /** The control; it must pass its props on. */
  children: ReactElement;
};

export function Tooltip({ text, chord, side = 'bottom', children }: TooltipProps): ReactNode {
  return (
    <Radix.Root>
      <Radix.Trigger asChild onFocus={leaveClosed}>
        {children}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content side={side} sideOffset={6} collisionPadding={8} className={styles.tip}>
          {text}
          {chord === undefined ? null : <Kbd chord={chord} />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Its words would cover what is below a menu that has just closed: the focus comes back without them. */
function leaveClosed(event: FocusEvent<HTMLElement>): void {
  const { dataset } = event.currentTarget;
  if (dataset['menuClosed'] !== undefined) event.preventDefault();
  delete dataset['menuClosed'];
}

/** Stands around the whole app: one delay for all, and one tip at a time. */
export const TooltipProvider = ({ children }: { children: ReactNode }): ReactNode => (
  <Radix.Provider delayDuration={450} skipDelayDuration={200}>
    {children}
  </Radix.Provider>
);
