// The bar of a card that was decided here: first the undo, then what became of it, in the place of the acts.
import { Send, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { adviceOutcome, endOf } from '../../../shared/episode/adviceOutcome.ts';
import type { Consultation, EpisodeRecord } from '../../../shared/episode/record.ts';
import { useConsole, useKeys, useSession } from '../../state/hooks.ts';
import { isViewOf, useRole } from '../../state/role.ts';
import { formatRoute } from '../../state/route.ts';
import { changeUi, type SendingDecision } from '../../state/store.ts';
import { Button } from '../../ui/Button.tsx';
import { doneText } from '../advice/doneText.ts';
import { ActBar } from '../card/DecisionCard.tsx';
import { useSecondsLeft } from '../card/Undo.tsx';
import * as styles from './SentBar.module.css';

type SentBarProps = {
  record: EpisodeRecord;
  consultation: string;
  /** While it can be taken back, or is on its way. */
  sending: SendingDecision | null;
  /** Other questions that wait. */
  waiting: number;
  onNext: () => void;
  onOpenEpisode: (() => void) | null;
  /** The timeline beside the card has Enter for itself. */
  isBeside: boolean;
};

export function SentBar(props: SentBarProps): ReactNode {
  const { record, consultation, sending, waiting, onNext, onOpenEpisode, isBeside } = props;
  const { store } = useSession();
  const next = (): void => {
    changeUi(store, () => ({ nextAskedAt: Date.now() }));
    onNext();
  };
  useKeys('desk', { 'desk.next': next, ...(isBeside ? {} : { 'desk.open': next }) });
  const isUndoable = sending !== null && !sending.isGone;
  const asked = record.consultations.find(({ id }) => id === consultation);
  return (
    <ActBar
      acts={[]}
      about={consultation}
      lead={
        isUndoable ? (
          <Undoable sending={sending} />
        ) : (
          <Outcome record={record} consultation={asked} sending={sending} />
        )
      }
    >
      {onOpenEpisode === null ? null : (
        <Button tone="quiet" onClick={onOpenEpisode}>
          Episode
        </Button>
      )}
      <Button tone={isUndoable ? 'plain' : 'primary'} chord="desk.next" onClick={next}>
        {waiting > 0 ? 'Next' : 'Done'}
      </Button>
    </ActBar>
  );
}

function Undoable({ sending }: { sending: SendingDecision }): ReactNode {
  const left = useSecondsLeft(sending);
  return (
    <span className={styles.undo} data-undo>
      <p className={styles.said} role="status" title={sending.title}>
        {sending.title}
      </p>
      <Button tone="primary" icon={<Undo2 />} chord="desk.take_back" onClick={sending.takeBack}>
        {`Undo ${String(left)} s`}
      </Button>
      <Button tone="quiet" icon={<Send />} onClick={sending.sendNow}>
        Send now
      </Button>
    </span>
  );
}

type OutcomeProps = {
  record: EpisodeRecord;
  consultation: Consultation | undefined;
  sending: SendingDecision | null;
};

/** What was done with the question, and what came of it as far as that is known. */
function Outcome({ record, consultation, sending }: OutcomeProps): ReactNode {
  const done = useConsole(
    ({ ui }) => ui.answered.find((one) => one.consultation === consultation?.id)?.done ?? null,
  );
  const decision = consultation?.decision ?? null;
  const act = decision?.type === 'approved' ? decision.act : 'decline';
  const outcome = consultation === undefined ? null : adviceOutcome(record, consultation);
  return (
    <p className={styles.said} role="status">
      {outcome === null ? (
        (sending?.title ?? 'Sending')
      ) : (
        <>
          <span className={styles.done}>{`${done ?? doneText({ type: act })}. `}</span>
          <strong className={styles.outcome}>{outcome}</strong> <WhyFailed record={record} />
        </>
      )}
    </p>
  );
}

/** The way to the step at which the verifier spoke. */
export function WhyFailed({ record }: { record: EpisodeRecord }): ReactNode {
  const canReplay = isViewOf('replay', useRole());
  const end = endOf(record);
  if (end === null || (end.kind !== 'failed' && end.kind !== 'partly')) return null;
  const verdict = record.timeline.findLast(({ type }) => type === 'verified')?.n ?? null;
  const route = canReplay
    ? ({ view: 'replay', episode: record.id, n: verdict } as const)
    : ({ view: 'live', episode: record.id } as const);
  return <a href={formatRoute(route)}>See why</a>;
}
