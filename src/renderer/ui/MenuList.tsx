// The list of a menu that is open: arrows move, a letter finds, Enter chooses, Escape goes back to the button.
import { Menu as Radix } from 'radix-ui/internal';
import { type FocusEvent, type ReactNode, useRef } from 'react';
import { cx } from './cx.ts';
import { Kbd } from './Kbd.tsx';
import * as styles from './Menu.module.css';
import type { MenuEntry, OpenedMenu } from './Menu.tsx';
import type { Side } from './Tooltip.tsx';

type MenuListProps = {
  id: string;
  labelledBy: string;
  opened: OpenedMenu;
  items: readonly (MenuEntry | 'line')[];
  side: Side;
  onClose: () => void;
};

export function MenuList({ id, labelledBy, opened, items, side, onClose }: MenuListProps): ReactNode {
  const { button, byKey } = opened;
  const isElsewhere = useRef(false);
  const isEntered = useRef(false);
  const chosen = useRef<(() => void) | null>(null);
  // By key the first command is chosen from the start.
  const onFocus = ({ target, currentTarget }: FocusEvent<HTMLElement>): void => {
    if (target !== currentTarget || isEntered.current) return;
    isEntered.current = true;
    if (byKey) currentTarget.querySelector<HTMLElement>(FIRST)?.focus();
  };
  return (
    <Radix.Root open onOpenChange={(open) => (open ? undefined : onClose())} modal>
      <Radix.Anchor virtualRef={{ current: button }} />
      <Radix.Portal>
        <Radix.Content
          id={id}
          aria-labelledby={labelledBy}
          className={styles.menu}
          side={side}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          data-overlay="open"
          onFocus={onFocus}
          onInteractOutside={({ detail: { originalEvent } }) => {
            isElsewhere.current = originalEvent instanceof MouseEvent && isRightClick(originalEvent);
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (!isElsewhere.current) giveFocusBack(button);
            // Not before: an open menu takes back the focus from whatever its command opens.
            chosen.current?.();
          }}
        >
          {items.map((item, index) => (
            <MenuLine
              key={item === 'line' ? `line${String(index)}` : item.label}
              item={item}
              onSelect={(choose) => {
                chosen.current = choose;
              }}
            />
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const FIRST = '[role^="menuitem"]:not([data-disabled])';

const isRightClick = ({ button, ctrlKey }: MouseEvent): boolean => button === 2 || (button === 0 && ctrlKey);

/** The button's tooltip reads the mark: it would open on the focus that comes back. */
function giveFocusBack(button: HTMLElement): void {
  button.dataset['menuClosed'] = '';
  button.focus();
}

type MenuLineProps = { item: MenuEntry | 'line'; onSelect: (choose: () => void) => void };

function MenuLine({ item, onSelect }: MenuLineProps): ReactNode {
  if (item === 'line') return <Radix.Separator className={styles.line} />;
  const { label, note, icon, chord, tone, isDisabled, isChecked, onChoose } = item;
  return (
    <Radix.Item
      className={cx(styles.item, tone === 'danger' && styles.danger)}
      disabled={isDisabled === true}
      onSelect={() => onSelect(onChoose)}
      {...(isChecked === undefined ? {} : { role: 'menuitemradio', 'aria-checked': isChecked })}
    >
      {icon}
      <span className="grows">
        {label}
        {note === undefined ? null : <small className={styles.note}>{note}</small>}
      </span>
      {isChecked === true ? <span aria-hidden="true">✓</span> : null}
      {chord === undefined ? null : <Kbd chord={chord} />}
    </Radix.Item>
  );
}
