// A list of any length that grows at its end and whose rows open in place. Only what is in view is drawn. What is
// being read never moves: the list follows its end only while the reader is there.
import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  type ReactNode,
  type Ref,
} from 'react';
import * as styles from './GrowingList.module.css';

export type GrowingListHandle = {
  scrollTo: (index: number, align?: 'auto' | 'start' | 'center' | 'end') => void;
  /** Goes to the end and stays there while the list grows. */
  follow: () => void;
  /** Stays where it is, whatever comes. */
  stay: () => void;
  element: () => HTMLElement | null;
};

type GrowingListProps = {
  label: string;
  count: number;
  rowKey: (index: number) => string;
  renderRow: (index: number) => ReactNode;
  /** The first guess of a row's height. */
  rowHeight: number;
  /** A row that stays drawn wherever the list is scrolled, so that it keeps the keyboard. */
  keepIndex?: number;
  startAtEnd?: boolean;
  onFollowing?: (isFollowing: boolean) => void;
  onRange?: (first: number, last: number) => void;
  ref?: Ref<GrowingListHandle>;
};

/** Closer to the end than this is at the end. */
const NEAR_PX = 24;

export function GrowingList(props: GrowingListProps): ReactNode {
  const { label, count, rowKey, renderRow, rowHeight, keepIndex = -1, startAtEnd = false } = props;
  const { onFollowing, onRange, ref } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(startAtEnd);

  const rangeExtractor = useCallback(
    (range: Range) => {
      const drawn = defaultRangeExtractor(range);
      if (keepIndex < 0 || keepIndex >= range.count || drawn.includes(keepIndex)) return drawn;
      return [...drawn, keepIndex].toSorted((a, b) => a - b);
    },
    [keepIndex],
  );
  // oxlint-disable-next-line react/incompatible-library -- it warns the React compiler, which does not build this
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: rowKey,
    overscan: 10,
    rangeExtractor,
  });
  const items = virtualizer.getVirtualItems();
  const total = virtualizer.getTotalSize();
  const range = virtualizer.range;

  const setFollowing = useCallback(
    (next: boolean) => {
      if (isFollowing.current === next) return;
      isFollowing.current = next;
      onFollowing?.(next);
    },
    [onFollowing],
  );
  const toEnd = useCallback(() => {
    const element = scroller.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
  }, []);
  useLayoutEffect(() => {
    if (isFollowing.current) toEnd();
  }, [count, total, toEnd]);
  const [first, last] = [range?.startIndex ?? 0, range?.endIndex ?? 0];
  useEffect(() => onRange?.(first, last), [onRange, first, last]);
  useImperativeHandle(ref, () => ({
    scrollTo: (index, align = 'auto') => virtualizer.scrollToIndex(index, { align }),
    follow: () => {
      setFollowing(true);
      toEnd();
    },
    stay: () => setFollowing(false),
    element: () => scroller.current,
  }));
  const onScroll = (): void => {
    const element = scroller.current;
    if (element === null) return;
    const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight <= NEAR_PX;
    // A list that fits has no end to leave.
    if (element.scrollHeight > element.clientHeight + 1) setFollowing(isAtEnd);
  };

  return (
    <div
      ref={scroller}
      className={styles.scroller}
      onScroll={onScroll}
      role="list"
      aria-label={label}
      tabIndex={-1}
    >
      <div className={styles.whole} style={{ height: total }}>
        {items.map((item) => (
          <div
            key={item.key}
            ref={virtualizer.measureElement}
            data-index={item.index}
            className={styles.row}
            role="listitem"
            aria-setsize={count}
            aria-posinset={item.index + 1}
            style={{ transform: `translateY(${String(item.start)}px)` }}
          >
            {renderRow(item.index)}
          </div>
        ))}
      </div>
    </div>
  );
}
