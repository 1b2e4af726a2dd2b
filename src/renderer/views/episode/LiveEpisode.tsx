// A running episode on screen: watched, answered beside its timeline, stopped.
import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import type { DeskItem, HoldItem } from '../../../shared/episode/rowShapes.ts';
import { holdItems } from '../../../shared/episode/calls.ts';
import { leftOpen } from '../../../shared/episode/phase.ts';
import { isPlayedByPerson } from '../../../shared/episode/phase.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { isBrokenOff } from '../../../shared/episode/restarts.ts';
import { deskItems } from '../../../shared/episode/rows.ts';
import { AdviceCard } from '../../parts/advice/AdviceCard.tsx';
import { LaterAdviceEditor } from '../../parts/advice/laterAdviceEditor.ts';
import { useHeldItem } from '../../parts/advice/useHeldItem.ts';
import { CallCard } from '../../parts/call/CallCard.tsx';
import { hasWritten } from '../../parts/call/useCallDecision.ts';
import { useQuestion } from '../../parts/desk/useQuestion.tsx';
import { EpisodeStage, type EpisodeStageProps } from '../../parts/episode/EpisodeStage.tsx';
import { useAnswerKey } from '../../parts/inspector/useAnswerKey.ts';
import { RecordNames } from '../../parts/plan/Names.tsx';
import { WorldPanel } from '../../parts/world/WorldPanel.tsx';
import { useConsole, useDesk, useEpisodeRecord, useSession } from '../../state/hooks.ts';
import { episodeRoute, navigate } from '../../state/route.ts';
import { Composer, LastMovePanel } from './Composer.tsx';
import { BrokenOffBar, EndedBar } from './ControlBar.tsx';
import { actingLabel, actingSeat } from './phaseLabel.ts';
import { StillOpen } from './StillOpen.tsx';
import { useInstead } from './useEpisode.tsx';
import { useStepIn, type StepIn } from './useStepIn.tsx';
import * as styles from './StillOpen.module.css';

export function LiveEpisode({ episode }: { episode: string }): ReactNode {
  const instead = useInstead(episode);
  return instead ?? <Live episode={episode} />;
}

function Live({ episode }: { episode: string }): ReactNode {
  const { record } = useEpisodeRecord(episode);
  const answerKey = useAnswerKey(episode);
  const isRunning = record.ended === null;
  useEffect(() => {
    if (isRunning) void LaterAdviceEditor.preload();
  }, [isRunning]);
  const stepIn = useStepIn(record);
  const panels = [
    { id: 'world', label: 'World', panel: <WorldPanel record={record} isReplay={false} /> },
    ...stepIn.panels,
  ];
  const answer = useAnswerPanel(record, stepIn);
  return (
    <EpisodeStage
      record={record}
      answerKey={answerKey}
      toolbar={
        isBrokenOff(record) ? (
          <BrokenOffBar record={record} />
        ) : isRunning ? (
          stepIn.toolbar
        ) : (
          <EndedBar record={record} />
        )
      }
      over={stepIn.bands}
      answer={answer}
      panels={panels}
      front={stepIn.front}
    />
  );
}

type Answering = Exclude<EpisodeStageProps['answer'], undefined>;

/** The person's turn in the episode: a question, a held call, or their own next move. */
function useAnswerPanel(record: EpisodeRecord, { openHandBack, isHandingBack }: StepIn): Answering {
  const [current = null] = useMemo(() => deskItems(record), [record]);
  const item = useHeldItem(current);
  const call = useHeldCall(record);
  const held = call.isWaiting || !isCorrecting(record) ? call.held : null;
  const { seat } = useSession();
  const [inFront, setInFront] = useState<{ id: string; isMove: boolean } | null>(null);
  const canAct = isCorrecting(record);
  const open = canAct ? leftOpen(record) : null;
  // Whoever took over has their own move in front; another seat has what it may answer.
  const isMove =
    canAct && (open !== null && inFront?.id === open.id ? inFront.isMove : actingSeat(record) === seat);
  const over =
    open === null ? null : (
      <StillOpen
        key={`${open.id}${String(isMove)}`}
        episode={record.id}
        open={open}
        who={actingLabel(record, seat)}
        held={open.type === 'call' ? held : null}
        isActing={isMove}
        onSwitch={() => setInFront({ id: open.id, isMove: !isMove })}
      />
    );
  const under = (panel: ReactNode): ReactNode =>
    over === null ? (
      panel
    ) : (
      <div className={styles.stack}>
        {over}
        {panel}
      </div>
    );
  // Of what was decided here, the newest stays in front; what waits comes before it.
  const isCallLast = held !== null && (call.isWaiting || item === null || held.seq > item.seq);
  if (item !== null && !isMove && (current !== null || !isCallLast))
    return {
      id: item.consultation,
      panel: under(<LiveAnswer key={item.consultation} item={item} record={record} />),
    };
  if (held !== null && !isMove)
    return {
      id: held.key,
      label: 'Call',
      panel: under(<LiveCall key={held.key} item={held} record={record} onDiscard={call.drop} />),
    };
  if (record.ended !== null && isPlayedByPerson(record) && record.turns.length > 0)
    return { id: 'last_move', label: 'Last move', panel: <LastMovePanel record={record} /> };
  if (!canAct) return null;
  return {
    id: `move${String(record.phaseN)}`,
    label: 'Your move',
    panel: <Composer record={record} onHandBack={openHandBack} isHandingBack={isHandingBack} over={over} />,
  };
}

const isCorrecting = ({ phase, ended }: EpisodeRecord): boolean => phase === 'correcting' && ended === null;

type LiveCallProps = { item: HoldItem; record: EpisodeRecord; onDiscard: () => void };

/** The card of a held call, beside the timeline. */
function LiveCall({ item, record, onDiscard }: LiveCallProps): ReactNode {
  const { total, holds } = useDesk();
  const { episode, key } = item;
  return (
    <CallCard
      item={item}
      record={record}
      onTakenBack={() => navigate(episodeRoute(episode))}
      onDiscard={onDiscard}
      waiting={total + holds.filter((one) => one.key !== key).length}
      onNext={() => navigate({ view: 'desk' })}
      onOpenEpisode={null}
      isBeside
    />
  );
}

/** The same card as at the desk, beside the timeline. */
function LiveAnswer({ item, record }: { item: DeskItem; record: EpisodeRecord }): ReactNode {
  const { total } = useDesk();
  const alone = useMemo(() => [item], [item]);
  const { episode } = item;
  const onNext = (): void => navigate({ view: 'desk' });
  const waiting = Math.max(0, total - 1);
  const state = useQuestion({
    item,
    group: alone,
    record,
    waiting,
    onNext,
    onPassed: onNext,
    onTakenBack: () => navigate(episodeRoute(episode)),
    onOpenEpisode: null,
    isBeside: true,
  });
  return (
    <RecordNames record={record}>
      <AdviceCard
        item={item}
        {...state}
        tools={record.tools}
        waiting={waiting}
        onNext={onNext}
        onOpenEpisode={null}
        keyCover={null}
        isBeside
      />
    </RecordNames>
  );
}

export type HeldCall = {
  /** The call that waits, or the one that stays in front. */
  held: HoldItem | null;
  /** It waits for a decision, or for what was written about it to be kept or discarded. */
  isWaiting: boolean;
  drop: () => void;
};

/**
 * The call that waits. One that was decided here stays in front with what becomes of it, until another one waits; one
 * that was decided elsewhere, while what was written about it is not sent: `drop` lets it go.
 */
export function useHeldCall(record: EpisodeRecord): HeldCall {
  const { own: kept } = useSession();
  const current = useMemo(() => holdItems(record).find(({ type }) => type === 'call') ?? null, [record]);
  const [last, setLast] = useState(current);
  const drop = useCallback(() => setLast(null), []);
  const isOurs = useConsole(
    ({ ui }) =>
      last !== null &&
      (ui.sending.some(({ keys }) => keys.includes(last.key)) ||
        ui.answered.some(({ consultation }) => consultation === last.key)),
  );
  const isLeft = last !== null && last.key !== current?.key && hasWritten(kept, last.key);
  const held = isLeft ? last : (current ?? (isOurs ? last : null));
  if (held !== null && held !== last) setLast(held);
  return { held, isWaiting: held !== null && (held === current || isLeft), drop };
}
