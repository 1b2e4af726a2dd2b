// The item under review: one episode with its steps, or two candidates side by side. Both have room for the form.
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { coverRecorded } from '../../../shared/episode/cover.ts';
import { foldAll } from '../../../shared/episode/fold.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { Candidate, Subject } from '../../../shared/events/annotations.ts';
import { moveLine } from '../../../shared/timeline/turnRow.ts';
import { EpisodeHeader } from '../../parts/episode/EpisodeHeader.tsx';
import { Timeline } from '../../parts/timeline/Timeline.tsx';
import { useTimeline, type TimelineState } from '../../parts/timeline/useTimeline.ts';
import { useEpisodeEvents, useEpisodeRecord, useKeys, usePane } from '../../state/hooks.ts';
import { cx } from '../../ui/cx.ts';
import { Segments } from '../../ui/Segments.tsx';
import { SplitPane } from '../../ui/SplitPane.tsx';
import * as styles from './Review.module.css';

/** The episode as this reviewer may see it now. */
export function useReviewedEpisode(episode: string, hidesOutcome: boolean) {
  const { record: whole } = useEpisodeRecord(episode);
  const events = useEpisodeEvents(episode);
  const covered = useMemo(() => (hidesOutcome ? events.map(coverRecorded) : null), [events, hidesOutcome]);
  const record = useMemo(
    () => (covered === null ? whole : foldAll(episode, covered)),
    [covered, whole, episode],
  );
  return { record, events: covered ?? events, timeline: useTimeline(record) };
}

/** Goes to a turn of the timeline whenever it is another one. */
export function useGoToTurn(timeline: TimelineState | null, turn: number | null): void {
  const row = timeline?.rows.find(({ subject }) => subject.type === 'turn' && subject.turn.turn === turn);
  const key = row?.key ?? null;
  const activate = timeline?.activate;
  useEffect(() => {
    if (key !== null) activate?.(key);
  }, [activate, key]);
}

type StageProps = {
  /** What the form is called. */
  label: string;
  /** The list beside it has the keys. */
  isQuiet: boolean;
  /** The form. */
  children: ReactNode;
};

type EpisodeStageProps = StageProps & { record: EpisodeRecord; timeline: TimelineState };

export function EpisodeStage({ label, isQuiet, record, timeline, children }: EpisodeStageProps): ReactNode {
  const [pane, setPane] = usePane('review', 440);
  return (
    <div className={styles.stage}>
      <EpisodeHeader record={record} isReplay startsOpen />
      <SplitPane
        label={label}
        side="end"
        stacks
        pane={pane}
        onPane={setPane}
        min={340}
        max={900}
        content={
          <aside className={styles.panel} aria-label={label}>
            {children}
          </aside>
        }
      >
        <Timeline state={timeline} startAtEnd={false} isQuiet={isQuiet} />
      </SplitPane>
    </div>
  );
}

const SIDES = [
  { value: 'left', label: 'Left' },
  { value: 'right', label: 'Right' },
] as const;

type PairStageProps = StageProps & {
  pair: Extract<Subject, { type: 'pair' }>;
  hidesOutcome: boolean;
  /** The side that was called the better one. */
  better: string | null;
};

export function PairStage({
  label,
  isQuiet,
  pair,
  hidesOutcome,
  better,
  children,
}: PairStageProps): ReactNode {
  const [side, setSide] = useState<'left' | 'right'>('left');
  useKeys({ 'annotate.side': () => setSide(side === 'left' ? 'right' : 'left') });
  return (
    <div className={styles.stage}>
      <div className={styles.chooseSide}>
        <Segments label="Side" options={SIDES} value={side} onChoose={setSide} />
      </div>
      <div className={styles.sides}>
        {SIDES.map(({ value, label: name }) => (
          <section
            key={value}
            className={cx(
              styles.side,
              side === value && styles.isCurrent,
              better === value && styles.isBetter,
            )}
            aria-label={name}
            aria-current={side === value}
            onFocus={() => setSide(value)}
            onPointerDown={() => setSide(value)}
          >
            <CandidateSteps
              candidate={pair[value]}
              hidesOutcome={hidesOutcome}
              isQuiet={isQuiet || side !== value}
            />
          </section>
        ))}
      </div>
      <aside className={styles.panel} aria-label={label}>
        {children}
      </aside>
    </div>
  );
}

type CandidateProps = { candidate: Candidate; hidesOutcome: boolean; isQuiet: boolean };

function CandidateSteps({ candidate, hidesOutcome, isQuiet }: CandidateProps): ReactNode {
  const { record, timeline } = useReviewedEpisode(candidate.episode, hidesOutcome);
  useGoToTurn(timeline, candidate.type === 'episode' ? null : candidate.turn);
  return (
    <>
      {candidate.type === 'move' ? (
        <p className={styles.candidate}>
          <span className="quiet small">
            {`Turn ${String(candidate.turn)}${candidate.source === '' ? '' : `, ${candidate.source}`}: `}
          </span>
          <code>{moveLine(candidate.move)}</code>
        </p>
      ) : null}
      <EpisodeHeader record={record} isReplay startsOpen />
      <Timeline state={timeline} startAtEnd={false} isQuiet={isQuiet} />
    </>
  );
}
