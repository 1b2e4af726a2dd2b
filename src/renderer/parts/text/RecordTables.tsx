// The records of a result as small tables, as far as the width goes; a cell that is cut says all of it on hover.
import type { ReactNode } from 'react';
import { cx } from '../../ui/cx.ts';
import type { ResultCell, ResultPart } from './recordTables.ts';
import * as styles from './RecordTables.module.css';
import { VisibleText } from './VisibleText.tsx';

type RecordTablesProps = { parts: readonly ResultPart[]; label: string };

export const RecordTables = ({ parts, label }: RecordTablesProps): ReactNode => (
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
