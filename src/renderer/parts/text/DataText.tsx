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
import { RecordTables } from './RecordTables.tsx';
import { recordTables } from './recordTables.ts';
import { formatSize } from './size.ts';

/** The size of a short text is seen. */
const isLongData = (text: Text): boolean => isBlobRef(text) || text.length > 300;

type DataTextProps = {
  label: string;
  text: Text;
  tone?: 'plain' | 'error';
  isProse?: boolean;
  /** Records are shown as tables first, the tree one press away. */
  hasTables?: boolean;
  /** A remark beside the label: how long it took, what became of it. */
  note?: ReactNode;
};

type DataForm = 'tables' | 'tree' | 'verbatim';

/** A labelled text with its size, to copy whole. */
export function DataText({
  label,
  text,
  tone = 'plain',
  isProse = false,
  hasTables = false,
  note,
}: DataTextProps): ReactNode {
  const { text: loaded, isWhole } = useText(text);
  const json = useMemo(() => (isWhole ? parseJsonText(loaded) : null), [loaded, isWhole]);
  const tables = useMemo(() => (hasTables && json !== null ? recordTables(json) : null), [hasTables, json]);
  const [chosen, setChosen] = useState<DataForm | null>(null);
  const form = chosen ?? (tables === null ? 'tree' : 'tables');
  return (
    <section className="shrinks" aria-label={label}>
      <header className={styles.head}>
        <p className="soft tiny bold">{label}</p>
        {isLongData(text) ? <span className={styles.size}>{formatSize(text)}</span> : null}
        {note === undefined ? null : <span className="quiet tiny">{note}</span>}
        <span className={styles.actions}>
          {json === null ? null : (
            <>
              {tables === null ? null : (
                <Button
                  size="small"
                  tone="quiet"
                  onClick={() => setChosen(form === 'tables' ? 'tree' : 'tables')}
                >
                  {form === 'tables' ? 'As a tree' : 'As a table'}
                </Button>
              )}
              {form === 'tables' ? null : (
                <Button
                  size="small"
                  tone="quiet"
                  onClick={() => setChosen(form === 'tree' ? 'verbatim' : 'tree')}
                >
                  {form === 'verbatim' ? 'As a tree' : 'Verbatim'}
                </Button>
              )}
            </>
          )}
          <CopyButton
            label={isWhole ? `Copy: ${label}` : `Copy the beginning: ${label}`}
            text={() => (isWhole ? loaded : textHead(text))}
          />
        </span>
      </header>
      {tables !== null && form === 'tables' ? (
        <RecordTables parts={tables} label={label} />
      ) : json !== null && form !== 'verbatim' ? (
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
    <section className="shrinks" aria-label={label}>
      <header className={styles.head}>
        <p className="soft tiny bold">{label}</p>
        {note === undefined ? null : <span className="quiet tiny">{note}</span>}
        <span className={styles.actions}>
          <CopyButton label={`Copy: ${label}`} text={() => JSON.stringify(value, null, 2) ?? 'null'} />
        </span>
      </header>
      <JsonTree value={value} label={label} />
    </section>
  );
}
