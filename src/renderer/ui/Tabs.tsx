// Switching between panels that share a place. The tabs stand in one line; what has no room is under "More".
import { ChevronDown } from 'lucide-react';
import * as Radix from 'radix-ui/tabs';
import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import { cx } from './cx.ts';
import { Menu } from './Menu.tsx';
import * as styles from './Tabs.module.css';
import { useOverflow } from './useOverflow.ts';

export type Tab<Id extends string> = { id: Id; label: string; mark?: ReactNode; panel: ReactNode };

type TabsProps<Id extends string> = {
  label: string;
  tabs: readonly Tab<Id>[];
  current: Id;
  onChoose: (id: Id) => void;
};

export function Tabs<Id extends string>({ label, tabs, current, onChoose }: TabsProps<Id>): ReactNode {
  const line = useRef<HTMLDivElement>(null);
  const more = useRef<HTMLSpanElement>(null);
  const hidden = useOverflow(line, tabs.map((tab) => tab.label).join());
  const rest = tabs.filter(({ id }) => hidden.has(id));
  const open = rest.find(({ id }) => id === current) ?? null;
  const moreButton = (): HTMLElement | null => more.current?.querySelector('button') ?? null;
  const lastTab = (): HTMLElement | null =>
    line.current?.querySelector<HTMLElement>(
      `[data-overflow-id="${tabs[tabs.length - rest.length - 1]?.id ?? ''}"]`,
    ) ?? null;
  // The arrow keys go from the last tab that has room to "More", and back.
  const onListKey = (event: KeyboardEvent): void => {
    if (rest.length === 0 || event.key !== 'ArrowRight' || event.target !== lastTab()) return;
    event.preventDefault();
    event.stopPropagation();
    moreButton()?.focus();
  };
  const onMoreKey = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowLeft') return;
    event.preventDefault();
    lastTab()?.focus();
  };
  return (
    <Radix.Root
      className={styles.tabs}
      value={current}
      onValueChange={(value) => {
        const tab = tabs.find(({ id }) => id === value);
        if (tab !== undefined) onChoose(tab.id);
      }}
    >
      <div className={styles.bar}>
        <Radix.List className={styles.list} aria-label={label} ref={line} onKeyDownCapture={onListKey}>
          {tabs.map((tab) => (
            <Radix.Trigger
              key={tab.id}
              value={tab.id}
              className={styles.tab}
              data-overflow-id={tab.id}
              data-hidden={hidden.has(tab.id) ? '' : undefined}
            >
              {tab.label}
              {tab.mark}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {rest.length === 0 ? null : (
          <span ref={more} onKeyDown={onMoreKey}>
            <Menu
              trigger={
                <button
                  type="button"
                  className={cx(styles.tab, styles.more, open !== null && styles.isHere)}
                  aria-label={open === null ? 'More panels' : `More panels, ${open.label} is open`}
                  tabIndex={open === null ? -1 : 0}
                >
                  {open === null ? 'More' : open.label}
                  <ChevronDown aria-hidden="true" />
                </button>
              }
              items={rest.map(({ id, label: name }) => ({
                label: name,
                isChecked: id === current,
                onChoose: () => onChoose(id),
              }))}
            />
          </span>
        )}
      </div>
      {tabs.map((tab) => (
        <Radix.Content key={tab.id} value={tab.id} className="fills">
          {tab.panel}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
