// A text that may be JSON: a tree when it is, with the verbatim text one press away.
import { useMemo, useState, type ReactNode } from 'react';
import { isBlobRef, textHead, type Text } from '../../../shared/events/text.ts';
import { useText } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import * as styles from './DataText.module.css';
import { JsonTree } from './JsonTree.tsx';
import { parseJsonText } from './jsonTree.ts';
import { LongText } from './LongText.tsx';
import { formatSize } from './size.ts';

/** The size of a short text is seen. */
const isLongData = (text: Text): boolean => isBlobRef(text) || text.length > 300;

type DataTextProps = {
  label: string;
  text: Text;
  tone?: 'plain' | 'error';
  isProse?: boolean;
  /** A remark beside the label: how long it took, what became of it. */
  note?: ReactNode;
};

/** A labelled text with its size, to copy whole. */
export function DataText({ label, text, tone = 'plain', isProse = false, note }: DataTextProps): ReactNode {
  const { text: loaded, isWhole } = useText(text);
  const json = useMemo(() => (isWhole ? parseJsonText(loaded) : null), [loaded, isWhole]);
  const [isVerbatim, setIsVerbatim] = useState(false);
  return (
    <section className={styles.block} aria-label={label}>
      <header className={styles.head}>
        <p className={styles.label}>{label}</p>
        {isLongData(text) ? <span className={styles.size}>{formatSize(text)}</span> : null}
        {note === undefined ? null : <span className={styles.note}>{note}</span>}
        <span className={styles.actions}>
          {json === null ? null : (
            <Button size="small" tone="quiet" onClick={() => setIsVerbatim(!isVerbatim)}>
              {isVerbatim ? 'As a tree' : 'Verbatim'}
            </Button>
          )}
          <CopyButton
            label={isWhole ? `Copy: ${label}` : `Copy the beginning: ${label}`}
            text={() => (isWhole ? loaded : textHead(text))}
          />
        </span>
      </header>
      {json !== null && !isVerbatim ? (
        <JsonTree value={json} label={label} />
      ) : (
        <LongText text={text} tone={tone} isProse={isProse} />
      )}
    </section>
  );
}

/** A value the record holds parsed, under the same heading as a text. */
export function DataValue({
  label,
  value,
  note,
}: {
  label: string;
  value: unknown;
  note?: ReactNode;
}): ReactNode {
  return (
    <section className={styles.block} aria-label={label}>
      <header className={styles.head}>
        <p className={styles.label}>{label}</p>
        {note === undefined ? null : <span className={styles.note}>{note}</span>}
        <span className={styles.actions}>
          <CopyButton label={`Copy: ${label}`} text={() => JSON.stringify(value, null, 2) ?? 'null'} />
        </span>
      </header>
      <JsonTree value={value} label={label} />
    </section>
  );
}
