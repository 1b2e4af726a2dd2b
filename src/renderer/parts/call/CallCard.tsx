// A held call in front of a person: why it waits and until when, what the agent proposed, and what to do about it.
// The same card stands beside a timeline and at the desk.
import { Check, CheckCheck, Ban, PencilLine, Replace, Send, Wrench } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import type { HoldItem } from '../../../shared/episode/rowShapes.ts';
import { callOutcome } from '../../../shared/episode/callOutcome.ts';
import { placeInReply } from '../../../shared/episode/calls.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import type { JsonObject } from '../../../shared/events/turns.ts';
import { toolWords } from '../../../shared/sentences/words.ts';
import { noteAnswered } from '../../state/answered.ts';
import { useConsole, useKeys, useSession } from '../../state/hooks.ts';
import { useHold } from '../../state/sendLater.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { Field, Textarea } from '../../ui/Field.tsx';
import { type Closed, closedCallOf } from '../card/closed.ts';
import { heldDeadline } from '../card/deadline.ts';
import { Became, DecidedBar, type NextCard, useDoneHere } from '../card/DecidedBar.tsx';
import {
  ActBar,
  actKeys,
  type CardAct,
  CardHead,
  ClosedNotice,
  DecisionCard,
  NextButton,
  placeOf,
} from '../card/DecisionCard.tsx';
import { holdWords } from '../card/questionWords.ts';
import { unlessFresh } from '../card/useFreshness.ts';
import { RecordNames } from '../plan/Names.tsx';
import { PlanEffect } from '../preview/PlanEffect.tsx';
import { usePlanEffect } from '../preview/usePlanEffect.ts';
import { VisibleText } from '../text/VisibleText.tsx';
import * as styles from './CallCard.module.css';
import { CallForm } from './CallForm.tsx';
import { ProposedCall } from './ProposedCall.tsx';
import {
  type CallDecided,
  callDoneText,
  type CallState,
  firstField,
  Mode,
  toolField,
  useCallDecided,
  useCallDecision,
  useFocusNext,
  useWrittenCall,
} from './useCallDecision.ts';
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
  useKeys(isOpen ? actKeys([...bar.acts, ...bar.more]) : {});
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

/** The call's place in its reply, if there are several: each is decided by itself. */
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

/** Takes the focus off fields after the decision: keys are the bar's then. */
function useLeavingFields(body: RefObject<HTMLDivElement | null>, isDecided: boolean): void {
  useEffect(() => {
    const { current } = body;
    if (isDecided && current?.contains(document.activeElement) === true) current.focus();
  }, [body, isDecided]);
}

type EnterMode = (mode: Mode, first?: 'tool') => void;

/** The acts while nothing is written, and the less-used ones behind "More". */
function callActs(state: CallState, enter: EnterMode): { acts: CardAct[]; more: CardAct[] } {
  const { busy } = state;
  const ways = Mode.options.flatMap((mode) =>
    mode === 'decide'
      ? []
      : CALL_MODES[mode].ways.map(({ first, isRare = false, ...way }) => ({
          isRare,
          act: { ...way, run: () => enter(mode, first) },
        })),
  );
  const acts: CardAct[] = [
    {
      chord: 'approve',
      label: 'Approve',
      icon: <Check />,
      tone: 'primary',
      isBusy: busy === 'approved',
      run: unlessFresh(state.isFresh, () => state.approve(false)),
    },
    ...ways.flatMap(({ isRare, act }) => (isRare ? [] : [act])),
  ];
  const more: CardAct[] = [
    {
      chord: 'call.approve_similar',
      label: 'Approve and allow similar calls',
      icon: <CheckCheck />,
      isDisabled: busy !== null,
      run: unlessFresh(state.isFresh, () => state.approve(true)),
    },
    ...ways.flatMap(({ isRare, act }) => (isRare ? [act] : [])),
  ];
  return { acts, more };
}

/** The acts on what is written; none where nothing is. */
function sendActs(state: CallState, canSend: boolean, enter: EnterMode): CardAct[] {
  const mode = callModeOf(state);
  if (mode === null) return [];
  const send = mode.send(state, canSend);
  return [
    { chord: 'send', tone: 'primary', ...send, run: unlessFresh(state.isFresh, send.run) },
    { chord: 'back', label: 'Back', tone: 'quiet', run: () => enter('decide') },
  ];
}

/** The acts that stand in the bar, and that alone have keys: while something is written, a letter decides nothing. */
function barActs(state: CallState, canSend: boolean, enter: EnterMode): { acts: CardAct[]; more: CardAct[] } {
  const sending = sendActs(state, canSend, enter);
  return sending.length > 0 ? { acts: sending, more: [] } : callActs(state, enter);
}

type CallDecidedBarProps = NextCard & { item: HoldItem; record: EpisodeRecord; decided: CallDecided };

/**
 * The bar of a held call that was decided here: the undo, then what the call gave; and the same in one line on the
 * next call of the episode.
 */
function CallDecidedBar({ item, record, decided, ...next }: CallDecidedBarProps): ReactNode {
  const said = useDoneHere(item.key);
  const outcome = callOutcome(record, item.call?.id ?? '');
  return (
    <DecidedBar {...next} about={item.key} sending={decided.sending}>
      <Became
        record={record}
        done={outcome === null ? null : (said ?? decided.title)}
        outcome={outcome}
        sending={decided.sending}
      />
    </DecidedBar>
  );
}

/** The outcome of the last call decided here, if this one of the same episode came at once in its place. */
function CallBefore({ item, record }: { item: HoldItem; record: EpisodeRecord }): ReactNode {
  const last = useConsole(({ ui }) => ui.answered[0] ?? null);
  if (last === null || last.episode !== item.episode || last.consultation === item.key) return null;
  const outcome = last.call === undefined ? null : callOutcome(record, last.call);
  if (outcome === null) return null;
  return (
    <p className="soft small" role="status">
      <VisibleText text={`Before: ${last.done}. ${outcome}`} />
    </p>
  );
}

type Props = { item: HoldItem; state: CallState; tools: readonly ToolSpec[] };

/** The effect of a held call before it is decided: as proposed, or as it is written now. */
function CallPreview(props: Props): ReactNode {
  const { item, state } = props;
  const { mode } = state.draft;
  if (item.call === null || (mode !== 'decide' && mode !== 'edit')) return null;
  return <HeldEffect {...props} proposed={item.call} />;
}

type HeldEffectProps = Props & { proposed: { id: string; tool_name: string; arguments: JsonObject } };

function HeldEffect({ item, state, tools, proposed }: HeldEffectProps): ReactNode {
  const isEditing = state.draft.mode === 'edit';
  const { calls, problem } = useWrittenCall(state, tools, isEditing, proposed);
  const effect = usePlanEffect({
    episode: item.episode,
    afterTurn: item.turn,
    callId: proposed.id,
    calls,
    problem,
  });
  useKeys(effect.mode === 'on_request' ? { effect: () => effect.run() } : {});
  return (
    <>
      {isEditing ? null : <ProposedCall call={proposed} tools={tools} names={effect.names} />}
      <PlanEffect effect={effect} tools={tools} isSaid={!isEditing} chord="effect" />
    </>
  );
}

type WritingMode = Exclude<Mode, 'decide'>;
type WritingProps = {
  state: CallState;
  call: NonNullable<HoldItem['call']>;
  tools: readonly ToolSpec[];
  isOff: boolean;
  isTapped: boolean;
};

/** An act on a held call that needs something written first: what leads to it, what is written, and how it is sent. */
type CallMode = {
  /** What leads to it; `first` is where the focus goes, else to the first field; a rare one stands behind "More". */
  ways: readonly (Omit<CardAct, 'run'> & { first?: 'tool'; isRare?: true })[];
  Writing: (props: WritingProps) => ReactNode;
  /** Sending what is written. */
  send: (state: CallState, canSend: boolean) => Omit<CardAct, 'chord'>;
  /** What is written, to be copied. */
  text: (state: CallState) => string;
};

const CALL_MODES: Readonly<Record<WritingMode, CallMode>> = {
  edit: {
    ways: [
      { chord: 'edit', label: 'Edit', icon: <PencilLine /> },
      { chord: 'override', label: 'Use another tool', icon: <Replace />, first: 'tool', isRare: true },
    ],
    Writing: EditWriting,
    send: ({ busy, edit }, canSend) => ({
      label: 'Send edited call',
      icon: <Send />,
      isBusy: busy === 'edited',
      title: canSend ? undefined : 'The arguments do not fit the tool’s schema.',
      run: () => edit(false),
    }),
    text: ({ written, draft }) =>
      JSON.stringify({ tool: written.tool, arguments: written.args, why: draft.why }, null, 2),
  },
  answer: {
    ways: [{ chord: 'call.answer', label: 'Write the result', icon: <Wrench />, isRare: true }],
    Writing: AnswerWriting,
    send: ({ busy, draft, answer }) => ({
      label: 'Send as the result',
      icon: <Send />,
      isBusy: busy === 'answered',
      isDisabled: draft.answer.trim() === '',
      run: answer,
    }),
    text: ({ draft }) => draft.answer,
  },
  reject: {
    ways: [{ chord: 'decline', label: 'Reject', icon: <Ban />, tone: 'quiet' }],
    Writing: RejectWriting,
    send: ({ busy, draft, reject }) => ({
      label: 'Reject',
      icon: <Ban />,
      tone: 'danger',
      isBusy: busy === 'rejected',
      isDisabled: draft.reason.trim() === '',
      run: reject,
    }),
    text: ({ draft }) => draft.reason,
  },
};

/** The mode a person is in; null while nothing is to be written. */
const callModeOf = ({ draft: { mode } }: CallState): CallMode | null =>
  mode === 'decide' ? null : CALL_MODES[mode];

function EditWriting({ state, call, tools, isOff, isTapped }: WritingProps): ReactNode {
  const { draft, change, written, failure } = state;
  return (
    <>
      <CallForm
        isTried={failure !== null}
        tools={tools}
        proposed={call}
        written={written}
        isReadOnly={isOff}
        onChange={(next) => change({ written: next })}
      />
      <Field
        label={
          isTapped
            ? 'Why? Kept in the log; the client’s agent does not see it.'
            : 'Why? The agent reads this, so it does not repeat the original call.'
        }
      >
        <Textarea
          rows={2}
          value={draft.why}
          readOnly={isOff}
          onChange={({ target }) => change({ why: target.value })}
        />
      </Field>
    </>
  );
}

function AnswerWriting({ state: { draft, change }, isOff }: WritingProps): ReactNode {
  return (
    <>
      <Field
        label="The result, in place of the tool’s"
        hint="The environment never sees this call. The result is marked as fabricated and left out of exports by default."
      >
        <Textarea
          isMono
          rows={6}
          value={draft.answer}
          readOnly={isOff}
          onChange={({ target }) => change({ answer: target.value })}
        />
      </Field>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={draft.isError}
          disabled={isOff}
          onChange={({ target }) => change({ isError: target.checked })}
        />
        Return it as an error
      </label>
    </>
  );
}

function RejectWriting({ state: { draft, change }, isOff }: WritingProps): ReactNode {
  return (
    <Field label="Why not? The agent reads this.">
      <Textarea
        rows={3}
        required
        value={draft.reason}
        readOnly={isOff}
        onChange={({ target }) => change({ reason: target.value })}
      />
    </Field>
  );
}
