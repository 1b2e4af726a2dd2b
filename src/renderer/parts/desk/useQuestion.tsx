// One question in front of a person at a desk of several seats: their words, sending them, and what becomes of them.
// The same at the desk and beside a live episode.
import type { ReactNode } from 'react';
import type { DeskItem } from '../../../shared/episode/rowShapes.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { adviceOutcome } from '../../../shared/episode/uptake.ts';
import { noteAnswered } from '../../state/answered.ts';
import { useConsole, useSession, useText, useToast } from '../../state/hooks.ts';
import type { SendingDecision } from '../../state/store.ts';
import type { CardExtras } from '../advice/AdviceCard.tsx';
import { type AdvicePorts, type AdviceState, type Done, useAdvice } from '../advice/useAdvice.ts';
import { closedOf, type ClosedQuestion } from '../card/closed.ts';
import { questionWords } from '../card/questionWords.ts';
import { Became, DecidedBar, type NextCard, useDoneHere } from '../card/DecidedBar.tsx';
import { useHold } from '../../state/sendLater.ts';
import { useCardExtras } from './useCardExtras.tsx';
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
  const { seat, store, call } = useSession();
  const toast = useToast();
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
  const hold = useHold({ keys, deadline_at: item.deadline_at, onTakenBack });
  const ports: AdvicePorts = {
    answer: (given) => call('desk.answer', given),
    decline: (given) => call('desk.decline', given),
    hold: ({ run, ...decision }) => hold({ ...decision, run: () => run().then(onDone) }),
  };
  const decision = record.consultations.find(({ id }) => id === consultation)?.decision ?? null;
  const isOpen = decision === null && record.ended === null;
  const advice = useAdvice(item, isOpen, ports, onDone, recipients.also);
  const closed = closedOf(record, consultation, seat, advice.text);
  const extras = useCardExtras({ item, group, record, advice, closed, recipients, onLeave: onPassed });
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

/** The other seat that settled a question on which this person has written nothing; null where none did. */
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

type SentBarProps = NextCard & {
  record: EpisodeRecord;
  consultation: string;
  /** While it can be taken back, or is on its way. */
  sending: SendingDecision | null;
};

/** The bar of a question that was answered here: the undo, then whether the agent followed the answer. */
function SentBar({ record, consultation, sending, ...next }: SentBarProps): ReactNode {
  const said = useDoneHere(consultation);
  const asked = record.consultations.find(({ id }) => id === consultation);
  const decision = asked?.decision ?? null;
  const act = decision?.type === 'approved' ? decision.act : 'decline';
  const outcome = asked === undefined ? null : adviceOutcome(record, asked);
  const done = outcome === null ? null : (said ?? doneText({ type: act }));
  return (
    <DecidedBar {...next} about={consultation} sending={sending}>
      <Became record={record} done={done} outcome={outcome} sending={sending} />
    </DecidedBar>
  );
}

const DONE_LABELS: Readonly<Record<Done['type'], string>> = {
  accept: 'Draft accepted and sent',
  edit: 'Edited draft sent',
  send: 'Advice sent',
  decline: 'Declined; the agent reads your reason',
};

/** `Advice sent, to 6 of 8: 1 was already answered`. */
function doneText({ type, also }: Done): string {
  const others = (also?.answered ?? 0) + (also?.failed.length ?? 0);
  if (also === undefined || others === 0) return DONE_LABELS[type];
  return `${DONE_LABELS[type]}, to ${String(also.answered + 1)} of ${String(others + 1)}`;
}

/** Failures of some; null if all got it. */
function missedText({ also }: Done): string | null {
  if (also === undefined || also.failed.length === 0) return null;
  const reasons = [...new Set(also.failed.map(({ message }) => message))];
  return `${String(also.failed.length)} did not get it: ${reasons.join('; ')}.`;
}
