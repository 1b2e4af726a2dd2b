// Additions to a card where a desk has several seats: who is at it, who else gets it, other drafts, earlier answers.
import { CircleAlert, UserRound } from 'lucide-react';
import { memo, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { hasDraft } from '../../../shared/conditions.ts';
import type { DeskItem } from '../../../shared/episode/rowShapes.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { failureShape } from '../../../shared/failure.ts';
import { textHead } from '../../../shared/events/text.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { wasHeld } from '../../state/sendLater.ts';
import { useClockValue } from '../../ui/clock.ts';
import { formatMoment } from '../../ui/time.ts';
import { lazyPart } from '../../ui/LazyPart.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import type { CardExtras } from '../advice/AdviceCard.tsx';
import type { ClosedQuestion } from '../card/closed.ts';
import { Drafts, MakePlan, useRedraft } from '../advice/Drafts.tsx';
import { firstText } from '../advice/routedText.ts';
import { useSnippetEntries } from '../advice/Snippets.tsx';
import type { AdviceState } from '../advice/useAdvice.ts';
import { TaskWords } from '../episode/TaskTitle.tsx';
import { oneLine } from '../episode/taskTitle.ts';
import { TwinMark } from '../episode/twinMarks.ts';
import * as styles from './Desk.module.css';
import type { useRecipients } from './useRecipients.ts';
import { claimedBy, leftTo } from './deskQueue.ts';

const PastAnswers = lazyPart(async () => (await import('../advice/PastAnswers.tsx')).PastAnswers, {
  label: 'Loading earlier answers',
  fallback: null,
});

const SIMILAR = 5;

type CardInput = {
  item: DeskItem;
  group: readonly DeskItem[];
  record: EpisodeRecord;
  advice: AdviceState;
  closed: ClosedQuestion | null;
  recipients: ReturnType<typeof useRecipients>;
  onLeave: () => void;
};

const consultationOf = ({ item }: CardInput): string => item.consultation;

export function useCardExtras(given: CardInput): CardExtras {
  const { item, group, record, advice, closed, recipients, onLeave } = given;
  const { seat, own, store, call } = useSession();
  const [wasKeptBack] = useState(() => wasHeld(own, consultationOf(given)));
  const toast = useToast();
  const { episode, consultation } = item;
  const isOpen = closed === null;
  // Words that hardly ever change: the time alone does not draw the card again.
  const other = useClockValue((now) => claimedBy(item, seat, now) ?? '');
  const moved = useMovedDeadline(item);
  const first = useClockValue((now) => firstText(item, seat, now) ?? '');
  const drafts = record.consultations.find(({ id }) => id === consultation)?.drafts ?? [];
  const redraft = useRedraft(
    drafts,
    isOpen && hasDraft(item.condition)
      ? (hint) => call('desk.redraft', { episode, consultation, hint }).then(() => undefined)
      : null,
  );
  const snippets = useSnippetEntries(advice);
  useClaim(item, isOpen, advice.text);
  const fail = (title: string) => (thrown: unknown) => {
    const { message, next } = failureShape(thrown);
    toast({ tone: 'error', title: `${title}: ${message}`, text: next });
  };
  const pass = (): void => {
    call('desk.pass', { episode, consultation }).then(() => {
      toast({
        tone: 'plain',
        title: 'Passed on',
        text: leftTo(item, store.getState().record.desk.seats, seat),
      });
      onLeave();
    }, fail('Not passed on'));
  };
  const giveLate = (): void => {
    call('desk.advise_late', { episode, consultation, text: advice.text, timing: advice.timing() }).then(
      () => {
        advice.undo();
        toast({ tone: 'ok', title: 'Late advice kept', text: 'The agent never gets it.' });
      },
      fail('Not kept'),
    );
  };
  const count = recipients.chosen.size;
  return {
    banner: isOpen ? (
      <>
        {wasKeptBack ? (
          <p className={styles.note} role="status">
            <CircleAlert aria-hidden="true" />
            Not sent: the page was closed first. Your text is here; send it again.
          </p>
        ) : null}
        {other === '' ? null : (
          <p className={styles.note} role="status">
            <UserRound aria-hidden="true" />
            {`${other} is answering. You can answer too; the first answer counts.`}
          </p>
        )}
        {first === '' ? null : (
          <p className={styles.note} role="status">
            <UserRound aria-hidden="true" />
            {first}
          </p>
        )}
        {moved === null ? null : (
          <p className={styles.note} role="status">
            {`The deadline moved to ${formatMoment(moved)} because someone is writing.`}
          </p>
        )}
        <Recipients front={item} group={group} chosen={recipients.chosen} onToggle={recipients.toggle} />
      </>
    ) : null,
    aside: (
      <PastAnswers
        consultation={consultation}
        find={() =>
          call('advice.similar', { episode, consultation, limit: SIMILAR }).then((found) => found.advice)
        }
        advice={advice}
        isOpen={isOpen}
      />
    ),
    draftTools: (
      <>
        {redraft.form}
        {snippets.naming}
        <Drafts drafts={drafts} advice={advice} />
        <MakePlan
          advice={advice}
          tools={record.tools}
          make={(text) => call('advice.make_plan', { episode, consultation, text })}
        />
      </>
    ),
    more: [...(redraft.entry === null ? [] : [redraft.entry]), ...snippets.entries],
    sendLabel: count > 1 ? `Send to ${String(count)}` : 'Send',
    onPass: pass,
    onLate: closed?.isMissed === true && advice.text.trim() !== '' ? giveLate : null,
  };
}

/** Typing is told at most this often. */
const CLAIM_TYPING_MS = 5_000;
/** A claim is renewed while the person was active within this time. */
const RENEW_MS = 30_000;

const CLAIM_EVENTS = ['pointermove', 'keydown', 'input'] as const;

/** Claims on opening (unless another seat is at it), on typing always, and while the person is there. */
function useClaim(item: DeskItem, isOpen: boolean, text: string): void {
  const { seat, call } = useSession();
  const { episode, consultation } = item;
  const isTaken = useRef(false);
  useLayoutEffect(() => {
    isTaken.current = claimedBy(item, seat, Date.now()) !== null;
  });
  const last = useRef({ text, claimedAt: 0, signAt: 0 });

  useEffect(() => {
    if (!isOpen) return undefined;
    const claim = (): void => {
      if (!isTaken.current) tell(false);
    };
    // What a lost claim costs is said by the next one, or by the answer itself.
    const tell = (isTyping: boolean): void =>
      void call('desk.claim', { episode, consultation, is_typing: isTyping }).catch(() => undefined);
    const live = (): void => {
      last.current.signAt = Date.now();
    };
    if (document.visibilityState === 'visible') claim();
    const renewing = setInterval(() => {
      if (Date.now() - last.current.signAt < RENEW_MS && document.visibilityState === 'visible') claim();
    }, RENEW_MS);
    for (const sign of CLAIM_EVENTS) window.addEventListener(sign, live, { passive: true });
    return () => {
      clearInterval(renewing);
      for (const sign of CLAIM_EVENTS) window.removeEventListener(sign, live);
    };
  }, [call, episode, consultation, isOpen]);

  useEffect(() => {
    const { text: before, claimedAt } = last.current;
    if (!isOpen || text === before) return;
    last.current.text = text;
    // A draft that arrives changes the text too; only a hand at the keyboard is typing.
    const isTyped = Date.now() - last.current.signAt < 1000;
    if (!isTyped || Date.now() - claimedAt < CLAIM_TYPING_MS) return;
    last.current.claimedAt = Date.now();
    void call('desk.claim', { episode, consultation, is_typing: true }).catch(() => undefined);
  }, [call, episode, consultation, isOpen, text]);
}

/** The new deadline (UTC ms), or null while it stands as it was when the card was opened. */
function useMovedDeadline({ deadline_at }: DeskItem): number | null {
  const [first] = useState(deadline_at);
  return first !== null && deadline_at !== null && deadline_at > first ? deadline_at : null;
}

type RecipientsProps = {
  front: DeskItem;
  group: readonly DeskItem[];
  chosen: ReadonlySet<string>;
  onToggle: (consultation: string) => void;
};

/** Recipients of one answer: asks that are alike, each of which can be left out. */
const Recipients = memo(function Recipients({ front, group, chosen, onToggle }: RecipientsProps): ReactNode {
  if (group.length < 2) return null;
  return (
    <fieldset className={styles.recipients}>
      <legend>{`Answer ${String(chosen.size)} of ${String(group.length)}`}</legend>
      <p className="quiet small">
        These episodes are stuck at the same failing call of the same task. Your answer goes to every ticked
        one. It is one decision of yours; a bench counts an answer in each episode.
      </p>
      <ul>
        {group.map((item) => {
          const isFront = item.consultation === front.consultation;
          return (
            <li key={item.consultation}>
              <label>
                <input
                  type="checkbox"
                  checked={isFront || chosen.has(item.consultation)}
                  disabled={isFront}
                  onChange={() => onToggle(item.consultation)}
                />
                <span className={styles.asks}>
                  <TaskWords text={oneLine(textHead(item.question ?? item.task ?? item.episode))} />
                </span>
                <small className="quiet small">
                  {`turn ${String(item.turn)}`}
                  <TwinMark episode={item.episode} />
                </small>
                <RelativeTime at={item.asked_at} />
                {isFront ? <span className="quiet small">this one</span> : null}
              </label>
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
});
