// How an episode stands on screen: header over timeline, inspector beside it, one at a time where it is narrow.
import { PanelRight } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { Recorded } from '../../../shared/events/vocabulary.ts';
import { useKeys, usePane, useSession } from '../../state/hooks.ts';
import { IconButton } from '../../ui/Button.tsx';
import { SplitPane } from '../../ui/SplitPane.tsx';
import { Inspector, type ExtraPanel, type FrontPanel } from '../inspector/Inspector.tsx';
import type { AnswerKeyState } from '../inspector/useAnswerKey.ts';
import { Timeline } from '../timeline/Timeline.tsx';
import { useTimeline, type TimelineState } from '../timeline/useTimeline.ts';
import { EpisodeHeader } from './EpisodeHeader.tsx';
import { pointLabel } from './facts.ts';
import * as styles from './EpisodeStage.module.css';
import { useWidth } from './useWidth.ts';

export type EpisodeStageProps = {
  record: EpisodeRecord;
  events: readonly Recorded[];
  answerKey: AnswerKeyState;
  /** What can be done with it; as a function it is told what the reader is on. */
  actions?: ReactNode | ((timeline: TimelineState) => ReactNode);
  /** Between header and timeline: the scrubber, a stop's confirmation. */
  band?: ReactNode;
  /** Replay: the event shown now. */
  place?: number;
  /** Replay: its last event, null while the rest is still read; and how to have all of it. */
  whole?: { last: number | null; read: () => Promise<EpisodeRecord> };
  /** Replay: false while it stands at its beginning, as it was opened. */
  follows?: boolean;
  /** An open question, to be answered beside the timeline. */
  answer?: { id: string; label?: string; panel: ReactNode } | null;
  /** Further panels of the inspector. */
  panels?: readonly ExtraPanel[];
  /** A panel that was asked for: the inspector opens with it. */
  front?: FrontPanel | null;
};

/** Narrower than this, timeline and inspector take turns. */
const STAGE_NARROW_PX = 720;

export function EpisodeStage(props: EpisodeStageProps): ReactNode {
  const { record, events, answerKey, actions, band, place, answer = null } = props;
  const { panels = [], front = null, follows = true, whole } = props;
  const point = place === undefined || whole === undefined ? null : { n: place, last: whole.last };
  const { seat } = useSession();
  const stage = useRef<HTMLDivElement>(null);
  const isNarrow = useWidth(stage) < STAGE_NARROW_PX;
  const [pane, setPane] = usePane('inspector', 440);
  const [turned, setTurned] = useState<{ isInspector: boolean; answer: string | null; front: number }>({
    isInspector: false,
    answer: null,
    front: 0,
  });
  const timeline = useTimeline(record);
  // Where it is narrow a new question comes forward once; after that the reader decides.
  const isNewQuestion = answer !== null && turned.answer !== answer.id;
  const isNewFront = front !== null && turned.front !== front.count;
  const isTurned = isNewQuestion || isNewFront || turned.isInspector;
  const isShown = isNarrow ? isTurned : !pane.isCollapsed;
  const toggle = (): void =>
    isNarrow
      ? setTurned({ isInspector: !isTurned, answer: answer?.id ?? null, front: front?.count ?? 0 })
      : setPane({ ...pane, isCollapsed: !pane.isCollapsed });
  const frontCount = front?.count ?? 0;
  useEffect(() => {
    // A panel that is asked for must be seen, once; what the person folds away after that stays folded.
    if (frontCount > 0) setPane({ ...pane, isCollapsed: false });
    // oxlint-disable-next-line react/exhaustive-deps
  }, [frontCount]);
  useKeys('everywhere', { 'pane.inspector': toggle });

  const inspector = (
    <aside className={styles.inspector} aria-label="Inspector">
      <Inspector
        record={record}
        events={events}
        timeline={timeline}
        answerKey={answerKey}
        seat={seat}
        answer={answer}
        panels={panels}
        front={front}
      />
    </aside>
  );
  const list = (
    <Timeline
      key="timeline"
      state={timeline}
      startAtEnd={follows && (place !== undefined || record.ended === null)}
      follows={follows}
      {...(place === undefined ? {} : { place })}
      part={
        point === null || whole === undefined || point.n === point.last
          ? null
          : { upTo: pointLabel(point).replace('at ', ''), readWhole: whole.read }
      }
    />
  );
  return (
    <div className={styles.stage} ref={stage}>
      <EpisodeHeader
        record={record}
        isReplay={place !== undefined}
        point={point}
        actions={
          <>
            {typeof actions === 'function' ? actions(timeline) : actions}
            <IconButton
              label={
                isShown
                  ? 'Hide the inspector'
                  : answer === null
                    ? 'Show the inspector'
                    : (answer.label ?? 'Answer the question')
              }
              chord="pane.inspector"
              icon={<PanelRight />}
              isPressed={isShown}
              {...(answer !== null && !isShown ? { className: styles.calls } : {})}
              onClick={toggle}
            />
          </>
        }
      />
      {band}
      {isNarrow ? (
        isTurned ? (
          inspector
        ) : (
          list
        )
      ) : (
        <SplitPane
          label="Inspector"
          side="end"
          pane={pane}
          onPane={setPane}
          min={320}
          max={900}
          content={inspector}
        >
          {list}
        </SplitPane>
      )}
    </div>
  );
}
