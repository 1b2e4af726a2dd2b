// Two episodes side by side: their steps aligned, what differs in calls, arguments, results and outcome.
import { ArrowLeftRight, CircleHelp } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { DRIFT_RULES } from '../../../shared/drift.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import {
  CONDITION_LABELS,
  episodeProgress,
  standingOf,
  taskNameOf,
  taskWordsOf,
  recordOutcome,
} from '../../parts/episode/facts.ts';
import { TaskPlace, TaskWords } from '../../parts/episode/TaskTitle.tsx';
import { formatCount } from '../../parts/text/size.ts';
import { useEpisodeRecord, useKeys } from '../../state/hooks.ts';
import { formatRoute, navigate } from '../../state/route.ts';
import { Badge, StatusDot } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { NotFound } from '../../ui/NotFound.tsx';
import { OutcomeOrHidden } from '../../ui/OutcomeMark.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { align, type Alignment, type Difference } from './align.ts';
import * as styles from './CompareView.module.css';
import { PairList } from './PairList.tsx';

type CompareViewProps = { left: string; right: string };

export function CompareView({ left, right }: CompareViewProps): ReactNode {
  const [one, other] = [useEpisodeRecord(left), useEpisodeRecord(right)];
  const sides = [
    [left, one],
    [right, other],
  ] as const;
  const missing = sides.find(
    ([, { record, isLoaded, failure }]) =>
      record.started === null && (isLoaded || failure?.code === 'not_found'),
  );
  if (missing !== undefined)
    return (
      <NotFound
        what="episode"
        name={missing[0]}
        href={formatRoute({ view: 'library' })}
        label="Open the library"
      />
    );
  const failure = one.failure ?? other.failure;
  if (failure !== null)
    return (
      <div className={styles.instead}>
        <ErrorNote
          title="Could not read the episodes"
          failure={failure}
          action={<a href={formatRoute({ view: 'library' })}>Go to the library</a>}
        />
      </div>
    );
  if (!one.isLoaded || !other.isLoaded)
    return <Skeleton rows={12} height={24} label="Loading the episodes" />;
  return <Compared key={`${left} ${right}`} left={one.record} right={other.record} />;
}

function Compared({ left, right }: { left: EpisodeRecord; right: EpisodeRecord }): ReactNode {
  const alignment = useMemo(() => align(left, right), [left, right]);
  const [isDifferent, setIsDifferent] = useState(false);
  const swap = (): void => navigate({ view: 'compare', left: right.id, right: left.id }, { replace: true });
  useKeys('compare', {
    'compare.swap': swap,
    'compare.different': () => setIsDifferent(!isDifferent),
  });
  return (
    <section className={styles.compare} aria-label="Two episodes compared">
      <h1 className="quiet-label">Two episodes compared</h1>
      <header className={styles.heads}>
        <RecordHead record={left} side="Left" />
        <RecordHead record={right} side="Right" />
      </header>
      <div className={styles.bar}>
        <AlignmentSummary alignment={alignment} />
        <Button
          size="small"
          aria-pressed={isDifferent}
          chord="compare.different"
          onClick={() => setIsDifferent(!isDifferent)}
        >
          {isDifferent ? 'Show all steps' : 'Differences only'}
        </Button>
        <Button size="small" icon={<ArrowLeftRight />} chord="compare.swap" onClick={swap}>
          Swap
        </Button>
      </div>
      {alignment.pairs.length === 0 ? (
        <EmptyState title="No steps yet" />
      ) : (
        <PairList pairs={alignment.pairs} left={left} right={right} isDifferent={isDifferent} />
      )}
    </section>
  );
}

const COUNTED: readonly [Difference, (count: number) => string][] = [
  ['result', (count) => `${formatCount(count, 'result')} differ${count === 1 ? 's' : ''}`],
  ['arguments', (count) => `${formatCount(count, 'step')} done otherwise`],
  ['left', (count) => `${formatCount(count, 'step')} only left`],
  ['right', (count) => `${formatCount(count, 'step')} only right`],
];

/** What the alignment came to, in words. */
export function alignmentText({ pairs, common }: Alignment): string {
  const parts = COUNTED.flatMap(([difference, label]) => {
    const count = pairs.filter((pair) => pair.difference === difference).length;
    return count === 0 ? [] : [label(count)];
  });
  const begin = common === 0 ? 'No common start' : `First ${formatCount(common, 'step')} in common`;
  return [begin, ...(parts.length === 0 ? ['nothing differs'] : parts)].join(' · ');
}

function AlignmentSummary({ alignment }: { alignment: Alignment }): ReactNode {
  const rules = DRIFT_RULES.map(({ says }) => says).join('. ');
  const method = alignment.isWhole
    ? 'Aligned by their common start, then by the longest common sequence of identical calls.'
    : 'Too long to align fully: after the common start, steps are paired by position.';
  return (
    <p className={styles.summary} role="status">
      <b>{alignmentText(alignment)}</b>
      <Tooltip text={`${method} Times and UUIDs in results may differ. ${rules}.`} side="bottom">
        <button type="button" className={styles.how} aria-label="How the steps are aligned">
          <CircleHelp aria-hidden="true" />
        </button>
      </Tooltip>
    </p>
  );
}

function RecordHead({ record, side }: { record: EpisodeRecord; side: string }): ReactNode {
  const standing = standingOf(record);
  const outcome = recordOutcome(record);
  const { turns, asks, errors } = episodeProgress(record);
  const condition = record.started?.condition ?? null;
  return (
    <section className={styles.head} aria-label={side}>
      <h2>
        <a href={formatRoute({ view: 'replay', episode: record.id, n: null })}>
          <TaskWords text={taskWordsOf(record)} />
        </a>
      </h2>
      <TaskPlace place={taskNameOf(record)} episode={record.id} />
      <p className={styles.facts}>
        <StatusDot tone={standing.tone} label={standing.label} />
        <OutcomeOrHidden outcome={outcome} />
        {condition === null ? null : <Badge>{CONDITION_LABELS[condition]}</Badge>}
        <span>{`${formatCount(turns, 'turn')}, ${formatCount(asks, 'ask')}, ${formatCount(errors, 'error')}`}</span>
      </p>
      <code className={styles.id}>{record.id}</code>
    </section>
  );
}
