// The strip beside the timeline: the whole episode at a glance, and a way to any place in it.
import { useEffect, useMemo, useRef, useState, type PointerEvent, type ReactNode } from 'react';
import type { RowRole, TimelineRow } from '../../../shared/timeline/timelineRow.ts';
import { isRowFailed } from '../../../shared/timeline/turnRow.ts';
import { cx } from '../../ui/cx.ts';
import { actorStyle } from '../actors.tsx';
import * as styles from './Minimap.module.css';

type MinimapProps = {
  rows: readonly TimelineRow[];
  /** First and last row in view. */
  range: readonly [number, number];
  onGo: (index: number) => void;
};

/** A row is never taller on the strip than this, nor thinner than two pixels. */
const UNIT_MAX = 12;
const UNIT_MIN = 2;

export function Minimap({ rows, range, onGo }: MinimapProps): ReactNode {
  const strip = useRef<HTMLDivElement>(null);
  const height = useHeight(strip);
  const segments = useMemo(
    () => segmentsOf(rows, Math.max(1, Math.floor(height / UNIT_MIN))),
    [rows, height],
  );
  const used = Math.min(height, segments.length * UNIT_MAX);
  const unit = segments.length === 0 ? 0 : used / segments.length;
  // Drawn anew when the rows change, not with every line that scrolls by.
  const label = useMemo(() => minimapLabel(rows), [rows]);
  const stretches = useMemo(
    () =>
      segments.map((segment, index) => (
        <SegmentMark key={segment.from} segment={segment} top={index * unit} height={unit} />
      )),
    [segments, unit],
  );
  const topOf = (row: number): number => (rows.length === 0 ? 0 : (row / rows.length) * used);

  const go = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.buttons !== 1 || used === 0) return;
    const y = event.clientY - event.currentTarget.getBoundingClientRect().top;
    onGo(Math.max(0, Math.min(rows.length - 1, Math.floor((y / used) * rows.length))));
  };
  return (
    <div
      ref={strip}
      className={styles.strip}
      role="img"
      aria-label={label}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={go}
    >
      {stretches}
      <div
        className={styles.view}
        style={{ top: topOf(range[0]), height: Math.max(6, topOf(range[1] + 1) - topOf(range[0])) }}
      />
    </div>
  );
}

/** Colour says who; a hatched half says error; a sign says that a person acted or that something waits. */
function SegmentMark({
  segment,
  top,
  height,
}: {
  segment: MinimapSegment;
  top: number;
  height: number;
}): ReactNode {
  const { mark, errors, role } = segment;
  return (
    <div className={styles.stretch} style={{ ...actorStyle(role), top, height }} data-role={role}>
      {errors > 0 ? <span className={styles.error} style={{ width: errorWidth(segment) }} /> : null}
      {mark === null ? null : <span className={cx(styles.mark, styles[mark])} />}
    </div>
  );
}

/** A stretch of many rows is as broken as the share of its errors. */
const errorWidth = ({ errors, from, to }: MinimapSegment): number =>
  3 + (errors / Math.max(1, to - from)) * 7;

function useHeight(element: React.RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0);
  useEffect(() => {
    const node = element.current;
    if (node === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setHeight(entry?.contentRect.height ?? 0));
    observer.observe(node);
    return () => observer.disconnect();
  }, [element]);
  return height;
}

export type MinimapSegment = {
  /** First row of the stretch and the row after its last. */
  from: number;
  to: number;
  role: RowRole;
  errors: number;
  mark: 'human' | 'waiting' | 'verifier' | null;
};

/** The order of colours for a stretch of rows: the rarest and weightiest first. */
const WEIGHT: readonly RowRole[] = [
  'human',
  'scripted',
  'model',
  'verifier',
  'agent',
  'environment',
  'system',
];

/** At most `max` stretches, each of about as many rows, in order and without gaps. */
export function segmentsOf(rows: readonly TimelineRow[], max: number): MinimapSegment[] {
  const count = Math.max(1, Math.min(max, rows.length));
  return Array.from({ length: rows.length === 0 ? 0 : count }, (_, index) => {
    const from = Math.floor((index * rows.length) / count);
    const to = Math.floor(((index + 1) * rows.length) / count);
    const stretch = rows.slice(from, to);
    const roles = new Set(stretch.map((row) => row.role));
    return {
      from,
      to,
      role: WEIGHT.find((role) => roles.has(role)) ?? 'system',
      errors: stretch.filter(isRowFailed).length,
      mark: markOf(stretch),
    };
  });
}

function markOf(rows: readonly TimelineRow[]): MinimapSegment['mark'] {
  if (rows.some(({ outcome }) => outcome?.tone === 'waiting')) return 'waiting';
  if (rows.some((row) => row.role === 'human' || row.isHuman)) return 'human';
  return rows.some((row) => row.role === 'verifier') ? 'verifier' : null;
}

/** The strip in words, for those who do not see it. */
function minimapLabel(rows: readonly TimelineRow[]): string {
  const errors = rows.filter(isRowFailed).length;
  const acts = rows.filter((row) => row.isHuman).length;
  const steps = rows.filter((row) => row.shape === 'step').length;
  return `Map of the episode: ${String(steps)} steps, ${String(errors)} errors, ${String(acts)} acts of a person`;
}
