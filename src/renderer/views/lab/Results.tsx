// What a change of the rewards does, the verifier's word first: everything under it is diagnostic.
import type { ReactNode } from 'react';
import type { LabReport, ProfileRow } from '../../../shared/contract/rewards.ts';
import type { Measure } from '../../../shared/rewards/breakdown.ts';
import { cx } from '../../ui/cx.ts';
import { Badge } from '../../ui/Badge.tsx';
import { BeforeAfter } from './BeforeAfter.tsx';
import { Flips, Suspects } from './Findings.tsx';
import * as styles from './Lab.module.css';
import { LabActs } from './LabActs.tsx';
import { MEASURES, percent } from './labText.ts';
import { Correlations, Pairs, Sections } from './Tables.tsx';
import type { LabRequest } from './useLab.ts';

type ResultsProps = {
  set: string;
  asked: LabRequest;
  report: LabReport;
  names: { before: string; after: string };
  profile: ProfileRow | null;
  onMeasure: (measure: Measure) => void;
  /** The numbers on screen are not those of the report. */
  isStale: boolean;
};

export function Results({ report, names, onMeasure, isStale, ...acts }: ResultsProps): ReactNode {
  return (
    <div className={cx(styles.results, isStale && styles.isStale)} aria-busy={isStale}>
      <Headline report={report} />
      <div className={styles.measures}>
        <div className={styles.modes} role="group" aria-label="Which reward">
          {(['shaped', 'rubric'] as const).map((measure) => (
            <button
              key={measure}
              type="button"
              className={cx(styles.mode, report.measure === measure && styles.isOn)}
              aria-pressed={report.measure === measure}
              onClick={() => onMeasure(measure)}
            >
              {MEASURES[measure]}
            </button>
          ))}
        </div>
        <Badge tone="waiting">diagnostic</Badge>
        <span className={styles.quiet}>A training signal. It does not measure how good the agent is.</span>
      </div>
      <BeforeAfter report={report} names={names} />
      <LabActs report={report} names={names} {...acts} />
      <ResultSection
        title="Reward without completion"
        lead="Where an exploit of the new settings would show first."
      >
        <Suspects report={report} />
      </ResultSection>
      <ResultSection
        title="Order changes"
        lead="Trainers that compare rollouts of one task learn from their order."
      >
        <Pairs report={report} />
        <Flips report={report} />
      </ResultSection>
      <ResultSection title="By condition and pattern">
        <Sections report={report} />
      </ResultSection>
      <ResultSection title="Correlation with success">
        <Correlations report={report} />
      </ResultSection>
    </div>
  );
}

function Headline({ report: { completion, episodes } }: { report: LabReport }): ReactNode {
  const { complete, verified, low, high } = completion;
  const unverified = episodes - verified;
  return (
    <section aria-label="Verifier completion">
      <p className={styles.completion}>
        <strong>
          {complete.toLocaleString()} of {verified.toLocaleString()}
        </strong>{' '}
        complete by the verifier
      </p>
      <p className={styles.quiet}>
        {low === null || high === null
          ? 'None of these episodes were verified.'
          : `${percent(complete / verified)}, 95 % interval ${percent(low)} to ${percent(high)} (Wilson). Settings do not affect it.`}
        {unverified === 0 ? '' : ` ${unverified.toLocaleString()} without a verdict.`}
      </p>
    </section>
  );
}

const ResultSection = ({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: string;
  children: ReactNode;
}): ReactNode => (
  <section className={styles.section} aria-label={title}>
    <h2 className={styles.groupTitle}>{title}</h2>
    {lead === undefined ? null : <p className={styles.quiet}>{lead}</p>}
    {children}
  </section>
);
