// A held call in front of a person: why it waits and until when, what the agent proposed, and what to do about it.
// The same card stands beside a timeline and at the desk.
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import type { HoldItem } from '../../../shared/contract/rows.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { placeInReply } from '../../../shared/episode/holds.ts';
import { toolWords } from '../../../shared/sentences/words.ts';
import { noteAnswered } from '../../state/answered.ts';
import { useKeys, useSession } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { CardHead, placeOf } from '../card/CardHead.tsx';
import { closedCallOf, type Closed } from '../card/closed.ts';
import { heldDeadline } from '../card/deadline.ts';
import type { NextCard } from '../card/DecidedBar.tsx';
import { ActBar, actKeys, ClosedNotice, DecisionCard, NextButton } from '../card/DecisionCard.tsx';
import { holdWords } from '../card/questionWords.ts';
import { useHold } from '../card/useHold.ts';
import { CallPreview } from '../preview/CallPreview.tsx';
import { RecordNames } from '../plan/Names.tsx';
import { barActs, type EnterMode } from './CallActions.tsx';
import * as styles from './CallCard.module.css';
import { CallBefore, CallDecidedBar } from './CallDecidedBar.tsx';
import { callModeOf } from './callModes.tsx';
import { ProposedCall } from './ProposedCall.tsx';
import { useCallDecided } from './useCallDecided.ts';
import { callDoneText, useCallDecision, type CallState } from './useCallDecision.ts';
import { firstField, toolField, useFocusNext } from './useFocusNext.ts';
import { writtenWrongs } from './writtenCall.ts';

type CallCardProps = NextCard & {
  item: HoldItem;
  record: EpisodeRecord;
  /** It was decided here. */
  onDecided?: () => void;
  /** Brings the card back in front. */
  onTakenBack: () => void;
  /** What was written about it was discarded. */
  onDiscard?: () => void;
  /** Its task, where no episode's head stands beside it. */
  task?: ReactNode;
  /** Earlier calls, where no timeline stands beside it. */
  context?: ReactNode;
  /** Where to go on once another seat, a deadline or the end of the episode closed it. */
  next?: ReactNode;
};

export function CallCard(props: CallCardProps): ReactNode {
  const { item, record, onDecided, onTakenBack, onDiscard, task, context, next } = props;
  const { waiting, onNext, onOpenEpisode, isBeside } = props;
  const { tools } = record;
  const { seat, store, call: send } = useSession();
  const body = useRef<HTMLDivElement>(null);
  const settled = closedCallOf(record, item.call?.id ?? '', seat);
  const decision = useCallDecided(item, record);
  const hold = useHold({ keys: [item.key], deadline_at: item.deadline_at, onTakenBack });
  const isOpen = settled === null && decision === null;
  const state = useCallDecision(item, tools, isOpen, { send, hold }, (done) => {
    const { key, episode, call: held } = item;
    const said = { label: holdWords(item), done: callDoneText(done, item) };
    noteAnswered(store, [{ consultation: key, episode, ...said, call: held?.id ?? '' }]);
    onDecided?.();
  });
  // What is written and not sent was not decided by it.
  const decided = settled !== null && state.isWritten ? null : decision;
  const closed = decided === null ? settled : null;
  useLeavingFields(body, decided !== null);
  const enter = useEntering(state, body);
  const canSend = writtenWrongs(state.written, tools).length === 0;
  const bar = barActs(state, canSend, enter);
  useKeys('call', isOpen ? actKeys([...bar.acts, ...bar.more]) : {});
  const { call, why } = item;
  if (call === null) return null;
  const { mode } = state.draft;
  const Writing = callModeOf(state)?.Writing ?? null;
  return (
    <DecisionCard
      label="Held call"
      isFresh={state.isFresh}
      head={
        <CardHead
          since={isOpen ? item.since : null}
          deadlineFrom={(now) => heldDeadline(item, now)}
          why={
            <>
              <p className={styles.why}>{`This call ${why.startsWith('held ') ? `is ${why}` : why}.`}</p>
              <InReply record={record} turn={item.turn} />
            </>
          }
          place={placeOf(item)}
        />
      }
      body={body}
      onBodyKeyDown={(event) => {
        if (event.key !== 'Escape' || event.target === body.current) return;
        event.preventDefault();
        body.current?.focus();
      }}
      failure={failureOf(state)}
      acts={
        decided !== null ? (
          <CallDecidedBar
            item={item}
            record={record}
            decided={decided}
            {...{ waiting, onNext, onOpenEpisode, isBeside }}
          />
        ) : isOpen ? (
          <ActBar {...bar} onOpenEpisode={mode === 'decide' ? onOpenEpisode : null}>
            {mode === 'decide' ? <NextButton waiting={waiting} onNext={onNext} /> : null}
          </ActBar>
        ) : null
      }
    >
      {closed === null ? null : <WhyClosed closed={closed} state={state} onDiscard={onDiscard} />}
      {isOpen ? <CallBefore item={item} record={record} /> : null}
      {task}
      {context}
      {call.said === '' ? null : <p className={styles.said}>{call.said}</p>}
      <RecordNames record={record}>
        {isOpen && mode === 'decide' ? null : (
          <ProposedCall call={call} tools={tools} isReplaced={mode === 'edit'} />
        )}
        {Writing === null ? null : (
          <Writing state={state} call={call} tools={tools} isOff={!isOpen} isTapped={item.is_tapped} />
        )}
        {isOpen ? <CallPreview item={item} state={state} tools={tools} /> : null}
      </RecordNames>
      {closed === null ? null : next}
    </DecisionCard>
  );
}

/** Which call of its reply it is, where there are several: each is decided by itself. */
function InReply({ record, turn }: { record: EpisodeRecord; turn: number }): ReactNode {
  const place = placeInReply(record, turn);
  if (place === null) return null;
  const { nth, names } = place;
  return (
    <p className={styles.inReply}>
      {`Call ${String(nth)} of ${String(names.length)} in one reply`}
      <span>
        {names.map((name, i) => (
          <span key={i} className={cx(i === nth - 1 && styles.isThis)}>
            {toolWords(name)}
          </span>
        ))}
      </span>
    </p>
  );
}

function failureOf({ failure, canSendUnchecked, draft, edit }: CallState) {
  if (failure === null) return null;
  const title = failure.code === 'already_answered' ? 'Not sent' : 'The call is not decided yet';
  if (!canSendUnchecked || draft.mode !== 'edit') return { title, failure };
  const action = (
    <Button size="small" onClick={() => edit(true)}>
      Send unchecked
    </Button>
  );
  return { title, failure, action };
}

type WhyClosedProps = { closed: Closed; state: CallState; onDiscard: (() => void) | undefined };

function WhyClosed({ closed, state, onDiscard }: WhyClosedProps): ReactNode {
  const text = callModeOf(state)?.text(state) ?? state.draft.reason;
  const unsent = {
    text,
    message: 'Your text was not sent. It is kept here.',
    discard: 'Discard it',
    onDiscard: () => {
      state.forget();
      onDiscard?.();
    },
  };
  return <ClosedNotice closed={closed} unsent={state.isWritten && text !== '' ? unsent : null} />;
}

/** Going into a mode puts the focus where it is written in. */
function useEntering(state: CallState, body: RefObject<HTMLDivElement | null>): EnterMode {
  const focusNext = useFocusNext(body);
  return (mode, first) => {
    focusNext(mode === 'decide' ? (frame) => frame : first === 'tool' ? toolField : firstField);
    state.enter(mode);
  };
}

/** What was written in rests with the decision: the keys that follow are the bar's. */
function useLeavingFields(body: RefObject<HTMLDivElement | null>, isDecided: boolean): void {
  useEffect(() => {
    const { current } = body;
    if (isDecided && current?.contains(document.activeElement) === true) current.focus();
  }, [body, isDecided]);
}
