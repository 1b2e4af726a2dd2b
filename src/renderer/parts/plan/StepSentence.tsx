// A step as its sentence. Each argument is a chip: a button that opens its field, or plain where nothing can be changed.
import type { ReactNode } from 'react';
import {
  argumentLabel,
  chipText,
  type Sentence,
  type SentenceChip,
} from '../../../shared/sentences/sentence.ts';
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

export const StepSentence = (props: StepSentenceProps): ReactNode => (
  <p className={styles.sentence}>
    <SentenceParts {...props} />
  </p>
);

/** The same amid other words, where nothing can be changed. */
export const InlineSentence = ({ sentence }: Pick<StepSentenceProps, 'sentence'>): ReactNode => (
  <SentenceParts sentence={sentence} chips={null} />
);

const SentenceParts = ({ sentence: { parts }, chips }: StepSentenceProps): ReactNode =>
  parts.map((part, index) => {
    // Parts of a sentence have no other name than their place.
    const key = part.type === 'chip' ? `chip ${part.argument}` : String(index);
    if (part.type === 'code')
      return (
        <code key={key}>
          <VisibleText text={part.text} />
        </code>
      );
    if (part.type === 'text') {
      const isAfterChip = parts[index - 1]?.type === 'chip';
      const text = isAfterChip ? part.text.slice(signAtStart(part.text).length) : part.text;
      return <VisibleText key={key} text={text} />;
    }
    const next = parts[index + 1];
    return (
      <span key={key} className={styles.joined}>
        <Chip chip={part} chips={chips} />
        {next?.type === 'text' ? signAtStart(next.text) : ''}
      </span>
    );
  });

/** A comma or colon stays with the chip before it: no line begins with one. */
const signAtStart = (text: string): string => /^[:,.)]/.exec(text)?.[0] ?? '';

function Chip({ chip, chips }: { chip: SentenceChip; chips: StepSentenceProps['chips'] }): ReactNode {
  if (chips === null)
    return (
      <b className={cx(styles.value, chip.isMissing && styles.isMissing)} title={titleOf(chip)}>
        <ChipText chip={chip} />
      </b>
    );
  return (
    <button
      type="button"
      data-chip={chip.argument}
      data-missing={chip.isMissing}
      className={cx(styles.chip, (chip.isMissing || chips.wrong.has(chip.argument)) && styles.isMissing)}
      title={titleOf(chip)}
      aria-label={`${argumentLabel(chip.argument, chip.value)}: ${chipText(chip)}`}
      aria-expanded={chips.open === chip.argument}
      onClick={() => chips.onPress(chip.argument)}
    >
      <ChipText chip={chip} />
    </button>
  );
}

const ChipText = ({ chip: { label, name } }: { chip: SentenceChip }): ReactNode => (
  <>
    <VisibleText text={label} />
    {name === null || name.detail === null ? null : (
      <span className="quiet regular">
        {' ('}
        <VisibleText text={name.detail} />)
      </span>
    )}
  </>
);

/** The argument's name and, behind a name, the value that is sent. */
const titleOf = ({ argument, value, isMissing }: SentenceChip): string =>
  isMissing
    ? `${argument}: not given`
    : `${argument}: ${typeof value === 'string' ? value : (JSON.stringify(value) ?? '')}`;
