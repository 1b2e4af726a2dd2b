// A held call in front of a person: why it waits and until when, what the agent proposed, and what to do about it.
// The same card stands beside a timeline and at the desk.
import { useRef, type ReactNode, type RefObject } from 'react';
import type { HoldItem } from '../../../shared/contract/rows.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { placeInReply } from '../../../shared/episode/severalCalls.ts';
import { useKeys, useSession, useToast } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { CardHead, placeOf } from '../card/CardHead.tsx';
import { closedCallOf, type Closed } from '../card/closed.ts';
import { heldDeadline } from '../card/deadline.ts';
import { ActBar, actKeys, ClosedNotice, DecisionCard } from '../card/DecisionCard.tsx';
import { CallPreview } from '../preview/CallPreview.tsx';
import { DataValue } from '../text/DataText.tsx';
import { callActs, sendActs, type EnterMode } from './CallActions.tsx';
import * as styles from './CallCard.module.css';
import { callModeOf } from './callModes.tsx';
import { callDoneText, useCallDecision, type CallState } from './useCallDecision.ts';
import { firstField, toolField, useFocusNext } from './useFocusNext.ts';
import { writtenWrongs } from './writtenCall.ts';

type CallCardProps = {
  item: HoldItem;
  record: EpisodeRecord;
  /** It was decided here. */
  onDone: () => void;
  /** What was written about it was discarded. */
  onDiscard?: () => void;
  /** Its task, where no episode's head stands beside it. */
  task?: ReactNode;
  /** Earlier calls, where no timeline stands beside it. */
  context?: ReactNode;
  /** Opens the episode beside the card; null where it is there already. */
  onOpenEpisode: (() => void) | null;
  /** Where to go on once it is closed. */
  next?: ReactNode;
};

export function CallCard(props: CallCardProps): ReactNode {
  const { item, record, onDone, onDiscard, task, context, onOpenEpisode, next } = props;
  const { tools } = record;
  const { seat, call: ask } = useSession();
  const toast = useToast();
  const body = useRef<HTMLDivElement>(null);
  const closed = closedCallOf(record, item.call?.id ?? '', seat);
  const state = useCallDecision(item, tools, closed === null, ask, (done) => {
    toast({ tone: 'ok', title: callDoneText(done, item) });
    onDone();
  });
  const enter = useEntering(state, body);
  const canSend = writtenWrongs(state.written, tools).length === 0;
  const deciding = callActs(state, enter);
  const sending = sendActs(state, canSend, enter);
  useKeys('call', closed === null ? actKeys([...deciding.acts, ...deciding.more, ...sending]) : {});
  const { call, why } = item;
  if (call === null) return null;
  const isEditing = state.draft.mode === 'edit';
  const Writing = callModeOf(state)?.Writing ?? null;
  return (
    <DecisionCard
      label="Held call"
      isFresh={state.isFresh}
      head={
        <CardHead
          since={closed === null ? item.since : null}
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
        closed === null ? (
          <ActBar
            {...(sending.length > 0 ? { acts: sending } : deciding)}
            onOpenEpisode={sending.length > 0 ? null : onOpenEpisode}
          />
        ) : null
      }
    >
      {closed === null ? null : <WhyClosed closed={closed} state={state} onDiscard={onDiscard} />}
      {task}
      {call.said === '' ? null : <p className={styles.said}>{call.said}</p>}
      <div className={cx(isEditing && styles.struck)}>
        <DataValue
          label={`${isEditing ? 'Proposed, will not be sent' : 'Proposed'}: ${call.tool_name}`}
          value={call.arguments}
        />
      </div>
      {Writing === null ? null : (
        <Writing state={state} tools={tools} isOff={closed !== null} isTapped={item.is_tapped} />
      )}
      {context}
      {closed === null ? <CallPreview item={item} state={state} tools={tools} /> : next}
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
            {name}
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
