// The timeline itself: the same for a running episode, a replay, and beside a question at the desk.
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react';
import type { Item } from '../../../shared/episode/record.ts';
import type { TimelineRow } from '../../../shared/timeline/timelineRow.ts';
import { isRowFailed } from '../../../shared/timeline/turnRow.ts';
import { useKeys } from '../../state/hooks.ts';
import type { Bindings } from '../../state/keyboard.ts';
import { isViewOf, useRole } from '../../state/role.ts';
import { Button } from '../../ui/Button.tsx';
import { GrowingList, type GrowingListHandle } from '../list/GrowingList.tsx';
import { formatCount } from '../text/size.ts';
import { Minimap } from './Minimap.tsx';
import { StepRow } from './StepRow.tsx';
import { TimelineBar, type RecordPart } from './TimelineBar.tsx';
import { turnOfRow, useFork } from './useFork.ts';
import type { TimelineState } from './useTimeline.ts';
import * as styles from './Timeline.module.css';

type TimelineProps = {
  state: TimelineState;
  /** A running episode is read from its end, a finished one from its start. */
  startAtEnd: boolean;
  /** Replay: the event shown now; the end of the list is kept in view as it moves. */
  place?: number;
  /** Replay at an earlier point: where it ends, and how to have all of it. */
  part?: RecordPart | null;
  /** False while a replay stands where it was opened, at its beginning: nothing moves under the reader. */
  follows?: boolean;
  /** Another timeline beside it has the keys. */
  isQuiet?: boolean;
};

export function Timeline(props: TimelineProps): ReactNode {
  const { state, startAtEnd, place, follows = true, isQuiet = false, part = null } = props;
  const { rows, record, open, toggle, activate, activeKey, query, found, filter } = state;
  const list = useRef<GrowingListHandle>(null);
  const find = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const [isFollowing, setIsFollowing] = useState(startAtEnd);
  const [range, setRange] = useState<readonly [number, number]>([0, 0]);
  const lastN = rows.at(-1)?.n ?? 0;
  const [leftAt, setLeftAt] = useState(lastN);
  const active = rows.findIndex((row) => row.key === activeKey);
  const newCount = isFollowing ? 0 : rows.filter((row) => row.n > leftAt).length;

  const newest = useRef(lastN);
  useLayoutEffect(() => {
    newest.current = lastN;
  });
  const onFollowing = useCallback((next: boolean) => {
    setIsFollowing(next);
    if (!next) setLeftAt(newest.current);
  }, []);
  const onRange = useCallback((first: number, last: number) => setRange([first, last]), []);
  const goTo = useTravel({ rows, list, frame, activate, active });
  const lastKey = rows.at(-1)?.key ?? null;
  useEffect(() => {
    if (place === undefined || !follows) return;
    list.current?.follow();
    activate(lastKey);
  }, [place, lastKey, activate, follows]);
  const kept = useRef(active);
  useLayoutEffect(() => {
    kept.current = active;
  });
  useEffect(() => {
    if (kept.current >= 0) list.current?.scrollTo(kept.current, 'center');
  }, [filter]);
  useHighlight(frame, query);

  const onFound = (direction: 1 | -1): void => {
    const next =
      direction === 1
        ? found.at.find((index) => index > active)
        : found.at.findLast((index) => index < active);
    const wrapped = next ?? (direction === 1 ? found.at[0] : found.at.at(-1));
    if (wrapped !== undefined) goTo(wrapped, 'show');
  };
  const onToggle = useCallback(
    (row: TimelineRow) => {
      // What opens is what is read next: the end may move away from under it, not it from under the reader.
      list.current?.stay();
      activate(row.key);
      toggle(row.key);
    },
    [activate, toggle],
  );
  useTimelineKeys({ state, goTo, active, find, list, isReplay: place !== undefined, isQuiet });

  const spans = useMemo(() => takeOversOf(record.timeline), [record.timeline]);
  const isFound = (index: number): boolean => query.trim() !== '' && found.at.includes(index);
  return (
    <div className={styles.timeline} ref={frame} data-steps="">
      <TimelineBar
        state={state}
        findRef={find}
        onFound={onFound}
        part={part}
        onLeaveFind={() => {
          state.setQuery('');
          list.current?.element()?.focus();
        }}
      />
      <div className={styles.body}>
        <GrowingList
          ref={list}
          label="Steps of the episode"
          count={rows.length}
          rowKey={(index) => rows[index]?.key ?? String(index)}
          rowHeight={44}
          keepIndex={Math.max(0, active)}
          startAtEnd={startAtEnd}
          onFollowing={onFollowing}
          onRange={onRange}
          renderRow={(index) => {
            const row = rows[index];
            if (row === undefined) return null;
            const isOpen = open.has(row.key);
            return (
              <StepRow
                row={row}
                startedAt={record.startedAt}
                isOpen={isOpen}
                isActive={index === active}
                isFound={isFound(index)}
                isByPerson={isInSpan(spans, row)}
                isReachable={index === Math.max(0, active)}
                record={isOpen ? record : null}
                onToggle={onToggle}
              />
            );
          }}
        />
        <Minimap rows={rows} range={range} onGo={(index) => goTo(index, 'look')} />
        {newCount === 0 ? null : (
          <Button className={styles.pill} size="small" tone="primary" onClick={() => list.current?.follow()}>
            {formatCount(newCount, 'new step').replace('new steps', 'new')}
          </Button>
        )}
      </div>
    </div>
  );
}

/** `look` only scrolls; `show` makes it the line the inspector shows; `focus` gives it the keyboard too. */
type GoTo = (index: number, how: 'look' | 'show' | 'focus') => void;

function useTravel({
  rows,
  list,
  frame,
  activate,
  active,
}: {
  rows: readonly TimelineRow[];
  list: React.RefObject<GrowingListHandle | null>;
  frame: React.RefObject<HTMLElement | null>;
  activate: (key: string) => void;
  active: number;
}): GoTo {
  const wanted = useRef<string | null>(null);
  useEffect(() => {
    if (wanted.current === null) return;
    const head = frame.current?.querySelector(`[data-row-head="${CSS.escape(wanted.current)}"]`);
    wanted.current = null;
    if (head instanceof HTMLElement) head.focus({ preventScroll: true });
  }, [frame, active]);
  return useCallback(
    (index, how) => {
      const row = rows[index];
      if (row === undefined) return;
      list.current?.stay();
      if (how !== 'look') activate(row.key);
      if (how === 'focus') wanted.current = row.key;
      list.current?.scrollTo(index, how === 'focus' ? 'auto' : 'center');
    },
    [rows, list, activate],
  );
}

function useTimelineKeys({
  state,
  goTo,
  active,
  find,
  list,
  isReplay,
  isQuiet,
}: {
  state: TimelineState;
  goTo: GoTo;
  active: number;
  find: React.RefObject<HTMLElement | null>;
  list: React.RefObject<GrowingListHandle | null>;
  /** There the key forks at the place that is shown. */
  isReplay: boolean;
  isQuiet: boolean;
}): void {
  const { rows, toggle, toggleAll, record } = state;
  const isOwner = isViewOf('episodes', useRole());
  const { fork } = useFork(record);
  const last = rows.length - 1;
  const forkHere = (): void => {
    const row = rows[active] ?? rows[last];
    if (row !== undefined) void fork(turnOfRow(row, record));
  };
  const bindings: Bindings = {
    ...(isOwner && !isReplay ? { fork: forkHere } : {}),
    down: () => goTo(Math.min(last, active + 1), 'focus'),
    up: () => goTo(Math.max(0, active - 1), 'focus'),
    first: () => goTo(0, 'focus'),
    last: () => {
      goTo(last, 'focus');
      list.current?.follow();
    },
    open: () => {
      const row = rows[active];
      if (row !== undefined) toggle(row.key);
    },
    'timeline.expand': toggleAll,
    'timeline.error': () => {
      const next = rows.findIndex((row, index) => index > active && isRowFailed(row));
      goTo(next === -1 ? rows.findIndex(isRowFailed) : next, 'focus');
    },
    find: () => {
      const input = find.current?.querySelector('input');
      input?.focus();
      input?.select();
    },
  };
  useKeys(isQuiet ? {} : bindings);
}

const HIGHLIGHT_NAME = 'found';
/** More marks than this help nobody and cost time. */
const MARKS_MAX = 2000;

/** Marks `query` in everything under the element, again whenever what is drawn there changes. */
export function useHighlight(element: RefObject<HTMLElement | null>, query: string): void {
  useEffect(() => {
    const root = element.current;
    const needle = query.trim().toLowerCase();
    if (root === null || needle === '' || typeof Highlight === 'undefined') return undefined;
    const mark = (): void =>
      void CSS.highlights.set(HIGHLIGHT_NAME, new Highlight(...rangesOf(root, needle)));
    let frame = requestAnimationFrame(mark);
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(mark);
    });
    observer.observe(root, { childList: true, subtree: true, characterData: true });
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      CSS.highlights.delete(HIGHLIGHT_NAME);
    };
  }, [element, query]);
}

function rangesOf(root: HTMLElement, needle: string): Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null && ranges.length < MARKS_MAX; node = walker.nextNode()) {
    const text = (node.nodeValue ?? '').toLowerCase();
    for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + needle.length);
      ranges.push(range);
    }
  }
  return ranges;
}

/** From the take-over's place in the log to the hand-back's; one that goes on has no end. */
type TakeOver = { from: number; to: number };

function takeOversOf(timeline: readonly Item[]): TakeOver[] {
  const spans: TakeOver[] = [];
  let from: number | null = null;
  for (const item of timeline) {
    if (item.type !== 'phase') continue;
    if (item.to === 'correcting') from ??= item.n;
    else if (from !== null) {
      spans.push({ from, to: item.n });
      from = null;
    }
  }
  return from === null ? spans : [...spans, { from, to: Infinity }];
}

/** The agent's own turns keep their stripe: one may still have been under way when it was taken over. */
export const isInSpan = (spans: readonly TakeOver[], { n, role }: TimelineRow): boolean =>
  role !== 'agent' && spans.some(({ from, to }) => n >= from && n <= to);
