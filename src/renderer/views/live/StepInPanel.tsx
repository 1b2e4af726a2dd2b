// Where an episode stops by itself, which of its calls need a person, and whether its turns are labelled.
import type { ReactNode } from 'react';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { Breakpoints } from './Breakpoints.tsx';
import { LabellingChoice } from './LabellingChoice.tsx';
import type { Labelling } from './labelling.ts';
import { LiveRules } from './LiveRules.tsx';
import * as styles from './StepInPanel.module.css';

type Props = {
  record: EpisodeRecord;
  labelling: Labelling;
  onLabelling: (labelling: Labelling) => void;
  /** Turns that wait for a label, and going to them. */
  toLabel: number;
  onLabel: () => void;
};

export function StepInPanel({ record, labelling, onLabelling, toLabel, onLabel }: Props): ReactNode {
  return (
    <div className={styles.panel}>
      <section aria-labelledby="breakpoints-title">
        <h2 className={styles.title} id="breakpoints-title">
          Breakpoints
        </h2>
        <Breakpoints record={record} />
      </section>
      <section aria-labelledby="rules-title">
        <h2 className={styles.title} id="rules-title">
          Approval
        </h2>
        <LiveRules record={record} />
      </section>
      {record.ended === null ? (
        <section aria-labelledby="labelling-title">
          <h2 className={styles.title} id="labelling-title">
            Labels
          </h2>
          <LabellingChoice labelling={labelling} onChange={onLabelling} waiting={toLabel} onLabel={onLabel} />
        </section>
      ) : null}
    </div>
  );
}
