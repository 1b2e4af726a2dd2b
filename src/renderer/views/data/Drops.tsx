// What a check left out, by rule, in words, each with the way to the rule.
import type { ReactNode } from 'react';
import type { ExportReport } from '../../../shared/contract/export.ts';
import { dropWords, sortedDrops } from '../../../shared/export/dropWords.ts';
import { Button } from '../../ui/Button.tsx';
import * as styles from './CheckPane.module.css';
import { loosening, type RuleName } from './rulesModel.ts';
import type { ExportForm } from './useForm.ts';

type DropsProps = {
  report: ExportReport;
  form: ExportForm;
  onRule: (name: RuleName) => void;
};

export function Drops({ report, form, onRule }: DropsProps): ReactNode {
  const drops = sortedDrops(report.dropped);
  if (drops.length === 0)
    return report.rows === 0 ? null : <p className={styles.quiet}>Nothing is left out.</p>;
  const total = drops.reduce((sum, [, count]) => sum + count, 0);
  return (
    <section aria-label="Left out">
      <table className={styles.drops}>
        <caption>{`Left out: ${total.toLocaleString()}`}</caption>
        <tbody>
          {drops.map(([name, count]) => {
            const { words, rule } = dropWords(name);
            const looser = loosening(name, form.rules);
            return (
              <tr key={name}>
                <td className={styles.number}>{count.toLocaleString()}</td>
                <th scope="row">
                  {words} <code className={styles.quiet}>{name}</code>
                </th>
                <td className={styles.dropActs}>
                  {rule === null ? null : (
                    <Button size="small" tone="quiet" onClick={() => onRule(rule)}>
                      Rule
                    </Button>
                  )}
                  {looser === null ? null : (
                    <Button size="small" tone="quiet" onClick={() => form.onRules(looser.rules)}>
                      {looser.label}
                    </Button>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
