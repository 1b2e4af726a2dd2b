// The bar of a card that was decided here: first the undo, then what became of it, in the place of the acts.
import { Send, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { endOf } from '../../../shared/episode/uptake.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { useConsole, useKeys, useSession } from '../../state/hooks.ts';
import { isViewOf, useRole } from '../../state/role.ts';
import { episodeRoute, formatRoute } from '../../state/route.ts';
import { changeUi, type SendingDecision } from '../../state/store.ts';
import { Button } from '../../ui/Button.tsx';
import { VisibleText } from '../text/VisibleText.tsx';
import { ActBar } from './DecisionCard.tsx';
import { useSecondsLeft } from './Undo.tsx';
import * as styles from './DecidedBar.module.css';

/** The decision on this card while it can be taken back, or is on its way; null before and after. */
export const useSendingOf = (key: string): SendingDecision | null =>
  useConsole(({ ui }) => ui.sending.find(({ keys }) => keys.includes(key)) ?? null);

/** The act done with it here, in words; null where there was none. */
export const useDoneHere = (key: string | null): string | null =>
  useConsole(({ ui }) => ui.answered.find(({ consultation }) => consultation === key)?.done ?? null);

/** The next card after one that was decided. */
export type NextCard = {
  /** Other cards that wait. */
  waiting: number;
  onNext: () => void;
  onOpenEpisode: (() => void) | null;
  /** The timeline beside the card has Enter for itself. */
  isBeside: boolean;
};

type DecidedBarProps = NextCard & {
  /** The card it is the bar of. */
  about: string;
  sending: SendingDecision | null;
  /** What became of it, once it is too late for an undo. */
  children: ReactNode;
};

export function DecidedBar(props: DecidedBarProps): ReactNode {
  const { about, sending, waiting, onNext, onOpenEpisode, isBeside, children } = props;
  const { store } = useSession();
  const next = (): void => {
    changeUi(store, () => ({ nextAskedAt: Date.now() }));
    onNext();
  };
  useKeys({ 'desk.next': next, ...(isBeside ? {} : { open: next }) });
  const isUndoable = sending !== null && !sending.isGone;
  return (
    <ActBar acts={[]} about={about} lead={isUndoable ? <Undoable sending={sending} /> : children}>
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
        <VisibleText text={sending.title} />
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

type BecameProps = {
  record: EpisodeRecord;
  /** What was done; null while it is on its way. */
  done: string | null;
  /** What came of it as far as that is known. */
  outcome: string | null;
  sending: SendingDecision | null;
};

/** The act, and what came of it. */
export const Became = ({ record, done, outcome, sending }: BecameProps): ReactNode => (
  <p className={styles.said} role="status">
    {done === null ? (
      <VisibleText text={sending?.title ?? 'Sending'} />
    ) : (
      <>
        <span className="soft">
          <VisibleText text={`${done}. `} />
        </span>
        {outcome === null ? null : (
          <strong className="strong">
            <VisibleText text={outcome} />
          </strong>
        )}{' '}
        <WhyFailed record={record} />
      </>
    )}
  </p>
);

/** The way to the step at which the verifier spoke, or to the episode for who may not replay it. */
function WhyFailed({ record }: { record: EpisodeRecord }): ReactNode {
  const canReplay = isViewOf('episodes', useRole());
  const end = endOf(record);
  if (end === null || (end.kind !== 'failed' && end.kind !== 'partly')) return null;
  const verdict = record.timeline.findLast(({ type }) => type === 'verified')?.n ?? null;
  const route = episodeRoute(record.id, canReplay ? verdict : null);
  return <a href={formatRoute(route)}>{canReplay ? 'See why' : 'See the episode'}</a>;
}
