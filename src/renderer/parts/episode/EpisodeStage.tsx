// Layout of an episode: header over timeline, inspector beside it, one at a time where it is narrow.
import { PanelRight } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { useKeys, usePane, useSession } from '../../state/hooks.ts';
import type { Pane } from '../../state/store.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { SplitPane } from '../../ui/SplitPane.tsx';
import { Inspector, type ExtraPanel, type FrontPanel } from '../inspector/Inspector.tsx';
import { usePanelChoice, type PanelChoice } from '../inspector/usePanelChoice.ts';
import type { AnswerKeyState } from '../inspector/useAnswerKey.ts';
import { Timeline } from '../timeline/Timeline.tsx';
import { useTimeline, type TimelineState } from '../timeline/useTimeline.ts';
import { hasWorldAtEnd, WorldAtEnd } from '../world/WorldPanel.tsx';
import { EpisodeHeader } from './EpisodeHeader.tsx';
import { pointLabel } from './facts.ts';
import * as styles from './EpisodeStage.module.css';
import { useWidth } from './useWidth.ts';

export type EpisodeStageProps = {
  record: EpisodeRecord;
  answerKey: AnswerKeyState;
  /** The line of what can be done with it; as a function it is told what the reader is on. */
  toolbar: ReactNode | ((timeline: TimelineState) => ReactNode);
  /** Between toolbar and timeline, always there: the scrubber. */
  band?: ReactNode;
  /** What a person opened for a moment, over the first steps, which stay where they are: a note, a confirmation. */
  over?: ReactNode;
  /** Replay: the event shown now. */
  place?: number;
  /** Replay: its last event, null while the rest is still read; and how to have all of it. */
  whole?: { last: number | null; read: () => Promise<EpisodeRecord> };
  /** Replay: false while it stands at its beginning, as it was opened. */
  follows?: boolean;
  /** What waits for this person, answered beside the timeline in the place of the inspector. */
  answer?: { id: string; label?: string; panel: ReactNode } | null;
  /** Further panels of the inspector. */
  panels?: readonly ExtraPanel[];
  /** A panel that was asked for: the inspector opens with it. */
  front?: FrontPanel | null;
};

/** Narrower than this, timeline and inspector take turns. */
const STAGE_NARROW_PX = 720;
/** An answer is written in no less. */
const SHEET_MIN_PX = 440;
const PANEL_PX = 480;

export function EpisodeStage(props: EpisodeStageProps): ReactNode {
  const { record, answerKey, toolbar, band, over = null, place, answer = null } = props;
  const { panels = [], front = null, follows = true, whole } = props;
  const point = place === undefined || whole === undefined ? null : { n: place, last: whole.last };
  const { seat } = useSession();
  const stage = useRef<HTMLDivElement>(null);
  const choice = usePanelChoice(answer?.id ?? null, front);
  const pane = useStagePane(stage, choice, answer?.id ?? null, front);
  const timeline = useTimeline(record);
  const aside = useRef<HTMLElement>(null);
  const focusNext = useFocusAside(aside, `${String(choice.isSheet)}${String(pane.isShown)}`);
  const toggleSheet = (): void => {
    focusNext();
    if (!pane.isShown) pane.show();
    if (choice.isSheet && pane.isShown) choice.closeSheet();
    else choice.openSheet();
  };
  useKeys({ 'pane.inspector': pane.toggle });
  useKeys(answer === null ? {} : { view: toggleSheet });
  const isAnswering = choice.isSheet && pane.isShown;

  // What is folded away is not there: none of its keys acts.
  const inspector = pane.isShown ? (
    <aside
      className={styles.inspector}
      aria-label={choice.isSheet ? (answer?.label ?? 'Question') : 'Inspector'}
      ref={aside}
      tabIndex={-1}
    >
      {answer !== null && choice.isSheet ? (
        answer.panel
      ) : (
        <Inspector
          record={record}
          answerKey={answerKey}
          seat={seat}
          panels={panels}
          current={choice.panel}
          onChoose={choice.choose}
        />
      )}
    </aside>
  ) : null;
  const list = (
    <Timeline
      key="timeline"
      state={timeline}
      startAtEnd={follows && (place !== undefined || record.ended === null)}
      follows={follows}
      {...(place === undefined ? {} : { place })}
      end={hasWorldAtEnd(record) ? <WorldAtEnd record={record} /> : null}
      part={
        point === null || whole === undefined || point.n === point.last
          ? null
          : { upTo: pointLabel(point).replace('at ', ''), readWhole: whole.read }
      }
    />
  );
  const steps = (
    <div className={styles.steps}>
      {pane.isNarrow && pane.isShown ? inspector : list}
      {over === null ? null : <div className={styles.over}>{over}</div>}
    </div>
  );
  return (
    <div className={styles.stage} ref={stage}>
      <EpisodeHeader
        record={record}
        isReplay={place !== undefined}
        point={point}
        actions={
          <>
            {answer === null ? null : (
              <span data-keys="">
                <Button
                  size="small"
                  tone="quiet"
                  chord="view"
                  title={isAnswering ? 'Shows tools and the world instead' : undefined}
                  className={cx(!isAnswering && styles.calls)}
                  onClick={toggleSheet}
                >
                  {isAnswering ? 'Details' : (answer.label ?? 'Question')}
                </Button>
              </span>
            )}
            <IconButton
              label={pane.isShown ? 'Hide the inspector' : 'Show the inspector'}
              chord="pane.inspector"
              icon={<PanelRight />}
              isPressed={pane.isShown}
              onClick={pane.toggle}
            />
          </>
        }
      />
      {typeof toolbar === 'function' ? toolbar(timeline) : toolbar}
      {band}
      {pane.isNarrow ? (
        steps
      ) : (
        <SplitPane
          label="Inspector"
          side="end"
          pane={pane.pane}
          onPane={pane.setPane}
          min={choice.isSheet ? SHEET_MIN_PX : 320}
          max={900}
          content={inspector}
        >
          {steps}
        </SplitPane>
      )}
    </div>
  );
}

type StagePane = {
  isNarrow: boolean;
  /** The inspector, or the sheet in its place, is on screen. */
  isShown: boolean;
  show: () => void;
  toggle: () => void;
  pane: Pane;
  setPane: (pane: Pane) => void;
};

/** The room beside the steps: its width, which the sheet remembers apart, and whether it is there. */
function useStagePane(
  stage: RefObject<HTMLDivElement | null>,
  choice: PanelChoice,
  answer: string | null,
  front: FrontPanel | null,
): StagePane {
  const isNarrow = useWidth(stage) < STAGE_NARROW_PX;
  const [panel, setPanel] = usePane('inspector', PANEL_PX);
  const [sheet, setSheet] = usePane('sheet', PANEL_PX);
  const count = front?.count ?? 0;
  const [turned, setTurned] = useState<{ isInspector: boolean; answer: string | null; front: number }>({
    isInspector: false,
    answer: null,
    front: 0,
  });
  // Where it is narrow a new question comes forward once; after that the reader decides.
  const isNew = (answer !== null && turned.answer !== answer) || turned.front !== count;
  const isShown = isNarrow ? isNew || turned.isInspector : !panel.isCollapsed;
  const set = (next: boolean): void =>
    isNarrow
      ? setTurned({ isInspector: next, answer, front: count })
      : setPanel({ ...panel, isCollapsed: !next });
  useEffect(() => {
    // A panel that is asked for must be seen, once; what the person folds away after that stays folded.
    if (count > 0) setPanel({ ...panel, isCollapsed: false });
    // oxlint-disable-next-line react/exhaustive-deps
  }, [count]);
  return {
    isNarrow,
    isShown,
    show: () => set(true),
    toggle: () => set(!isShown),
    pane: { size: choice.isSheet ? sheet.size : panel.size, isCollapsed: panel.isCollapsed },
    setPane: ({ size, isCollapsed }) => {
      setPanel({ size: choice.isSheet ? panel.size : size, isCollapsed });
      if (choice.isSheet) setSheet({ size, isCollapsed: false });
    },
  };
}

/** After a key has changed what is beside the steps, the keyboard is there. */
function useFocusAside(aside: RefObject<HTMLElement | null>, shown: string): () => void {
  const isWanted = useRef(false);
  useEffect(() => {
    if (!isWanted.current) return;
    isWanted.current = false;
    const tab = aside.current?.querySelector<HTMLElement>('[role=tab][aria-selected=true]');
    (tab ?? aside.current)?.focus();
  }, [aside, shown]);
  return () => {
    isWanted.current = true;
  };
}
