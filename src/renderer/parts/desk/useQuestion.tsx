// One question in front of a person at a desk of several seats: their words, sending them, and what becomes of them.
// The same at the desk and beside a live episode.
import type { ReactNode } from 'react';
import type { DeskItem } from '../../../shared/contract/rows.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { noteAnswered } from '../../state/answered.ts';
import { useDeskPorts } from '../../state/deskPorts.ts';
import { useConsole, useSession, useText, useToast } from '../../state/hooks.ts';
import type { CardExtras } from '../advice/AdviceCard.tsx';
import { doneText, missedText } from '../advice/doneText.ts';
import { useAdvice, type AdviceState, type Done } from '../advice/useAdvice.ts';
import { closedOf, type ClosedQuestion } from '../card/closed.ts';
import { questionWords } from '../card/questionWords.ts';
import { SentBar } from './SentBar.tsx';
import { useCardExtras } from './useCardExtras.tsx';
import { useHolding } from './useHolding.ts';
import { useRecipients } from './useRecipients.ts';

type QuestionInput = {
  item: DeskItem;
  /** Questions that are alike; one answer may go to all of them. */
  group: readonly DeskItem[];
  record: EpisodeRecord;
  /** Other questions that wait. */
  waiting: number;
  onNext: () => void;
  onPassed: () => void;
  onDecided?: (keys: readonly string[]) => void;
  /** Brings the card back in front. */
  onTakenBack: () => void;
  onOpenEpisode: (() => void) | null;
  isBeside: boolean;
};

type QuestionState = {
  advice: AdviceState;
  closed: ClosedQuestion | null;
  extras: CardExtras;
  /** The bar in place of the acts once it was decided here; null before. */
  after: ReactNode;
  /** What was sent; null before. */
  sentText: string | null;
  /** Why it was declined here; null before, and of advice. */
  declined: string | null;
};

export function useQuestion(input: QuestionInput): QuestionState {
  const { item, group, record, waiting, onNext, onPassed, onDecided, onTakenBack } = input;
  const { consultation } = item;
  const { seat, store } = useSession();
  const toast = useToast();
  const acts = useDeskPorts();
  const recipients = useRecipients(item, group);
  const keys = [consultation, ...recipients.also.map((one) => one.consultation)];
  const onDone = (done: Done): void => {
    const hasFailed = (done.also?.failed.length ?? 0) > 0;
    // Where one of several failed, main says which still wait.
    onDecided?.(hasFailed ? [consultation] : keys);
    noteAnswered(
      store,
      group
        .filter((one) => one.consultation === consultation || (!hasFailed && keys.includes(one.consultation)))
        .map((one) => ({
          consultation: one.consultation,
          episode: one.episode,
          label: questionWords(one),
          done: doneText(done),
        })),
    );
    const missed = missedText(done);
    if (missed !== null) toast({ tone: 'error', title: doneText(done), text: missed });
  };
  const ports = useHolding(acts, { keys, deadline_at: item.deadline_at, onDone, onTakenBack });
  const decision = record.consultations.find(({ id }) => id === consultation)?.decision ?? null;
  const isOpen = decision === null && record.ended === null;
  const advice = useAdvice(item, isOpen, ports, onDone, recipients.also);
  const closed = closedOf(record, consultation, seat, advice.text);
  const extras = useCardExtras({ item, group, record, advice, closed, recipients, acts, onLeave: onPassed });
  const sending = useConsole(({ ui }) => ui.sending.find((one) => one.keys.includes(consultation)) ?? null);
  const isAnswered = decision?.type === 'approved' || decision?.type === 'declined';
  const isMine = isAnswered && decision.actor.type === 'human' && decision.actor.id === seat;
  const hasOwnWords = advice.isEdited && closed?.isMine !== true;
  const isSent = (sending !== null && !isAnswered) || (isMine && !hasOwnWords);
  const sent = useText(decision?.type === 'approved' ? decision.text : '');
  return {
    advice,
    closed,
    extras,
    after: isSent ? (
      <SentBar
        record={record}
        consultation={consultation}
        sending={isAnswered ? null : sending}
        waiting={waiting}
        onNext={onNext}
        onOpenEpisode={input.onOpenEpisode}
        isBeside={input.isBeside}
      />
    ) : null,
    sentText: isSent && decision?.type === 'approved' ? sent.text : null,
    declined: isSent && decision?.type === 'declined' ? decision.reason : null,
  };
}

/** Which other seat settled a question on which this person has written nothing; null where none did. */
export function settledBy(
  record: EpisodeRecord,
  consultation: string,
  seat: string,
  { isEdited, reason }: Pick<AdviceState, 'isEdited' | 'reason'>,
): string | null {
  const decision = record.consultations.find(({ id }) => id === consultation)?.decision ?? null;
  if (decision?.type !== 'approved' && decision?.type !== 'declined') return null;
  const { actor } = decision;
  if (actor.type !== 'human' || actor.id === seat || isEdited || reason.trim() !== '') return null;
  return actor.id ?? 'another expert';
}
