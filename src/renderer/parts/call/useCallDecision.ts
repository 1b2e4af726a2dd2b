// One held call in front of a person: what they write about it, and the one act that decides it. Must not know: how
// an act reaches main; sending is given.
import { useCallback, useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import type { HoldItem } from '../../../shared/contract/rows.ts';
import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import type { Transport } from '../../client/transport.ts';
import type { TabStorage } from '../../state/kept.ts';
import { readKept, useKeptValue } from '../../state/keptValue.ts';
import { useHumanTime } from '../advice/useHumanTime.ts';
import { wrongText, type Wrong } from '../../../shared/schema/checkValue.ts';
import { writtenArguments, notChosen, writtenWrongs, WrittenCall, writtenFrom } from './writtenCall.ts';

export type CallDone = 'approved' | 'approved_similar' | 'edited' | 'rejected' | 'answered';

const Mode = z.enum(['decide', 'edit', 'answer', 'reject']);
export type Mode = z.infer<typeof Mode>;

/** What a person has written about a call and not sent. */
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
const CALL_FRESH_MS = 400;

/** The name under which what is written about a held call is kept. */
const callDraftName = (key: string): string => `call/${key}`;

const isWritten = ({ written, why, answer, reason }: CallDraft): boolean =>
  written !== null || [why, answer, reason].some((words) => words.trim() !== '');

/** Whether something was written about a held call and not sent. */
export function hasWritten(kept: TabStorage, key: string): boolean {
  const draft = readKept(kept, callDraftName(key), CallDraft);
  return draft !== null && isWritten(draft);
}

export type CallState = ReturnType<typeof useCallDecision>;

export function useCallDecision(
  item: HoldItem,
  tools: readonly ToolSpec[],
  isOpen: boolean,
  send: Transport['call'],
  onDone: (done: CallDone) => void,
) {
  const { key, episode, seq: seen, call } = item;
  const [kept, keep] = useKeptValue(callDraftName(key), CallDraft);
  const draft = kept ?? EMPTY_DRAFT;
  const written = draft.written ?? writtenFrom(call?.tool_name ?? '', call?.arguments ?? {});
  const time = useHumanTime(key, isOpen);
  const isFresh = useCallFreshness(key);
  const { busy, failure, act, fail } = useCallActing((done) => {
    keep(null);
    time.end();
    onDone(done);
  });
  const change = (by: Partial<CallDraft>): void => keep({ ...draft, ...by });
  const about = () => ({ episode, call: call?.id ?? '', seen_seq: seen, timing: time.read() });
  const edit = (isUnchecked: boolean): void => {
    const wrongs = writtenWrongs(written, tools);
    const { args } = writtenArguments(written);
    const isIgnored = isUnchecked && notChosen(written) === null;
    if (args === null || (wrongs.length > 0 && !isIgnored)) return fail(doesNotFit(written, wrongs));
    const changed = { tool_name: written.tool, arguments: args, reason: draft.why.trim() || null };
    act('edit', () => send('call.edit', { ...about(), ...changed, is_unchecked: isUnchecked }), 'edited');
  };
  return {
    draft,
    written,
    busy,
    failure,
    isFresh,
    /** Whether there is something written that is not sent. */
    isWritten: isWritten(draft),
    /** Whether what main refused may be sent without the check. */
    canSendUnchecked: failure?.code === 'bad_input' && writtenArguments(written).args !== null,
    change,
    forget: () => keep(null),
    enter: (mode: Mode): void => {
      fail(null);
      change({ mode });
    },
    approve: (similar: boolean): void => {
      const done = similar ? 'approved_similar' : 'approved';
      act('approve', () => send('call.approve', { ...about(), similar }), done);
    },
    edit,
    reject: (): void => {
      const reason = draft.reason.trim();
      if (reason !== '') act('reject', () => send('call.reject', { ...about(), reason }), 'rejected');
    },
    answer: (): void => {
      const { answer: text, isError } = draft;
      if (text.trim() === '') return;
      act('answer', () => send('call.answer', { ...about(), text, is_error: isError }), 'answered');
    },
  };
}

const doesNotFit = (written: WrittenCall, wrongs: readonly Wrong[]): FailureShape => ({
  // Arguments may be sent unchecked; nobody knows which tool was meant.
  code: notChosen(written) === null ? 'bad_input' : 'not_found',
  message: wrongText(wrongs),
  next:
    notChosen(written) === null
      ? 'Fix the arguments, or send them unchecked.'
      : 'Choose one from the list with Enter, or press Escape to keep the current tool.',
});

/** True in the first moment of a new card: a press meant for the last one must not decide this one. */
function useCallFreshness(key: string): () => boolean {
  const shownAt = useRef(0);
  useEffect(() => {
    shownAt.current = performance.now();
  }, [key]);
  return useCallback(() => performance.now() - shownAt.current < CALL_FRESH_MS, []);
}

type Acting = 'approve' | 'edit' | 'reject' | 'answer';

/** One act at a time; what main says against it stays on the card. */
function useCallActing(onDone: (done: CallDone) => void) {
  const [busy, setBusy] = useState<Acting | null>(null);
  const [failure, setFailure] = useState<FailureShape | null>(null);
  const isBusy = useRef(false);
  const act = (what: Acting, run: () => Promise<unknown>, done: CallDone): void => {
    if (isBusy.current) return;
    isBusy.current = true;
    setBusy(what);
    setFailure(null);
    const go = async (): Promise<void> => {
      try {
        await run();
        onDone(done);
      } catch (thrown) {
        setFailure(failureShape(thrown));
      } finally {
        isBusy.current = false;
        setBusy(null);
      }
    };
    void go();
  };
  return { busy, failure, act, fail: setFailure };
}

const DONE: Readonly<Record<CallDone, string>> = {
  approved: 'Call approved',
  approved_similar: 'Call approved; later calls of this tool go through',
  edited: 'Edited call sent',
  rejected: 'Call rejected; the agent reads your reason',
  answered: 'Result sent; it is marked as fabricated',
};

/** A client's agent is told nothing; its trainer can see which turns were changed. */
export const callDoneWords = (
  done: CallDone,
  { is_tapped: isTapped }: Pick<HoldItem, 'is_tapped'>,
): string =>
  done === 'edited'
    ? `${DONE.edited}; ${isTapped ? 'the turn is marked as edited' : 'the agent is told what changed'}`
    : DONE[done];
