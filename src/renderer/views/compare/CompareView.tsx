// Two episodes side by side: their steps aligned, what differs in calls, arguments, results and outcome.
import { ArrowLeftRight, CircleHelp } from 'lucide-react';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { DRIFT_RULES } from '../../../shared/drift.ts';
import type { EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import { isBlobRef, textHead, type Text } from '../../../shared/events/text.ts';
import { rowsOf } from '../../../shared/timeline/rows.ts';
import { outcomeWords, type TimelineRow } from '../../../shared/timeline/timelineRow.ts';
import {
  CONDITION_LABELS,
  episodeProgress,
  recordOutcome,
  standingOf,
  taskNameOf,
  taskWordsOf,
} from '../../parts/episode/facts.ts';
import { TaskPlace, TaskWords } from '../../parts/episode/TaskTitle.tsx';
import { InlineSentence } from '../../parts/plan/StepSentence.tsx';
import { DataText } from '../../parts/text/DataText.tsx';
import { DiffText } from '../../parts/text/DiffText.tsx';
import { formatCount } from '../../parts/text/size.ts';
import { VisibleText } from '../../parts/text/VisibleText.tsx';
import { useEpisodeRecord, useKeys, useText } from '../../state/hooks.ts';
import { episodeRoute, formatRoute, navigate } from '../../state/route.ts';
import { Badge, StatusDot, type Tone } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { cx, variantClass } from '../../ui/cx.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { NotFound } from '../../ui/NotFound.tsx';
import { OutcomeOrHidden } from '../../ui/OutcomeMark.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { VirtualList, type VirtualListHandle } from '../../ui/VirtualList.tsx';
import { align, type Alignment, type Difference, type TurnPair } from './align.ts';
import * as styles from './CompareView.module.css';

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
        href={formatRoute({ view: 'episodes' })}
        label="Open the episodes"
      />
    );
  const failure = one.failure ?? other.failure;
  if (failure !== null)
    return (
      <div className={styles.instead}>
        <ErrorNote
          title="Could not read the episodes"
          failure={failure}
          action={<a href={formatRoute({ view: 'episodes' })}>Go to the episodes</a>}
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
  useKeys({
    view: swap,
    differences: () => setIsDifferent(!isDifferent),
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
          chord="differences"
          onClick={() => setIsDifferent(!isDifferent)}
        >
          {isDifferent ? 'Show all steps' : 'Differences only'}
        </Button>
        <Button size="small" icon={<ArrowLeftRight />} chord="view" onClick={swap}>
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

/** The result of the alignment, in words. */
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
        <a href={formatRoute(episodeRoute(record.id))}>
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

const DIFFERENCE_LABELS: Readonly<Record<Difference, { label: string; tone: Tone }>> = {
  same: { label: 'same', tone: 'plain' },
  result: { label: 'result differs', tone: 'error' },
  arguments: { label: 'done differently', tone: 'waiting' },
  left: { label: 'only left', tone: 'accent' },
  right: { label: 'only right', tone: 'accent' },
};

type PairListProps = {
  pairs: readonly TurnPair[];
  left: EpisodeRecord;
  right: EpisodeRecord;
  isDifferent: boolean;
};

/** The line of each turn in the timeline of one side, by its place in the log. */
type TurnLines = ReadonlyMap<number, TimelineRow>;

const linesOf = (record: EpisodeRecord): TurnLines =>
  new Map(rowsOf(record).flatMap((row) => (row.subject.type === 'turn' ? [[row.subject.turn.n, row]] : [])));

export function PairList({ pairs, left, right, isDifferent }: PairListProps): ReactNode {
  const shown = useMemo(
    () => (isDifferent ? pairs.filter(({ difference }) => difference !== 'same') : pairs),
    [pairs, isDifferent],
  );
  const leftLines = useMemo(() => linesOf(left), [left]);
  const rightLines = useMemo(() => linesOf(right), [right]);
  const list = useRef<VirtualListHandle>(null);
  const [active, setActive] = useState(0);
  const [open, setOpen] = useState<ReadonlySet<TurnPair>>(new Set());
  const at = Math.min(active, shown.length - 1);
  const go = (index: number): void => setActive(Math.max(0, Math.min(shown.length - 1, index)));
  const toggle = (index: number): void => {
    const pair = shown[index];
    if (pair === undefined) return;
    setActive(index);
    const next = new Set(open);
    if (!next.delete(pair)) next.add(pair);
    setOpen(next);
  };
  const nextDifferent = (): void => {
    const next = shown.findIndex(({ difference }, index) => index > at && difference !== 'same');
    go(next === -1 ? shown.findIndex(({ difference }) => difference !== 'same') : next);
  };
  useKeys({
    down: () => go(at + 1),
    up: () => go(at - 1),
    first: () => go(0),
    last: () => go(shown.length - 1),
    open: () => toggle(at),
  });
  useKeys({ next: nextDifferent });
  return (
    <VirtualList
      ref={list}
      label="Steps side by side"
      role="grid"
      count={shown.length}
      rowHeight={40}
      isMeasured
      rowKey={(index) => `${String(shown[index]?.left?.n ?? '')}-${String(shown[index]?.right?.n ?? '')}`}
      renderRow={(index) => {
        const pair = shown[index];
        return pair === undefined ? null : (
          <PairRow
            pair={pair}
            left={left}
            right={right}
            leftLines={leftLines}
            rightLines={rightLines}
            isOpen={open.has(pair)}
            isActive={index === at}
            onToggle={() => toggle(index)}
          />
        );
      }}
      activeIndex={at}
      onActivate={go}
    />
  );
}

type PairRowProps = {
  pair: TurnPair;
  left: EpisodeRecord;
  right: EpisodeRecord;
  leftLines: TurnLines;
  rightLines: TurnLines;
  isOpen: boolean;
  isActive: boolean;
  onToggle: () => void;
};

function PairRow(props: PairRowProps): ReactNode {
  const { pair, left, right, leftLines, rightLines, isOpen, isActive, onToggle } = props;
  const { label, tone } = DIFFERENCE_LABELS[pair.difference];
  return (
    <div
      role="gridcell"
      className={cx(styles.pair, variantClass(styles, pair.difference), isActive && styles.isActive)}
    >
      <button type="button" className={styles.line} aria-expanded={isOpen} tabIndex={-1} onClick={onToggle}>
        <PairStep turn={pair.left} lines={leftLines} />
        <Badge tone={tone}>{label}</Badge>
        <PairStep turn={pair.right} lines={rightLines} />
      </button>
      {isOpen ? <PairDetails pair={pair} left={left} right={right} /> : null}
    </div>
  );
}

function PairStep({ turn, lines }: { turn: Turn | null; lines: TurnLines }): ReactNode {
  if (turn === null) return <span className="quiet">–</span>;
  const row = lines.get(turn.n);
  return (
    <span className={styles.step}>
      <span className={styles.turn}>{turn.turn}</span>
      {row?.sentence === undefined ? (
        <>
          <b>{row?.name ?? 'Reply'}</b>
          <span className={styles.detail}>
            <VisibleText text={row?.detail ?? ''} />
          </span>
        </>
      ) : (
        <span className={styles.sentence}>
          <InlineSentence sentence={row.sentence} />
        </span>
      )}
      {row?.outcome?.tone === 'error' ? <Badge tone="error">{outcomeWords(row.outcome)}</Badge> : null}
    </span>
  );
}

/** The tool by its own name, and its arguments as they were. */
function callText({ call, move }: Turn): string {
  const wanted =
    call?.sent ??
    (move?.type === 'call_tool' ? { toolName: move.tool_name, arguments: move.arguments } : null);
  return wanted === null ? '' : `${wanted.toolName} ${JSON.stringify(wanted.arguments, null, 2)}`;
}
const resultText = ({ call }: Turn): Text =>
  call?.returned?.error ?? call?.returned?.text ?? call?.refused?.text ?? '';

function PairDetails({
  pair: { left, right },
  ...records
}: Pick<PairRowProps, 'pair' | 'left' | 'right'>): ReactNode {
  return (
    <div className={styles.details}>
      {left !== null && right !== null ? (
        <>
          <Both label="The call as it is" left={callText(left)} right={callText(right)} />
          <Both label="Result" left={resultText(left)} right={resultText(right)} />
          <Both label="Reply" left={left.content} right={right.content} />
        </>
      ) : (
        <Alone turn={left ?? right} />
      )}
      <p className={styles.links}>
        {left === null ? null : (
          <a href={formatRoute(episodeRoute(records.left.id, left.n))}>Left in replay</a>
        )}
        {right === null ? null : (
          <a href={formatRoute(episodeRoute(records.right.id, right.n))}>Right in replay</a>
        )}
      </p>
    </div>
  );
}

/** One text where both are the same, else what was taken away and what was added, left to right. */
function Both({ label, left, right }: { label: string; left: Text; right: Text }): ReactNode {
  const [one, other] = [useText(left), useText(right)];
  const [before, after] = [one.text, other.text];
  if (before === '' && after === '') return null;
  const isWhole = one.isWhole && other.isWhole;
  if (isWhole ? before === after : isSameText(left, right))
    return <DataText label={`${label}, the same in both`} text={left} hasTables />;
  return (
    <section aria-label={label}>
      <p className={styles.label}>
        {`${label}, left to right${isWhole ? '' : ': the first part of both; see each replay for the rest'}`}
      </p>
      <DiffText label={`${label}: left to right`} before={before} after={after} />
    </section>
  );
}

const isSameText = (left: Text, right: Text): boolean =>
  isBlobRef(left) && isBlobRef(right) ? left.$blob === right.$blob : left === right;

function Alone({ turn }: { turn: Turn | null }): ReactNode {
  if (turn === null) return null;
  return (
    <>
      {callText(turn) === '' ? null : <DataText label="The call as it is" text={callText(turn)} />}
      {textHead(resultText(turn)) === '' ? null : (
        <DataText label="Result" text={resultText(turn)} hasTables />
      )}
      {textHead(turn.content) === '' ? null : <DataText label="Reply" text={turn.content} />}
    </>
  );
}
