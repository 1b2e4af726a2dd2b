// How much there would be: rows, splits, episodes, tokens, classes.
import type { ReactNode } from 'react';
import type { ExportReport, ExportRules } from '../../../shared/contract/export.ts';
import * as styles from './CheckPane.module.css';

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export function Counts({ report, rules }: { report: ExportReport; rules: ExportRules }): ReactNode {
  const { rows, splits, episodes, tokens } = report;
  return (
    <section aria-label="Counts">
      <dl className={styles.counts}>
        <CountFact name={rows === 1 ? 'row' : 'rows'} isMain>
          {rows.toLocaleString()}
        </CountFact>
        {rules.validation === null ? null : (
          <CountFact name="train / validation">
            {`${splits.train.toLocaleString()} / ${splits.validation.toLocaleString()}`}
          </CountFact>
        )}
        <CountFact name={`of ${episodes.read.toLocaleString()} episodes`}>
          {episodes.kept.toLocaleString()}
        </CountFact>
        <CountFact
          name="tokens, estimated"
          title="Estimated from the number of characters. Your tokenizer will differ."
        >
          {`~${compact.format(tokens.total)}`}
        </CountFact>
        <CountFact name="tokens a row: median / 95 % / most">
          {[tokens.median, tokens.p95, tokens.max].map((count) => compact.format(count)).join(' / ')}
        </CountFact>
      </dl>
      <Classes classes={report.classes} />
    </section>
  );
}

function CountFact({
  name,
  title,
  isMain = false,
  children,
}: {
  name: string;
  title?: string;
  isMain?: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <div className={isMain ? styles.main : undefined} title={title}>
      <dd>{children}</dd>
      <dt>{name}</dt>
    </div>
  );
}

/** A class a row, each with its number: the bar only says it again. */
function Classes({ classes }: Pick<ExportReport, 'classes'>): ReactNode {
  const counted = Object.entries(classes).toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const total = counted.reduce((sum, [, count]) => sum + count, 0);
  if (counted.length === 0 || total === 0) return null;
  return (
    <table className={styles.classes}>
      <caption>Classes</caption>
      <tbody>
        {counted.map(([name, count]) => (
          <tr key={name}>
            <th scope="row">{name.replaceAll('_', ' ')}</th>
            <td className={styles.number}>{count.toLocaleString()}</td>
            <td className={styles.number}>{`${((100 * count) / total).toFixed(0)} %`}</td>
            <td className={styles.barCell} aria-hidden="true">
              <span className={styles.bar} style={{ width: `${String((100 * count) / total)}%` }} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
