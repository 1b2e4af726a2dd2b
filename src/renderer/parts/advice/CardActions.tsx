// The acts that close a question, each with its key; declining asks for its reason in place.
import { Ban, Check, CornerUpRight, Send } from 'lucide-react';
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useKeys } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { Field, Textarea } from '../../ui/Field.tsx';
import { ActBar, actKeys, type CardAct, NextButton } from '../card/DecisionCard.tsx';
import { unlessFresh } from '../card/useFreshness.ts';
import * as styles from './AdviceCard.module.css';
import type { AdviceState } from './useAdvice.ts';
import { LaterAdviceEditor } from './laterAdviceEditor.ts';

/** Of the words only what the acts depend on: a key that changes none of it does not draw them again. */
type ActingAdvice = Pick<
  AdviceState,
  'draft' | 'isEdited' | 'isFresh' | 'busy' | 'reason' | 'accept' | 'send' | 'decline' | 'setReason'
> & { isBlank: boolean };

/** The same while nothing of it changes. */
export function useActingAdvice(advice: AdviceState): ActingAdvice {
  const { draft, isEdited, isFresh, busy, reason, accept, send, decline, setReason } = advice;
  const isBlank = advice.text.trim() === '';
  return useMemo(
    () => ({ draft, isEdited, isFresh, busy, reason, isBlank, accept, send, decline, setReason }),
    [draft, isEdited, isFresh, busy, reason, isBlank, accept, send, decline, setReason],
  );
}

type CardActionsProps = {
  advice: ActingAdvice;
  isClosed: boolean;
  /** Something stands in front of the card: its keys rest. */
  isCovered: boolean;
  /** Whether the draft has been on screen; before that it cannot be accepted. */
  seen: Seen;
  /** Other questions that wait. */
  waiting: number;
  sendLabel: string;
  /** What would surely fail of the words: sending asks once more. */
  fault: string | null;
  onShowDraft: () => void;
  onEdit: () => void;
  /** Shows the steps as text, or the text as steps. */
  onForm: () => void;
  onDiff: () => void;
  onPass: () => void;
  onNext: () => void;
  onOpenEpisode: (() => void) | null;
  /** Puts the focus on the card itself. */
  onLeave: () => void;
};

export const CardActions = memo(function CardActions(props: CardActionsProps): ReactNode {
  const { advice, isClosed, isCovered, waiting, onForm, onDiff, onNext, onOpenEpisode, onLeave } = props;
  const [isDeclining, setIsDeclining] = useState(false);
  const faulty = useFaultySend(props);
  const acts = questionActs({ ...props, advice: faulty.advice }, () => setIsDeclining(true));
  const hasUnseenDraft = advice.draft !== null && !advice.isEdited && props.seen === 'unseen';
  const deciding = {
    ...actKeys(acts),
    // The key that would accept brings the draft on screen first.
    ...(hasUnseenDraft ? { approve: props.onShowDraft } : {}),
    ...(faulty.isAsking ? { send: faulty.sendAsIs } : {}),
    ...(isDeclining ? { send: advice.decline } : {}),
  };
  useKeys({
    ...(isClosed || isCovered ? {} : { ...deciding, 'desk.plan': onForm }),
    differences: onDiff,
    ...(onOpenEpisode === null ? {} : { open: onOpenEpisode }),
  });
  if (isClosed) return null;
  const closeDecline = (): void => {
    setIsDeclining(false);
    onLeave();
  };
  if (isDeclining) return <Decline advice={advice} onClose={closeDecline} />;
  if (faulty.isAsking)
    return <FaultySend {...faulty} isBusy={advice.busy === 'answer'} onEdit={props.onEdit} />;
  return (
    <ActBar
      acts={acts}
      onOpenEpisode={onOpenEpisode}
      {...(hasUnseenDraft ? { writing: <Unseen onShow={props.onShowDraft} /> } : {})}
    >
      <NextButton waiting={waiting} onNext={onNext} />
    </ActBar>
  );
});

/** So long after a button was pressed a second press is a part of the first. */
const SECOND_PRESS_MS = 500;

/** Keeps the focus where it is while the second press of a double click may come. Returns its undo. */
function ignorePresses(): () => void {
  const ignore = (event: MouseEvent): void => event.preventDefault();
  const undo = (): void => window.removeEventListener('mousedown', ignore, true);
  window.addEventListener('mousedown', ignore, true);
  const timer = setTimeout(undo, SECOND_PRESS_MS);
  return () => {
    clearTimeout(timer);
    undo();
  };
}

/** Sending what would surely fail is asked about once, until the words are others. */
function useFaultySend({ advice, fault }: Pick<CardActionsProps, 'advice' | 'fault'>) {
  const [asked, setAsked] = useState<{ fault: string; at: number } | null>(null);
  const isAsking = asked !== null && asked.fault === fault;
  const ask = (): void => setAsked(fault === null ? null : { fault, at: performance.now() });
  const sendAsIs = (): void => {
    if (asked !== null && performance.now() - asked.at > SECOND_PRESS_MS) advice.send();
  };
  return {
    advice: fault === null ? advice : { ...advice, send: ask },
    fault,
    isAsking,
    sendAsIs,
    onBack: () => setAsked(null),
  };
}

type FaultySendProps = Omit<ReturnType<typeof useFaultySend>, 'advice' | 'isAsking'> & {
  isBusy: boolean;
  onEdit: () => void;
};

function FaultySend({ fault, isBusy, sendAsIs, onBack, onEdit }: FaultySendProps): ReactNode {
  return (
    <ActBar
      writing={
        <p className={styles.unseen} role="alert">
          {`Not sent yet: the environment would refuse it. ${fault ?? ''}`}
          <Button
            size="small"
            onClick={() => {
              onBack();
              onEdit();
            }}
          >
            Edit it
          </Button>
        </p>
      }
      acts={[
        {
          chord: 'send',
          label: 'Send it as it is',
          icon: <Send />,
          tone: 'danger',
          isBusy,
          run: sendAsIs,
        },
      ]}
    />
  );
}

const Unseen = ({ onShow }: { onShow: () => void }): ReactNode => (
  <p className={styles.unseen} role="status">
    {UNSEEN}
    <Button size="small" tone="quiet" onClick={onShow}>
      Show the draft
    </Button>
  </p>
);

const UNSEEN = 'You have not seen the draft yet.';

function questionActs(props: CardActionsProps, onDecline: () => void): CardAct[] {
  const { advice, seen, sendLabel, onEdit, onPass } = props;
  const isSeen = seen === 'seen';
  const { draft, isEdited, isFresh, busy, isBlank } = advice;
  const isDraft = draft !== null && !isEdited;
  const accept: CardAct = {
    chord: 'approve',
    label: 'Accept',
    icon: <Check />,
    tone: isDraft ? 'primary' : 'plain',
    isDisabled: !isDraft || !isSeen || busy !== null,
    title: isEdited ? 'You edited the draft. Send it, or restore the draft.' : isSeen ? undefined : UNSEEN,
    run: unlessFresh(isFresh, advice.accept),
  };
  const send: CardAct = {
    chord: 'send',
    label: sendLabel,
    icon: <Send />,
    tone: isDraft ? 'quiet' : 'primary',
    isBusy: busy === 'answer',
    isDisabled: isBlank || (isDraft && !isSeen),
    title: isDraft && !isSeen ? UNSEEN : undefined,
    run: unlessFresh(isFresh, advice.send),
  };
  return [
    ...(draft === null ? [] : [accept]),
    { chord: 'edit', label: 'Edit', tone: isDraft ? 'plain' : 'quiet', run: onEdit },
    send,
    {
      chord: 'decline',
      label: 'Decline',
      icon: <Ban />,
      tone: 'quiet',
      title: 'Tell the agent that no advice comes, and why',
      run: onDecline,
    },
    {
      chord: 'desk.pass',
      label: 'Pass',
      icon: <CornerUpRight />,
      tone: 'quiet',
      title: 'Not sure? Leave it to another expert',
      run: unlessFresh(isFresh, onPass),
    },
  ];
}

function Decline({ advice, onClose }: { advice: ActingAdvice; onClose: () => void }): ReactNode {
  const { reason, busy, setReason, decline } = advice;
  const field = useRef<HTMLTextAreaElement>(null);
  // At once, so that not a letter of the reason is taken for a command; and a second press does not take it away again.
  useLayoutEffect(() => {
    field.current?.focus();
    return ignorePresses();
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onClose();
  };
  const isDisabled = reason.trim() === '';
  const isBusy = busy === 'decline';
  return (
    <ActBar
      writing={
        <Field label="Why are you declining? The agent reads this.">
          <Textarea
            ref={field}
            rows={2}
            required
            value={reason}
            onChange={({ target }) => setReason(target.value)}
            onKeyDown={onKeyDown}
          />
        </Field>
      }
      acts={[
        {
          chord: 'send',
          label: 'Decline',
          icon: <Ban />,
          tone: 'danger',
          isBusy,
          isDisabled,
          run: decline,
        },
      ]}
      onBack={onClose}
    />
  );
}

/** `unknown` until it was looked for: then a note that it was not seen would push it off the screen. */
type Seen = 'unknown' | 'unseen' | 'seen';

/**
 * `seen` once the element was in view while `key` was what it showed; folded, covered or scrolled away it is not.
 * Text is on screen once its editor is fetched; the steps of a plan at once.
 */
export function useSeen(element: RefObject<Element | null>, key: string | null, isText: boolean): Seen {
  const [found, setFound] = useState<{ key: string; seen: Seen } | null>(null);
  const seen = found !== null && found.key === key ? found.seen : 'unknown';
  const isSeen = seen === 'seen';
  useEffect(() => {
    const target = element.current;
    if (key === null || isSeen || target === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      const isInView = entries.some(({ isIntersecting }) => isIntersecting);
      setFound({ key, seen: isInView ? 'seen' : 'unseen' });
    });
    let isGone = false;
    // Before the editor is there, its place is empty.
    if (isText) void LaterAdviceEditor.preload().then(() => (isGone ? undefined : observer.observe(target)));
    else observer.observe(target);
    return () => {
      isGone = true;
      observer.disconnect();
    };
  }, [element, key, isSeen, isText]);
  return seen;
}
