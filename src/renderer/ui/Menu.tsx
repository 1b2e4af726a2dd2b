// A button that opens a list of commands.
import { DropdownMenu as Radix } from 'radix-ui';
import { useRef, type ReactElement, type ReactNode } from 'react';
import { cx } from './cx.ts';
import { Kbd } from './Kbd.tsx';
import * as styles from './Menu.module.css';

export type MenuEntry = {
  label: string;
  /** Said under the label: why it cannot be chosen. */
  note?: string;
  icon?: ReactNode;
  chord?: string;
  tone?: 'plain' | 'danger';
  isDisabled?: boolean;
  isChecked?: boolean;
  onChoose: () => void;
};

type MenuProps = {
  /** The button; it must take a ref and pass its props on. */
  trigger: ReactElement;
  items: readonly (MenuEntry | 'line')[];
  side?: 'top' | 'right' | 'bottom' | 'left';
};

export function Menu({ trigger, items, side = 'bottom' }: MenuProps): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Radix.Root>
      <Radix.Trigger asChild ref={button}>
        {trigger}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={styles.menu}
          side={side}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          data-overlay="open"
          onCloseAutoFocus={() => {
            // Read by the button's tooltip, which would open on the focus that comes back.
            if (button.current !== null) button.current.dataset['menuClosed'] = '';
          }}
        >
          {items.map((item, index) =>
            item === 'line' ? (
              <Radix.Separator key={`line${String(index)}`} className={styles.line} />
            ) : (
              <Radix.Item
                key={item.label}
                className={cx(styles.item, item.tone === 'danger' && styles.danger)}
                disabled={item.isDisabled === true}
                onSelect={item.onChoose}
                {...(item.isChecked === undefined
                  ? {}
                  : { role: 'menuitemradio', 'aria-checked': item.isChecked })}
              >
                {item.icon}
                <span className={styles.words}>
                  {item.label}
                  {item.note === undefined ? null : <small className={styles.note}>{item.note}</small>}
                </span>
                {item.isChecked === true ? <span aria-hidden="true">✓</span> : null}
                {item.chord === undefined ? null : <Kbd chord={item.chord} />}
              </Radix.Item>
            ),
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
