// A step as its sentence. Each argument is a chip: a button that opens its field, or plain where nothing can be changed.
import type { ReactNode } from 'react';
import { argumentLabel } from '../../../shared/sentences/clause.ts';
import { chipText, type Sentence, type SentenceChip } from '../../../shared/sentences/sentence.ts';
import { cx } from '../../ui/cx.ts';
import { VisibleText } from '../text/VisibleText.tsx';
import * as styles from './Plan.module.css';

type StepSentenceProps = {
  sentence: Sentence;
  /** Null where nothing can be changed. */
  chips: {
    open: string | null;
    /** Arguments with a problem. */
    wrong: ReadonlySet<string>;
    onPress: (argument: string) => void;
  } | null;
};

export function StepSentence({ sentence: { parts }, chips }: StepSentenceProps): ReactNode {
  return (
    <p className={styles.sentence}>
      {parts.map((part, index) => {
        // Parts of a sentence have no other name than their place.
        const key = part.type === 'chip' ? `chip ${part.argument}` : String(index);
        if (part.type === 'text') return <VisibleText key={key} text={part.text} />;
        if (part.type === 'code') return <code key={key}>{<VisibleText text={part.text} />}</code>;
        return chips === null ? (
          <b key={key} className={cx(styles.value, part.isMissing && styles.isMissing)} title={titleOf(part)}>
            <ChipText chip={part} />
          </b>
        ) : (
          <button
            key={key}
            type="button"
            data-chip={part.argument}
            data-missing={part.isMissing}
            className={cx(
              styles.chip,
              (part.isMissing || chips.wrong.has(part.argument)) && styles.isMissing,
            )}
            title={titleOf(part)}
            aria-label={`${argumentLabel(part.argument)}: ${chipText(part)}`}
            aria-expanded={chips.open === part.argument}
            onClick={() => chips.onPress(part.argument)}
          >
            <ChipText chip={part} />
          </button>
        );
      })}
    </p>
  );
}

const ChipText = ({ chip: { label, name } }: { chip: SentenceChip }): ReactNode => (
  <>
    <VisibleText text={label} />
    {name === null || name.detail === null ? null : (
      <span className={styles.chipDetail}>
        {' ('}
        <VisibleText text={name.detail} />)
      </span>
    )}
  </>
);

/** Which argument it is and, behind a name, which value is sent. */
const titleOf = ({ argument, value, isMissing }: SentenceChip): string =>
  isMissing
    ? `${argument}: not given`
    : `${argument}: ${typeof value === 'string' ? value : (JSON.stringify(value) ?? '')}`;
