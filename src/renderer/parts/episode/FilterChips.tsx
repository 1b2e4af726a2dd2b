// Chips that narrow a set of episodes: one for each part of the filter, which takes it away.
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { EpisodeFilter } from '../../../shared/contract/library.ts';
import type { Condition } from '../../../shared/events/lifecycle.ts';
import { usePeople } from '../../state/usePeople.ts';
import * as styles from './FilterChips.module.css';
import { changedFilter, filterParts } from './filterParts.ts';
import { ROW_CONDITION_LABELS } from './episodeRowText.ts';

type FilterChipsProps = {
  condition?: Condition | null;
  filter: EpisodeFilter;
  onCondition?: (condition: null) => void;
  onFilter: (filter: EpisodeFilter) => void;
  /** After the chips. */
  children?: ReactNode;
};

export function FilterChips(props: FilterChipsProps): ReactNode {
  const { condition = null, filter, onCondition, onFilter, children } = props;
  const people = usePeople();
  const parts = filterParts(filter, people);
  if (parts.length === 0 && condition === null) return null;
  return (
    <ul className={styles.chips} aria-label="Filters">
      {condition === null ? null : (
        <Chip text={ROW_CONDITION_LABELS[condition]} onRemove={() => onCondition?.(null)} />
      )}
      {parts.map(({ key, label }) => (
        <Chip key={key} text={label} onRemove={() => onFilter(changedFilter(filter, { [key]: undefined }))} />
      ))}
      {children}
    </ul>
  );
}

const Chip = ({ text, onRemove }: { text: string; onRemove: () => void }): ReactNode => (
  <li>
    <button type="button" className={styles.chip} onClick={onRemove}>
      {text}
      <X aria-label="remove" />
    </button>
  </li>
);
