// What a desk of several seats adds to a card: who is at it, who else gets it, other drafts, earlier answers.
import { CircleAlert, UserRound } from 'lucide-react';
import { hasDraft } from '../../../shared/conditions.ts';
import { useState } from 'react';
import type { DeskItem } from '../../../shared/contract/rows.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { failureShape } from '../../../shared/failure.ts';
import type { DeskPorts } from '../../state/deskPorts.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { wasHeld } from '../../state/notSent.ts';
import { useClockValue } from '../../ui/clock.ts';
import { formatMoment } from '../../ui/time.ts';
import type { CardExtras } from '../advice/AdviceCard.tsx';
import type { ClosedQuestion } from '../card/closed.ts';
import { Drafts, useRedraft } from '../advice/Drafts.tsx';
import { MakePlan } from '../advice/MakePlan.tsx';
import { PastAnswers } from '../advice/PastAnswers.tsx';
import { firstText } from '../advice/routedText.ts';
import { useSnippetEntries } from '../advice/Snippets.tsx';
import type { AdviceState } from '../advice/useAdvice.ts';
import * as styles from './Desk.module.css';
import { Recipients } from './Recipients.tsx';
import { useClaim } from './useClaim.ts';
import { useMovedDeadline } from './useMovedDeadline.ts';
import type { useRecipients } from './useRecipients.ts';
import { claimedBy, leftTo } from './deskQueue.ts';

const SIMILAR = 5;

type CardInput = {
  item: DeskItem;
  group: readonly DeskItem[];
  record: EpisodeRecord;
  advice: AdviceState;
  closed: ClosedQuestion | null;
  recipients: ReturnType<typeof useRecipients>;
  acts: DeskPorts;
  onLeave: () => void;
};

const consultationOf = ({ item }: CardInput): string => item.consultation;

export function useCardExtras(given: CardInput): CardExtras {
  const { item, group, record, advice, closed, recipients, acts, onLeave } = given;
  const { seat, own, store } = useSession();
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
      ? (hint) => acts.redraft({ episode, consultation, hint }).then(() => undefined)
      : null,
  );
  const snippets = useSnippetEntries(advice);
  useClaim(item, isOpen, advice.text, acts.claim);
  const fail = (title: string) => (thrown: unknown) => {
    const { message, next } = failureShape(thrown);
    toast({ tone: 'error', title: `${title}: ${message}`, text: next });
  };
  const pass = (): void => {
    acts.pass({ episode, consultation }).then(() => {
      toast({
        tone: 'plain',
        title: 'Passed on',
        text: leftTo(item, store.getState().record.desk.seats, seat),
      });
      onLeave();
    }, fail('Not passed on'));
  };
  const giveLate = (): void => {
    acts.adviseLate({ episode, consultation, text: advice.text, timing: advice.timing() }).then(() => {
      advice.undo();
      toast({ tone: 'ok', title: 'Late advice kept', text: 'The agent never gets it.' });
    }, fail('Not kept'));
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
        find={() => acts.similar({ episode, consultation, limit: SIMILAR }).then((found) => found.advice)}
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
          make={(text) => acts.makePlan({ episode, consultation, text })}
        />
      </>
    ),
    more: [...(redraft.entry === null ? [] : [redraft.entry]), ...snippets.entries],
    sendLabel: count > 1 ? `Send to ${String(count)}` : 'Send',
    onPass: pass,
    onLate: closed?.isMissed === true && advice.text.trim() !== '' ? giveLate : null,
  };
}
