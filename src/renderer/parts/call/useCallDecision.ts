// One held call in front of a person: what they write about it, and the one act that decides it. How an act reaches
// main is given.
import { type RefObject, useCallback, useEffect, useRef, useState, useMemo } from 'react';
import { z } from 'zod';
import type { HoldItem } from '../../../shared/episode/rowShapes.ts';
import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import { Failure, failureShape, type FailureShape } from '../../../shared/failure.ts';
import { type Wrong, wrongText } from '../../../shared/schema/checkValue.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { Transport } from '../../client/transport.ts';
import type { TabStorage } from '../../state/kept.ts';
import { readKept, useKeptValue } from '../../state/keptValue.ts';
import { useAct } from '../../state/queries.ts';
import { useSession } from '../../state/hooks.ts';
import type { SendingDecision } from '../../state/store.ts';
import { useHumanTime } from '../advice/useHumanTime.ts';
import { holdWords } from '../card/questionWords.ts';
import { useFreshness } from '../card/useFreshness.ts';
import type { Hold } from '../../state/sendLater.ts';
import { closedCallOf } from '../card/closed.ts';
import { useSendingOf } from '../card/DecidedBar.tsx';
import { notChosen, writtenArguments, WrittenCall, writtenFrom, writtenWrongs } from './writtenCall.ts';
import { callOf } from '../../../shared/episode/calls.ts';
import { PAUSE_MS, useSettled, type PlannedTry } from '../preview/usePlanEffect.ts';

export type CallDone = 'approved' | 'approved_similar' | 'edited' | 'rejected' | 'answered';

/** The person's act on the call, in the order of the buttons that lead there. */
export const Mode = z.enum(['decide', 'edit', 'answer', 'reject']);
export type Mode = z.infer<typeof Mode>;

/** A person's unsent text about a call. */
const CallDraft = z.strictObject({
  mode: Mode,
  written: WrittenCall.nullable(),
  why: z.string(),
  answer: z.string(),
  isError: z.boolean(),
  reason: z.string(),
});
type CallDraft = z.infer<typeof CallDraft>;

const EMPTY_DRAFT: CallDraft = {
  mode: 'decide',
  written: null,
  why: '',
  answer: '',
  isError: false,
  reason: '',
};

/** The name under which what is written about a held call is kept. */
const callDraftName = (key: string): string => `call/${key}`;

const isWritten = ({ written, why, answer, reason }: CallDraft): boolean =>
  written !== null || [why, answer, reason].some((text) => text.trim() !== '');

/** True if something was written about a held call and not sent. */
export function hasWritten(kept: TabStorage, key: string): boolean {
  const draft = readKept(kept, callDraftName(key), CallDraft);
  return draft !== null && isWritten(draft);
}

/** The person's draft about the call. */
function useCallDraft({ key, call }: HoldItem) {
  const [kept, keep] = useKeptValue(callDraftName(key), CallDraft);
  const draft = kept ?? EMPTY_DRAFT;
  return {
    draft,
    written: draft.written ?? writtenFrom(call?.tool_name ?? '', call?.arguments ?? {}),
    /** Whether there is something written that is not sent. */
    isWritten: isWritten(draft),
    change: (by: Partial<CallDraft>): void => keep({ ...draft, ...by }),
    forget: () => keep(null),
  };
}

export type CallState = ReturnType<typeof useCallDecision>;

type CallPorts = {
  send: Transport['call'];
  /** Keeps a decision back for a moment in which it can be taken back; false to send it at once. */
  hold: Hold;
};

export function useCallDecision(
  item: HoldItem,
  tools: readonly ToolSpec[],
  isOpen: boolean,
  { send, hold }: CallPorts,
  onDone: (done: CallDone) => void,
) {
  const { key, episode, seq: seen, call } = item;
  const own = useCallDraft(item);
  const { draft, written, change } = own;
  const time = useHumanTime(key, isOpen);
  const isFresh = useFreshness(key);
  const { decide, refuse, forget, busy, failure } = useSendingCall(item, isOpen, hold, (done) => {
    own.forget();
    time.end();
    onDone(done);
  });
  const about = () => ({ episode, call: call?.id ?? '', seen_seq: seen, timing: time.read() });
  const edit = (isUnchecked: boolean): void => {
    const wrongs = writtenWrongs(written, tools);
    const { args } = writtenArguments(written);
    const isIgnored = isUnchecked && notChosen(written) === null;
    // Said at once: not after the moment in which it could be taken back.
    if (args === null || (wrongs.length > 0 && !isIgnored))
      return refuse('edited', doesNotFit(written, wrongs));
    const changed = { tool_name: written.tool, arguments: args, reason: draft.why.trim() || null };
    const input = { ...about(), ...changed, is_unchecked: isUnchecked };
    return decide('edited', () => send('call.decide', { act: 'edit', ...input }));
  };
  return {
    ...own,
    /** What is being done now. */
    busy,
    failure,
    isFresh,
    /** Whether what main refused may be sent without the check. */
    canSendUnchecked: failure?.code === 'bad_input' && writtenArguments(written).args !== null,
    enter: (mode: Mode): void => {
      forget();
      change({ mode });
    },
    approve: (similar: boolean): void => {
      const input = { ...about(), similar };
      decide(similar ? 'approved_similar' : 'approved', () =>
        send('call.decide', { act: 'approve', ...input }),
      );
    },
    edit,
    reject: (): void => {
      const reason = draft.reason.trim();
      const input = { ...about(), reason };
      if (reason !== '') decide('rejected', () => send('call.decide', { act: 'reject', ...input }));
    },
    answer: (): void => {
      const { answer: text, isError } = draft;
      const input = { ...about(), text, is_error: isError };
      if (text.trim() !== '') decide('answered', () => send('call.decide', { act: 'answer', ...input }));
    },
  };
}

/** Sending one decision, kept back for a moment where it may be; what main says against it is the card's. */
function useSendingCall(item: HoldItem, isOpen: boolean, hold: Hold, onSent: (done: CallDone) => void) {
  const [refused, setRefused] = useState<FailureShape | null>(null);
  const finish = async (done: CallDone, sending: () => Promise<unknown>): Promise<void> => {
    await sending();
    onSent(done);
  };
  const { run, busyWith, failure, forget: forgetFailure } = useAct(finish);
  const forget = (): void => {
    forgetFailure();
    setRefused(null);
  };
  return {
    decide: (done: CallDone, sending: () => Promise<unknown>): void => {
      if (!isOpen || busyWith !== null) return;
      forget();
      const later = (): Promise<void> =>
        finish(done, sending).catch((thrown: unknown) => {
          setRefused(failureShape(thrown));
          throw thrown;
        });
      if (!hold({ ...sendingWords(done, item), run: later })) void run(done, sending);
    },
    refuse: (done: CallDone, why: Failure): void => void run(done, () => Promise.reject(why)),
    forget,
    /** What is being done now. */
    busy: busyWith?.[0] ?? null,
    failure: failure ?? refused,
  };
}

const SENDING: Readonly<Record<CallDone, string>> = {
  approved: 'Approving',
  approved_similar: 'Approving, with similar calls,',
  edited: 'Sending the edited call in place of',
  rejected: 'Rejecting',
  answered: 'Sending the result of',
};

function sendingWords(done: CallDone, item: HoldItem): { label: string; title: string } {
  const label = holdWords(item);
  return { label, title: `${SENDING[done]} ${label}` };
}

/** Arguments may be sent unchecked; nobody knows which tool was meant. */
function doesNotFit(written: WrittenCall, wrongs: readonly Wrong[]): Failure {
  return notChosen(written) === null
    ? new Failure('bad_input', wrongText(wrongs), { next: 'Fix the arguments, or send them unchecked.' })
    : new Failure('not_found', wrongText(wrongs), {
        next: 'Choose one from the list with Enter, or press Escape to keep the current tool.',
      });
}

const DONE: Readonly<Record<CallDone, string>> = {
  approved: 'Call approved',
  approved_similar: 'Call approved; later calls of this tool go through',
  edited: 'Edited call sent',
  rejected: 'Call rejected; the agent reads your reason',
  answered: 'Result sent; it is marked as fabricated',
};

/** A client's agent is told nothing; its trainer can see which turns were changed. */
export const callDoneText = (done: CallDone, { is_tapped: isTapped }: Pick<HoldItem, 'is_tapped'>): string =>
  done === 'edited'
    ? `${DONE.edited}; ${isTapped ? 'the turn is marked as edited' : 'the agent is told what changed'}`
    : DONE[done];

type PickField = (frame: HTMLElement) => HTMLElement | null | undefined;

/** Asks for the focus once the change that is being made is on screen. */
export function useFocusNext(frame: RefObject<HTMLElement | null>): (pick: PickField) => void {
  const wanted = useRef<PickField | null>(null);
  useEffect(() => {
    const pick = wanted.current;
    wanted.current = null;
    if (pick !== null && frame.current !== null) pick(frame.current)?.focus();
  });
  return useCallback((pick: PickField) => {
    wanted.current = pick;
  }, []);
}

const FIELD_SELECTOR = 'input:not([type="checkbox"]), textarea, select';

/** The field that chooses a tool. */
export const toolField: PickField = (frame) => frame.querySelector<HTMLElement>('[role="combobox"]');

/** The first field that is no choice of a tool, else that one. */
export const firstField: PickField = (frame) => {
  const fields = [...frame.querySelectorAll<HTMLElement>(FIELD_SELECTOR)];
  return fields.find((field) => field.getAttribute('role') !== 'combobox') ?? fields[0];
};

export type CallDecided = {
  /** While it can be taken back, or is on its way. */
  sending: SendingDecision | null;
  /** What was decided, as the record has it. */
  title: string | null;
};

/** Null while it waits, and where another seat, a deadline or the end of the episode settled it. */
export function useCallDecided(item: HoldItem, record: EpisodeRecord): CallDecided | null {
  const { seat } = useSession();
  const sending = useSendingOf(item.key);
  const id = item.call?.id ?? '';
  const decision = callOf(record, id)?.decision ?? null;
  if (decision === null) return sending === null ? null : { sending, title: null };
  const isMine = decision.actor.type === 'human' && decision.actor.id === seat;
  if (!isMine || decision.type === 'cancelled' || decision.type === 'expired') return null;
  return { sending: null, title: closedCallOf(record, id, seat)?.title ?? null };
}

/** The call as it would be sent: as proposed, or as written once the person pauses. */
export function useWrittenCall(
  { written }: CallState,
  tools: readonly ToolSpec[],
  isEditing: boolean,
  proposed: PlannedTry,
): { calls: readonly PlannedTry[]; problem: string | null } {
  const settled = useSettled(written, isEditing ? PAUSE_MS : 0);
  const { tool_name: name, arguments: given } = proposed;
  return useMemo(() => {
    if (!isEditing) return { calls: [{ tool_name: name, arguments: given }], problem: null };
    const { args } = writtenArguments(settled);
    if (args === null) return { calls: [], problem: 'The arguments are not valid JSON yet.' };
    if (writtenWrongs(settled, tools).length > 0)
      return { calls: [], problem: 'The arguments do not match the schema yet.' };
    return { calls: [{ tool_name: settled.tool, arguments: args }], problem: null };
  }, [isEditing, settled, tools, name, given]);
}
