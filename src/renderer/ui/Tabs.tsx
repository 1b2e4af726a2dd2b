// Switching between panels that share a place.
import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import * as styles from './Tabs.module.css';

export type Tab<Id extends string> = { id: Id; label: string; mark?: ReactNode; panel: ReactNode };

type TabsProps<Id extends string> = {
  label: string;
  tabs: readonly Tab<Id>[];
  current: Id;
  onChoose: (id: Id) => void;
};

export function Tabs<Id extends string>({ label, tabs, current, onChoose }: TabsProps<Id>): ReactNode {
  return (
    <Radix.Root
      className={styles.tabs}
      value={current}
      onValueChange={(value) => {
        const tab = tabs.find(({ id }) => id === value);
        if (tab !== undefined) onChoose(tab.id);
      }}
    >
      <Radix.List className={styles.list} aria-label={label}>
        {tabs.map((tab) => (
          <Radix.Trigger key={tab.id} value={tab.id} className={styles.tab}>
            {tab.label}
            {tab.mark}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.id} value={tab.id} className={styles.panel}>
          {tab.panel}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
