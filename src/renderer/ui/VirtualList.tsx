// A list of any length of which only what is in view is drawn. Rows may have any height.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useImperativeHandle, useRef, type HTMLAttributes, type ReactNode, type Ref } from 'react';
import { cx } from './cx.ts';
import * as styles from './VirtualList.module.css';

export type VirtualListHandle = {
  scrollTo: (index: number, align?: 'auto' | 'start' | 'center' | 'end') => void;
  /** True when the last row is in view. */
  isAtEnd: () => boolean;
  focus: () => void;
};

/** Keys held with a click. */
export type PressModifiers = { isShift: boolean; isMod: boolean };

type VirtualListProps = {
  label: string;
  /** A radio group where the row that the keyboard is on is the one that is chosen; a grid where rows hold links. */
  role?: 'listbox' | 'radiogroup' | 'grid';
  count: number;
  rowKey: (index: number) => string | number;
  renderRow: (index: number) => ReactNode;
  /** Height of a row in pixels; with `isMeasured` the first guess. */
  rowHeight: number;
  isMeasured?: boolean;
  /** The row the keyboard is on; -1 for none. */
  activeIndex?: number;
  onActivate?: (index: number, press: PressModifiers) => void;
  onOpen?: (index: number) => void;
  /** Rows that are chosen beside the one the keyboard is on; left out where a list has no choice. */
  isChosen?: (index: number) => boolean;
  /** First and last row in view, for loading what is about to be seen. */
  onRange?: (first: number, last: number) => void;
  overscan?: number;
  ref?: Ref<VirtualListHandle>;
  className?: string | undefined;
};

export function VirtualList(props: VirtualListProps): ReactNode {
  const { label, count, rowKey, renderRow, rowHeight, isMeasured = false, activeIndex = -1 } = props;
  const { onActivate, onOpen, isChosen, onRange, overscan = 12, ref, className, role = 'listbox' } = props;
  const scroller = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- it warns the React compiler, which does not build this
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: rowKey,
    overscan,
  });
  const rows = virtualizer.getVirtualItems();
  const [first, last] = [rows[0]?.index ?? 0, rows.at(-1)?.index ?? -1];

  useEffect(() => onRange?.(first, last), [onRange, first, last]);
  useEffect(() => {
    if (activeIndex >= 0) virtualizer.scrollToIndex(activeIndex, { align: 'auto' });
    // The virtualizer is the same object for the life of the list.
  }, [activeIndex, virtualizer]);
  useImperativeHandle(ref, () => ({
    scrollTo: (index, align = 'auto') => virtualizer.scrollToIndex(index, { align }),
    isAtEnd: () => virtualizer.isAtEnd(),
    focus: () => scroller.current?.focus(),
  }));

  const rowId = (index: number): string => `${label.replaceAll(/\W+/g, '-')}-${String(rowKey(index))}`;
  const isActiveDrawn = activeIndex >= first && activeIndex <= last;
  return (
    <div
      ref={scroller}
      className={cx(styles.scroller, className)}
      role={role}
      tabIndex={0}
      {...(isChosen === undefined ? {} : { 'aria-multiselectable': true })}
      {...(role === 'grid' ? { 'aria-rowcount': count } : {})}
      aria-label={label}
      {...(isActiveDrawn ? { 'aria-activedescendant': rowId(activeIndex) } : {})}
    >
      <div className={styles.whole} style={{ height: virtualizer.getTotalSize() }}>
        {rows.map((row) => (
          <div
            key={row.key}
            id={rowId(row.index)}
            ref={isMeasured ? virtualizer.measureElement : undefined}
            data-index={row.index}
            className={styles.row}
            {...rowAria(props, row.index)}
            style={{
              transform: `translateY(${String(row.start)}px)`,
              ...(isMeasured ? {} : { height: rowHeight }),
            }}
            onClick={(event) =>
              onActivate?.(row.index, {
                isShift: event.shiftKey,
                isMod: event.ctrlKey || event.metaKey,
              })
            }
            onDoubleClick={() => onOpen?.(row.index)}
          >
            {renderRow(row.index)}
          </div>
        ))}
      </div>
    </div>
  );
}

/** A row's role; of a grid its cells are the caller's to mark. */
function rowAria(
  { role = 'listbox', count, activeIndex, isChosen }: VirtualListProps,
  index: number,
): HTMLAttributes<HTMLElement> {
  const isOn = isChosen?.(index) ?? index === activeIndex;
  if (role === 'grid') return { role: 'row', 'aria-selected': isOn, 'aria-rowindex': index + 1 };
  const place = { 'aria-setsize': count, 'aria-posinset': index + 1 };
  return role === 'radiogroup'
    ? { role: 'radio', 'aria-checked': index === activeIndex, ...place }
    : { role: 'option', 'aria-selected': isOn, ...place };
}
