// Owns: the dialog that narrows the library, each choice applied as it is made.
import type { ReactNode } from 'react';
import { Condition } from '../../../shared/events/lifecycle.ts';
import { Choice, FilterFields } from '../../parts/episode/FilterFields.tsx';
import { CONDITION_LABELS, type Filter } from '../../parts/episode/rowWords.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ANY } from './libraryFilter.ts';
import styles from './LibraryView.module.css';

export type FilterDialogProps = {
  filter: Filter;
  onFilter: (filter: Filter) => void;
  onClose: () => void;
};

export function FilterDialog({ filter, onFilter, onClose }: FilterDialogProps): ReactNode {
  const { filter: inner = {} } = filter;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Filter the library"
      description="Every part must hold."
      footer={
        <>
          <Button tone="quiet" onClick={() => onFilter({ ...ANY, order: filter.order })}>
            Clear all
          </Button>
          <Button tone="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div className={styles['fields']}>
        <Choice
          label="Condition"
          value={filter.condition ?? undefined}
          options={Condition.options.map((value) => ({ value, label: CONDITION_LABELS[value] }))}
          onChoose={(condition) => onFilter({ ...filter, condition: condition ?? null })}
        />
        <FilterFields filter={inner} onFilter={(next) => onFilter({ ...filter, filter: next })} />
      </div>
    </Dialog>
  );
}
