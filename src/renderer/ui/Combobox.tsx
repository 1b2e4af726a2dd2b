// A field that is typed in to choose one of many.
import * as Popover from 'radix-ui/popover';
import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { cx } from './cx.ts';
import * as styles from './Combobox.module.css';
import { Input } from './Field.tsx';

type ComboboxOption = { value: string; label: string; detail?: string };

type ComboboxProps = {
  /** What is chosen, as it reads; empty for nothing. */
  value: string;
  options: readonly ComboboxOption[];
  /** Called with what is typed; the owner filters, or asks main. */
  onQuery: (query: string) => void;
  onChoose: (value: string) => void;
  /** The list was closed with nothing chosen: what was typed is gone. */
  onLeave?: () => void;
  placeholder?: string;
  isLoading?: boolean;
  /** Said when nothing matches. */
  emptyText: string;
  icon?: ReactNode;
};

export function Combobox(props: ComboboxProps): ReactNode {
  const {
    value,
    options,
    onQuery,
    onChoose,
    onLeave,
    placeholder,
    isLoading = false,
    emptyText,
    icon,
  } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const listId = useId();
  const isOpen = typed !== null;
  const at = Math.min(active, options.length - 1);

  const type = (text: string): void => {
    setTyped(text);
    setActive(0);
    onQuery(text);
  };
  const close = (): void => {
    if (typed !== null) onLeave?.();
    setTyped(null);
  };
  const choose = (option: ComboboxOption | undefined): void => {
    if (option === undefined) return;
    onChoose(option.value);
    setTyped(null);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      if (!isOpen) type('');
      else setActive(Math.max(0, Math.min(options.length - 1, at + (key === 'ArrowDown' ? 1 : -1))));
    } else if (key === 'Enter' && isOpen && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      choose(options[at]);
    } else if (key === 'Escape' && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  };

  return (
    <Popover.Root open={isOpen} onOpenChange={(open) => (open ? undefined : close())}>
      <Popover.Anchor asChild>
        <div>
          <Input
            role="combobox"
            aria-expanded={isOpen}
            aria-controls={listId}
            aria-autocomplete="list"
            {...(isOpen && options[at] !== undefined
              ? { 'aria-activedescendant': `${listId}${String(at)}` }
              : {})}
            value={typed ?? value}
            placeholder={placeholder}
            icon={icon}
            onChange={({ target }) => type(target.value)}
            onFocus={({ target }) => target.select()}
            onClick={() => (isOpen ? undefined : type(''))}
            onKeyDown={onKeyDown}
            onBlur={close}
          />
        </div>
      </Popover.Anchor>
      <Popover.Portal>
        <Popover.Content
          className={styles.popup}
          align="start"
          sideOffset={4}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
        >
          <ul id={listId} role="listbox">
            {options.map((option, index) => (
              <li
                key={option.value}
                id={`${listId}${String(index)}`}
                role="option"
                aria-selected={index === at}
                className={cx(styles.option, index === at && styles.isActive)}
                ref={index === at ? (node) => node?.scrollIntoView({ block: 'nearest' }) : undefined}
                // A press must not take the focus away first: leaving the field closes the list.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => choose(option)}
              >
                <span className="strong">{option.label}</span>
                {option.detail === undefined ? null : (
                  <span className="one-line quiet small">{option.detail}</span>
                )}
              </li>
            ))}
          </ul>
          {options.length === 0 ? <p className={styles.empty}>{isLoading ? 'Looking' : emptyText}</p> : null}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
