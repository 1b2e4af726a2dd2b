// Free text around the steps, edited where it stands.
import { useState, type ReactNode } from 'react';
import { Textarea } from '../../ui/Field.tsx';
import { VisibleText } from '../text/VisibleText.tsx';
import * as styles from './Plan.module.css';
import { proseIn } from './planText.ts';

type ProseProps = {
  label: string;
  /** The words of the text as they stand, with what a person does not read around them. */
  words: string;
  /** Shown although it is empty, with this in its place. */
  placeholder?: string;
  /** What parts it from the steps where there was nothing before. */
  gap?: string;
  isReadOnly: boolean;
  onChange: (words: string) => void;
};

/** The last typed text, and the words that it became. */
type Typed = ReturnType<typeof proseIn> & { words: string };

export function Prose({ label, words, placeholder, gap = '', isReadOnly, onChange }: ProseProps): ReactNode {
  const read = proseIn(words);
  const [typed, setTyped] = useState<Typed | null>(null);
  // A space at the end is kept while it is typed; read again, it would count as a gap to the steps.
  const { lead, prose, trail } = typed?.words === words ? typed : read;
  if (prose === '' && (placeholder === undefined || isReadOnly)) return null;
  if (isReadOnly)
    return (
      <p className={styles.prose}>
        <VisibleText text={prose} />
      </p>
    );
  const write = (next: string): void => {
    const start = prose === '' && lead === '' && next !== '' ? gap : lead;
    setTyped({ words: start + next + trail, lead: start, prose: next, trail });
    onChange(start + next + trail);
  };
  return (
    <Textarea
      aria-label={label}
      className={styles.words}
      rows={1}
      isGrowing
      value={prose}
      placeholder={placeholder}
      onChange={({ target }) => write(target.value)}
    />
  );
}
