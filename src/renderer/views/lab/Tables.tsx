// The report's numbers in tables: means by condition and pattern, correlations with success, pairs in order.
import type { ReactNode } from 'react';
import type { LabReport, Section } from '../../../shared/contract/rewards.ts';
import { cx } from '../../ui/cx.ts';
import * as styles from './Lab.module.css';
import { fixedText, gainText, sectionName } from './labText.ts';

const spread = ({ mean, sd }: Section['before']): string =>
  `${fixedText(mean)}${sd === null ? '' : ` ± ${fixedText(sd)}`}`;

export function Sections({ report }: { report: LabReport }): ReactNode {
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <caption>
          Mean and standard deviation, by who could advise and how completed tasks were helped
        </caption>
        <thead>
          <tr>
            <th scope="col">Episodes</th>
            <th scope="col">n</th>
            <th scope="col">Complete</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
            <th scope="col">Change of the mean</th>
          </tr>
        </thead>
        <tbody>
          {report.sections.map((section, index) => (
            <tr
              key={`${section.of} ${section.name}`}
              className={cx(report.sections[index - 1]?.of !== section.of && styles.first)}
            >
              <th scope="row">{sectionName(section)}</th>
              <td>{section.episodes}</td>
              <td>{section.complete}</td>
              <td>{spread(section.before)}</td>
              <td>{spread(section.after)}</td>
              <td>{gainText(section.after.mean - section.before.mean)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const COMPONENT_WORDS: Readonly<Record<string, string>> = {
  shaped: 'Shaped, in all',
  rubric: 'Rubric, in all',
  primary: 'Primary objective',
  process: 'Process quality',
  format: 'Format compliance',
  efficiency: 'Efficiency',
};

export function Correlations({ report }: { report: LabReport }): ReactNode {
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <caption>
          With the verifier’s “complete”, over {report.completion.verified.toLocaleString()} verified
          episodes. A dash means that one side does not vary.
        </caption>
        <thead>
          <tr>
            <th scope="col">Reward</th>
            <th scope="col">Point-biserial before</th>
            <th scope="col">after</th>
            <th scope="col">Spearman before</th>
            <th scope="col">after</th>
          </tr>
        </thead>
        <tbody>
          {report.correlations.map(({ of, before, after }) => (
            <tr key={of}>
              <th scope="row">{COMPONENT_WORDS[of] ?? of}</th>
              <td>{fixedText(before.point_biserial)}</td>
              <td>{fixedText(after.point_biserial)}</td>
              <td>{fixedText(before.spearman)}</td>
              <td>{fixedText(after.spearman)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function Pairs({ report }: { report: LabReport }): ReactNode {
  const { overall, tasks, groups, inversions } = report;
  const rows = [
    { name: 'All episodes', counts: overall },
    { name: `Of one task (${tasks.tasks.toLocaleString()} tasks)`, counts: tasks.counts },
    { name: `Of one group (${groups.groups.toLocaleString()} groups)`, counts: groups.counts },
  ];
  return (
    <>
      <div className={styles.scroll}>
        <table className={styles.table}>
          <caption>Pairs of episodes, by what becomes of their order</caption>
          <thead>
            <tr>
              <th scope="col">Pairs</th>
              <th scope="col">In all</th>
              <th scope="col">Same order</th>
              <th scope="col">Swapped</th>
              <th scope="col">Tied now</th>
              <th scope="col">No longer tied</th>
              <th scope="col">Kendall’s tau-b</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, counts }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{counts.pairs.toLocaleString()}</td>
                <td>{counts.kept.toLocaleString()}</td>
                <td>{counts.flipped.toLocaleString()}</td>
                <td>{counts.tied.toLocaleString()}</td>
                <td>{counts.untied.toLocaleString()}</td>
                <td>{fixedText(counts.tau)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul className={styles.notes}>
        <li>
          {groups.rollouts === 0
            ? 'No episode belongs to a group of rollouts.'
            : `${groups.sign_changes.toLocaleString()} of ${groups.rollouts.toLocaleString()} rollouts cross their group’s mean${groups.sign_changes === 0 ? '.' : ': a trainer would discourage what it reinforced before, or the reverse.'}`}
        </li>
        {groups.flat_before + groups.flat_after === 0 ? null : (
          <li>
            Groups with equal rewards, which teach nothing: {groups.flat_before} before, {groups.flat_after}{' '}
            after.
          </li>
        )}
        <li>
          {inversions.pairs === 0
            ? 'No task has both completed and uncompleted episodes.'
            : `Pairs of one task in which the incomplete episode scores the same or more: ${inversions.before.toLocaleString()} before, ${inversions.after.toLocaleString()} after, of ${inversions.pairs.toLocaleString()}.`}
        </li>
      </ul>
    </>
  );
}
