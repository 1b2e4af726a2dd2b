// A text that may be JSON: a tree when it is, with the verbatim text one press away.
import { type ReactNode, useMemo, useState } from 'react';
import { isBlobRef, type Text, textHead } from '../../../shared/events/text.ts';
import { isNumber, isRecord } from '../../../shared/json.ts';
import { centsLabel, valueLabel } from '../../../shared/sentences/valueLabel.ts';
import { phraseOf, wordsOf } from '../../../shared/sentences/words.ts';
import { useText } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { cx } from '../../ui/cx.ts';
import * as styles from './DataText.module.css';
import { JsonTree } from './JsonTree.tsx';
import { parseJsonText } from './jsonTree.ts';
import { LongText } from './LongText.tsx';
import { formatSize } from './size.ts';
import { VisibleText } from './VisibleText.tsx';

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

type RecordTablesProps = { parts: readonly ResultPart[]; label: string };

/**
 * The records of a result as small tables, as far as the width goes; a cell that is cut says all of it on hover.
 */
const RecordTables = ({ parts, label }: RecordTablesProps): ReactNode => (
  <div className="stack-2 small">
    {parts.map((part) => (
      <div key={part.label ?? ''} className="shrinks">
        {part.label === null ? null : <p className={styles.label}>{part.label}</p>}
        {part.type === 'facts' ? (
          <dl className={styles.facts}>
            {part.facts.map((fact) => (
              <div key={fact.label}>
                <dt>{fact.label}</dt>
                <dd>
                  <VisibleText text={fact.cell.text} />
                </dd>
              </div>
            ))}
          </dl>
        ) : (
          <div className={styles.scroll} tabIndex={0} role="group" aria-label={part.label ?? label}>
            <table>
              <thead>
                <tr>
                  {part.columns.map((column) => (
                    <th key={column} scope="col">
                      {column}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {part.rows.map((row, at) => (
                  // Rows and cells have no other name than their place.
                  // oxlint-disable-next-line react/no-array-index-key
                  <tr key={at}>
                    {row.map((cell, column) => (
                      // oxlint-disable-next-line react/no-array-index-key
                      <Cell key={column} cell={cell} />
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        {part.type === 'table' && part.more > 0 ? (
          <p className="quiet">{`${String(part.more)} more, in the tree.`}</p>
        ) : null}
      </div>
    ))}
  </div>
);

const Cell = ({ cell: { text, isNumber } }: { cell: ResultCell }): ReactNode => (
  <td className={cx(isNumber && styles.number)} title={text.length > CUT_FROM ? text : undefined}>
    <div className={styles.cell}>
      <VisibleText text={text} />
    </div>
  </td>
);

/** A cell of this many letters may be cut. */
const CUT_FROM = 24;

type ResultCell = { text: string; isNumber: boolean };
type ResultPart = {
  /** What holds it in the result, in words; null for the result itself. */
  label: string | null;
} & (
  | { type: 'facts'; facts: { label: string; cell: ResultCell }[] }
  | { type: 'table'; columns: string[]; rows: ResultCell[][]; more: number }
);

/** More than these are read in the tree. */
export const ROWS_MAX = 50;

/** The parts of a result in their order; null for what has no records in it. */
export function recordTables(value: unknown): ResultPart[] | null {
  if (isRows(value)) return value.length === 0 ? null : [tableOf(null, value)];
  if (!isRecord(value) || Object.keys(value).length === 0) return null;
  const members = Object.entries(value);
  const own = members.filter(([, member]) => !isRecord(member) && !(isRows(member) && member.length > 0));
  const parts = members.flatMap(([name, member]): ResultPart[] => {
    if (isRows(member) && member.length > 0) return [tableOf(labelOf(name), member)];
    return isRecord(member) ? [factsOf(labelOf(name), Object.entries(member))] : [];
  });
  return [...(own.length === 0 ? [] : [factsOf(null, own)]), ...parts];
}

type Row = Readonly<Record<string, unknown>>;
const isRows = (value: unknown): value is readonly Row[] => Array.isArray(value) && value.every(isRecord);

const factsOf = (label: string | null, members: readonly [string, unknown][]): ResultPart => ({
  type: 'facts',
  label,
  facts: members.map(([name, value]) => ({ label: labelOf(name), cell: cellOf(name, value) })),
});

/** Every field of the records; those that tell them apart come first, since a wide table is cut at its end. */
function columnsOf(rows: readonly Row[]): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const isTelling = (name: string): boolean =>
    rows.length === 1 || new Set(rows.map((row) => textOf(name, row[name]))).size > 1;
  return [...names.filter(isTelling), ...names.filter((name) => !isTelling(name))];
}

function tableOf(label: string | null, rows: readonly Row[]): ResultPart {
  const names = columnsOf(rows);
  return {
    type: 'table',
    label,
    columns: names.map(labelOf),
    rows: rows.slice(0, ROWS_MAX).map((row) => names.map((name) => cellOf(name, row[name]))),
    more: Math.max(0, rows.length - ROWS_MAX),
  };
}

const labelOf = (name: string): string => phraseOf(wordsOf(name)) || name;

/** A text stays whole: what does not fit is cut where it is drawn. */
const cellOf = (name: string, value: unknown): ResultCell => ({
  text: textOf(name, value),
  isNumber: isNumber(value),
});

function textOf(name: string, value: unknown): string {
  if (value === undefined || value === null) return '–';
  const amount = centsLabel(name, value);
  if (amount !== null) return `${valueLabel(value)} (${amount})`;
  return typeof value === 'string' ? value : valueLabel(value);
}
