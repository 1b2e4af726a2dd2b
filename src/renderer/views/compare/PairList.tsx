// Aligned steps as rows of two: what each did, and where they differ.
import { useCallback, useMemo, useRef, useState, type ReactNode } from 'react';
import { isBlobRef, type Text, textHead } from '../../../shared/events/text.ts';
import type { EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import { sentenceOfTurn } from '../../../shared/episode/turnSentence.ts';
import { nameOf, namesOfRecord } from '../../../shared/sentences/names.ts';
import type { Sentence } from '../../../shared/sentences/sentence.ts';
import { InlineSentence } from '../../parts/plan/StepSentence.tsx';
import { DiffText } from '../../parts/text/DiffText.tsx';
import { DataText } from '../../parts/text/DataText.tsx';
import { VisibleText } from '../../parts/text/VisibleText.tsx';
import { turnRows } from '../../parts/timeline/turnRow.ts';
import { useKeys, useText } from '../../state/hooks.ts';
import { formatRoute } from '../../state/route.ts';
import { Badge, type Tone } from '../../ui/Badge.tsx';
import { cx, variantClass } from '../../ui/cx.ts';
import { VirtualList, type VirtualListHandle } from '../../ui/VirtualList.tsx';
import type { Difference, TurnPair } from './align.ts';
import { outcomeWords } from '../../parts/timeline/timelineRow.ts';
import * as styles from './CompareView.module.css';

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

/** What a turn of one side wants, as a sentence. */
type Say = (turn: Turn) => Sentence | null;

/** With the names that its own episode shows. */
function useSentences(record: EpisodeRecord): Say {
  const names = useMemo(() => nameOf(namesOfRecord(record)), [record]);
  return useCallback((turn) => sentenceOfTurn(record, turn, names), [record, names]);
}

export function PairList({ pairs, left, right, isDifferent }: PairListProps): ReactNode {
  const shown = useMemo(
    () => (isDifferent ? pairs.filter(({ difference }) => difference !== 'same') : pairs),
    [pairs, isDifferent],
  );
  const [sayLeft, sayRight] = [useSentences(left), useSentences(right)];
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
  useKeys('list', {
    'list.down': () => go(at + 1),
    'list.up': () => go(at - 1),
    'list.first': () => go(0),
    'list.last': () => go(shown.length - 1),
    'list.open': () => toggle(at),
  });
  useKeys('compare', { 'compare.next': nextDifferent });
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
            sayLeft={sayLeft}
            sayRight={sayRight}
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
  sayLeft: Say;
  sayRight: Say;
  isOpen: boolean;
  isActive: boolean;
  onToggle: () => void;
};

function PairRow(props: PairRowProps): ReactNode {
  const { pair, left, right, sayLeft, sayRight, isOpen, isActive, onToggle } = props;
  const { label, tone } = DIFFERENCE_LABELS[pair.difference];
  return (
    <div
      role="gridcell"
      className={cx(styles.pair, variantClass(styles, pair.difference), isActive && styles.isActive)}
    >
      <button type="button" className={styles.line} aria-expanded={isOpen} tabIndex={-1} onClick={onToggle}>
        <PairStep turn={pair.left} say={sayLeft} />
        <Badge tone={tone}>{label}</Badge>
        <PairStep turn={pair.right} say={sayRight} />
      </button>
      {isOpen ? <PairDetails pair={pair} left={left} right={right} /> : null}
    </div>
  );
}

/** What is no call of the environment’s is not said by the name of a tool. */
const ACT_NAMES: ReadonlyMap<string, string> = new Map([
  ['ask_expert', 'Asks an expert'],
  ['list_tools', 'Lists the tools'],
]);

function PairStep({ turn, say }: { turn: Turn | null; say: Say }): ReactNode {
  if (turn === null) return <span className="quiet">–</span>;
  const [row] = turnRows(turn, turn.at, turn.n);
  const sentence = say(turn);
  return (
    <span className={styles.step}>
      <span className={styles.turn}>{turn.turn}</span>
      {sentence === null ? (
        <>
          <b>{ACT_NAMES.get(turn.move?.type ?? '') ?? row?.name ?? 'Reply'}</b>
          <span className={styles.detail}>
            <VisibleText text={row?.detail ?? ''} />
          </span>
        </>
      ) : (
        <span className={styles.sentence}>
          <InlineSentence sentence={sentence} />
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
          <a href={formatRoute({ view: 'replay', episode: records.left.id, n: left.n })}>Left in replay</a>
        )}
        {right === null ? null : (
          <a href={formatRoute({ view: 'replay', episode: records.right.id, n: right.n })}>Right in replay</a>
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
