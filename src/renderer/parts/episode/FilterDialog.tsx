// The dialog that narrows a set of episodes, each choice applied as it is made.
import type { ReactNode } from 'react';
import type { EpisodeFilter } from '../../../shared/contract/library.ts';
import { Condition } from '../../../shared/events/lifecycle.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import * as styles from './FilterDialog.module.css';
import { FilterChoice, FilterFields } from './FilterFields.tsx';
import { ROW_CONDITION_LABELS } from './episodeRowText.ts';

type FilterDialogProps = {
  title: string;
  description: string;
  condition: Condition | null;
  filter: EpisodeFilter;
  onCondition: (condition: Condition | null) => void;
  onFilter: (filter: EpisodeFilter) => void;
  onClear: () => void;
  onClose: () => void;
};

export function FilterDialog(props: FilterDialogProps): ReactNode {
  const { title, description, condition, filter, onCondition, onFilter, onClear, onClose } = props;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      description={description}
      footer={
        <>
          <Button tone="quiet" onClick={onClear}>
            Clear all
          </Button>
          <Button tone="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div className={styles.fields}>
        <FilterChoice
          label="Condition"
          value={condition ?? undefined}
          options={Condition.options.map((value) => ({ value, label: ROW_CONDITION_LABELS[value] }))}
          onChoose={(chosen) => onCondition(chosen ?? null)}
        />
        <FilterFields filter={filter} onFilter={onFilter} />
      </div>
    </Dialog>
  );
}
