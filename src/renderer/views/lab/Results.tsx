// What a change of the rewards does, the verifier's word first: everything under it is diagnostic.
import { Archive, Download } from 'lucide-react';
import type { ReactNode } from 'react';
import type { LabReport, ProfileRow } from '../../../shared/contract/rewards.ts';
import type { Inputs, Outputs } from '../../../shared/contract/contract.ts';
import { Measure } from '../../../shared/rewards/breakdown.ts';
import { formatCount } from '../../parts/text/size.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { cx } from '../../ui/cx.ts';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import { Segments } from '../../ui/Segments.tsx';
import { BeforeAfter } from './BeforeAfter.tsx';
import { Flips, Suspects } from './Findings.tsx';
import * as styles from './Lab.module.css';
import { LabTable } from './LabTable.tsx';
import {
  calibrationTable,
  correlationTable,
  markdownOf,
  pairNotes,
  pairTable,
  sectionTable,
} from './labTables.ts';
import { changeText, csvOf, intervalText, MEASURES, type SettingsNames } from './labText.ts';
import { marksOf, stripTitle } from './rewardMarks.ts';
import { RewardStrip } from './RewardStrip.tsx';

type LeftOut = Extract<Outputs['rewards.score'], { state: 'done' }>['left_out'];

export type ResultsProps = {
  request: Inputs['rewards.score'];
  report: LabReport;
  leftOut: LeftOut;
  names: SettingsNames;
  /** The profile the numbers on screen are those of; null while they are nobody's. */
  profile: ProfileRow | null;
  onMeasure: (measure: Measure) => void;
  /** The numbers on screen are not those of the report. */
  isStale: boolean;
};

const MEASURE_OPTIONS = Measure.options.map((value) => ({ value, label: MEASURES[value] }));

export function Results(props: ResultsProps): ReactNode {
  const { request, report, leftOut, names, profile, onMeasure, isStale } = props;
  const { set, measure } = request;
  const calibration = calibrationTable(report);
  const marks = marksOf(report);
  const isChanged = report.change.raised + report.change.lowered > 0;
  return (
    <div className={cx(styles.results, isStale && styles.isStale)} aria-busy={isStale}>
      <Headline report={report} leftOut={leftOut} />
      <div className={styles.acts}>
        <Segments label="Which reward" options={MEASURE_OPTIONS} value={measure} onChoose={onMeasure} />
        <span className={styles.quiet} title="It does not measure how good the agent is.">
          Diagnostic: a training signal
        </span>
      </div>
      <RewardStrip
        title={stripTitle(marks)}
        axis={`${MEASURES[measure]} reward by ${names.after}`}
        marks={marks}
      />
      {isChanged ? (
        <BeforeAfter report={report} names={names} />
      ) : (
        <p className={styles.quiet}>{`${changeText(report)}.`}</p>
      )}
      <ResultSection
        title="Order changes"
        lead="Trainers that compare rollouts of one task learn from their order."
      >
        <LabTable {...pairTable(report)} />
        <ul className={styles.notes}>
          {pairNotes(report).map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
        <Flips report={report} />
      </ResultSection>
      <ResultSection
        title="Reward without completion"
        lead="Where an exploit of the new settings would show first."
      >
        <Suspects report={report} />
      </ResultSection>
      <div className={styles.acts}>
        <SaveTable request={request} names={names} />
        <CopyButton text={() => markdownOf(report, names)} label="Copy as Markdown" hasLabel />
        {profile === null ? (
          <span className={styles.quiet}>Save the settings as a profile to store scores.</span>
        ) : (
          <StoreScores set={set} profile={profile} count={report.episodes} />
        )}
      </div>
      <ResultSection isFolded title="By condition and pattern">
        <LabTable {...sectionTable(report)} groupOf={({ of }) => of} />
      </ResultSection>
      {calibration === null ? null : (
        <ResultSection isFolded title="Confidence against the verifier">
          <LabTable {...calibration} />
        </ResultSection>
      )}
      <ResultSection isFolded title="Correlation with success">
        <LabTable {...correlationTable(report)} />
      </ResultSection>
    </div>
  );
}

function Headline({ report, leftOut }: Pick<ResultsProps, 'report' | 'leftOut'>): ReactNode {
  const { complete, verified } = report.completion;
  const share = intervalText(report);
  const unverified = report.episodes - verified;
  return (
    <section aria-label="Verifier completion">
      <p className={styles.completion}>
        <strong>
          {complete.toLocaleString()} of {verified.toLocaleString()}
        </strong>{' '}
        complete by the verifier
        <span className={styles.aside}>
          {share === null ? 'None of these episodes were verified.' : `${share}. Settings do not affect it.`}
          {unverified === 0 ? '' : ` ${unverified.toLocaleString()} without a verdict.`}
          {leftOutText(leftOut)}
        </span>
      </p>
    </section>
  );
}

/** What is not counted because nobody played it for its own sake. */
const leftOutText = ({ continuations, probes }: LeftOut): string => {
  const parts = [
    ...(continuations > 0 ? [formatCount(continuations, 'lift continuation')] : []),
    ...(probes > 0 ? [formatCount(probes, 'split probe')] : []),
  ];
  return parts.length === 0 ? '' : ` Left out: ${parts.join(', ')}; narrow to their run to score them.`;
};

type SectionProps = { title: string; lead?: string; isFolded?: boolean; children: ReactNode };

const ResultSection = ({ title, lead, isFolded = false, children }: SectionProps): ReactNode =>
  isFolded ? (
    <details className={styles.more}>
      <summary>{title}</summary>
      {children}
    </details>
  ) : (
    <section className={styles.section} aria-label={title}>
      <h2 className={styles.sectionTitle}>{title}</h2>
      {lead === undefined ? null : <p className={styles.quiet}>{lead}</p>}
      {children}
    </section>
  );

const SCORES_PER_PAGE = 500;

function SaveTable({ request, names }: Pick<ResultsProps, 'request' | 'names'>): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  const save = useAct(async () => {
    const rows: Outputs['rewards.rows']['rows'] = [];
    for (;;) {
      const page = { offset: rows.length, limit: SCORES_PER_PAGE, order: 'gain' as const };
      const found = await call('rewards.rows', { ...request, ...page });
      rows.push(...found.rows);
      if (found.rows.length === 0 || rows.length >= found.total) break;
    }
    saveFile('rewards.csv', new Blob([csvOf(rows, names)], { type: 'text/csv' }));
    toast({ tone: 'ok', title: `Saved ${formatCount(rows.length, 'line')}` });
  }, 'Could not save the table');
  return (
    <Button size="small" icon={<Download />} isBusy={save.isBusy} onClick={() => void save.run()}>
      Save as CSV
    </Button>
  );
}

type StoreProps = { set: string; profile: ProfileRow; count: number };

function StoreScores({ set, profile: { name, version }, count }: StoreProps): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  const { value, again } = useAsk('rewards.kept', {});
  const kept = value?.kept.find((one) => one.profile === name && one.version === version);
  const keep = useAct(async () => {
    const stored = await call('rewards.keep', { set, profile: name });
    again();
    const known = stored.known === 0 ? '' : `, ${stored.known.toLocaleString()} were there`;
    toast({ tone: 'ok', title: `Stored ${formatCount(stored.kept, 'score')} by ${name}${known}` });
  }, 'Could not store the scores');
  return (
    <>
      <Button size="small" icon={<Archive />} isBusy={keep.isBusy} onClick={() => void keep.run()}>
        {`Store ${formatCount(count, 'score')} by ${name}`}
      </Button>
      {kept === undefined ? null : (
        <span className={styles.quiet}>
          {kept.episodes.toLocaleString()} stored, <RelativeTime at={kept.at} isSpoken />
        </span>
      )}
    </>
  );
}
