// The words shown on hover and on keyboard focus. Never the only place where something is said.
import { Tooltip as Radix } from 'radix-ui';
import type { FocusEvent, ReactElement, ReactNode } from 'react';
import { Kbd } from './Kbd.tsx';
import * as styles from './Tooltip.module.css';

type TooltipProps = {
  text: ReactNode;
  chord?: string;
  side?: 'top' | 'right' | 'bottom' | 'left';
  children: ReactElement;
};

export function Tooltip({ text, chord, side = 'bottom', children }: TooltipProps): ReactNode {
  return (
    <Radix.Root>
      <Radix.Trigger asChild onFocus={unlessReturning}>
        {children}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={styles.tip} side={side} sideOffset={6} collisionPadding={8}>
          {text}
          {chord === undefined ? null : <Kbd chord={chord} />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Its words would cover what is below a menu that has just closed: the focus comes back without them. */
const unlessReturning = (event: FocusEvent<HTMLElement>): void => {
  const { dataset } = event.currentTarget;
  if (dataset['menuClosed'] === undefined) return;
  delete dataset['menuClosed'];
  event.preventDefault();
};

/** Stands around the whole app: one delay for all. */
export function TooltipGround({ children }: { children: ReactNode }): ReactNode {
  return (
    <Radix.Provider delayDuration={450} skipDelayDuration={200}>
      {children}
    </Radix.Provider>
  );
}
