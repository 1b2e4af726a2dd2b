// A button that opens a list of commands. The list is drawn by `MenuList`, whose script comes when it is first needed.
import {
  cloneElement,
  type DOMAttributes,
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { lazyPart } from './LazyPart.tsx';
import type { Side } from './Tooltip.tsx';

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

type ButtonProps = Pick<
  DOMAttributes<HTMLElement>,
  'onPointerDown' | 'onKeyDown' | 'onPointerEnter' | 'onFocus'
> & {
  id?: string | undefined;
  'aria-haspopup'?: 'menu';
  'aria-expanded'?: boolean;
  'aria-controls'?: string | undefined;
};

type MenuProps = {
  /** The button; it must pass its props on. */
  trigger: ReactElement<ButtonProps>;
  items: readonly (MenuEntry | 'line')[];
  side?: Side;
  /** Opens without a press, once each time it becomes true; `onAsked` is told then. */
  isAsked?: boolean;
  onAsked?: () => void;
};

export type OpenedMenu = { button: HTMLElement; byKey: boolean };

export const MenuList = lazyPart(async () => (await import('./MenuList.tsx')).MenuList, {
  label: 'Loading the menu',
  // What is typed ahead is for the menu: no key of the view behind it takes it.
  fallback: <span data-overlay="open" hidden />,
});
const preload = (): void => void MenuList.preload();

export function Menu(props: MenuProps): ReactNode {
  const { trigger, items, side = 'bottom', isAsked = false, onAsked } = props;
  const [opened, setOpened] = useState<OpenedMenu | null>(null);
  const buttonId = useId();
  const listId = useId();
  const own = trigger.props;
  const id = own.id ?? buttonId;
  const open = (button: HTMLElement, byKey: boolean): void => {
    if (!button.matches(':disabled')) setOpened({ button, byKey });
  };
  const told = useRef(onAsked);
  useEffect(() => {
    told.current = onAsked;
  });
  useEffect(() => {
    if (!isAsked) return undefined;
    // The list is placed beside its button, once that is drawn.
    const frame = requestAnimationFrame(() => {
      const button = document.getElementById(id);
      if (button === null) return;
      setOpened({ button, byKey: true });
      told.current?.();
    });
    return () => cancelAnimationFrame(frame);
  }, [isAsked, id]);
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    own.onPointerDown?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey) return;
    // The list takes the focus, not the button.
    event.preventDefault();
    open(event.currentTarget, false);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    own.onKeyDown?.(event);
    if (event.defaultPrevented || !['Enter', ' ', 'ArrowDown'].includes(event.key)) return;
    event.preventDefault();
    open(event.currentTarget, true);
  };
  return (
    <>
      {cloneElement(trigger, {
        id,
        'aria-haspopup': 'menu',
        'aria-expanded': opened !== null,
        'aria-controls': opened === null ? undefined : listId,
        onPointerDown,
        onKeyDown,
        onPointerEnter: (event) => {
          own.onPointerEnter?.(event);
          preload();
        },
        onFocus: (event) => {
          own.onFocus?.(event);
          preload();
        },
      })}
      {opened === null ? null : (
        <MenuList
          id={listId}
          labelledBy={id}
          opened={opened}
          items={items}
          side={side}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}
