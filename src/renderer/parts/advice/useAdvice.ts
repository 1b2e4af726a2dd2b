// One question in front of a person: their words, what they are based on, and the one act that closes it. Must not
// know: how an act reaches main; sending is given.
import { useCallback, useEffect, useMemo, useState } from 'react';
import * as z from 'zod/mini';
import { ADVICE_MAX } from '../../../shared/truncate.ts';
import type { Inputs, Outputs } from '../../../shared/contract/contract.ts';
import type { DeskItem } from '../../../shared/episode/rowShapes.ts';
import type { Timing } from '../../../shared/events/actor.ts';
import { Failure, type FailureShape } from '../../../shared/failure.ts';
import { useSession, useText, useUnsentText } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { useSteady } from '../../ui/useSteady.ts';
import { questionWords } from '../card/questionWords.ts';
import { useFreshness } from '../card/useFreshness.ts';
import { useHumanTime } from './useHumanTime.ts';

export type AdvicePorts = {
  answer: (input: Inputs['desk.answer']) => Promise<Outputs['desk.answer']>;
  decline: (input: Inputs['desk.decline']) => Promise<Outputs['desk.decline']>;
  /** Keeps a decision back for a moment in which it can be taken back; false to send it at once. */
  hold?: (decision: { title: string; label: string; run: () => Promise<Done> }) => boolean;
};
/** The fate of the question through this person, and of the others it was sent to. */
export type Done = {
  type: Outputs['desk.answer']['act'] | 'decline';
  also?: Outputs['desk.answer']['also'];
};

type Act = 'answer' | 'decline';
type Sending = () => Promise<Done>;

export type AdviceState = Omit<ReturnType<typeof useAnswerDraft>, 'written' | 'clear'> &
  Pick<ReusedAdvice, 'reused' | 'reuse'> & {
    draft: ShownDraft | null;
    /** False while a long draft is still being read. */
    isDraftWhole: boolean;
    busy: Act | null;
    failure: FailureShape | null;
    /** True in the first moment of a new card or draft: a press meant for the last one must not decide this one. */
    isFresh: boolean;
    /** The attention this card has had so far. */
    timing: () => Timing;
    accept: () => void;
    send: () => void;
    decline: () => void;
  };

export function useAdvice(
  item: DeskItem,
  isOpen: boolean,
  ports: AdvicePorts,
  onDone: (done: Done) => void,
  also: readonly (Source & { seen_seq: number })[] = [],
): AdviceState {
  const { episode, consultation, seq } = item;
  const { draft, isWhole } = useDraft(item);
  const own = useAnswerDraft(consultation, draft);
  const time = useHumanTime(consultation, isOpen);
  const isFresh = useFreshness(`${consultation} ${draft?.id ?? ''}`);
  const { run, busyWith, failure } = useAct((_act: Act, sending: Sending) => sending().then(onDone));
  const { written, reason } = own;
  const { reused, reuse, forget } = useReused(consultation, own);

  const closed = (done: Done): Done => {
    own.clear();
    forget();
    time.end();
    return done;
  };
  const base = { episode, consultation, seen_seq: seq };
  const decide = (act: Act, verb: string, sending: Sending): void => {
    const held = { ...sendingWords(verb, item), run: sending };
    if (busyWith === null && ports.hold?.(held) !== true) void run(act, sending);
  };
  const answer = (given: { text: string; draft: string | null }): void => {
    if (!isOpen || given.text.trim() === '') return;
    const tooLong = tooLongFailure(given.text);
    // Said at once: not after the moment in which it could be taken back.
    if (tooLong !== null) return void run('answer', () => Promise.reject(tooLong));
    const timing = time.read();
    const input = { ...base, ...given, timing, also: [...also], reused: [...reused] };
    decide('answer', also.length === 0 ? 'Sending to' : `Sending to ${String(also.length + 1)}:`, () =>
      ports.answer(input).then((sent) => closed({ type: sent.act, also: sent.also })),
    );
  };
  return {
    ...own,
    draft,
    isDraftWhole: isWhole,
    busy: busyWith?.[0] ?? null,
    failure,
    isFresh,
    reused,
    reuse,
    timing: time.read,
    accept: useSteady(() => {
      if (draft !== null && isWhole && !isEdited(written)) answer({ text: draft.text, draft: draft.id });
    }),
    send: useSteady(() => answer(advised(written, draft))),
    decline: useSteady(() => {
      const said = reason.trim();
      if (!isOpen || said === '') return;
      const timing = time.read();
      decide('decline', 'Declining', () =>
        ports.decline({ ...base, reason: said, timing }).then(() => closed({ type: 'decline' })),
      );
    }),
  };
}

function sendingWords(verb: string, item: DeskItem): { label: string; title: string } {
  const label = questionWords(item);
  return { label, title: `${verb} ${label}` };
}

/** The person's text, and the acts on it. */
function useAnswerDraft(id: string, draft: ShownDraft | null) {
  const [kept, setKept] = useUnsentText(id);
  const [reason, setReason] = useUnsentText(`${id}:reason`);
  const [basis, setBasis] = useBasis(id);
  const [ignored, setIgnored] = useState<string | null>(null);
  const written: AnswerDraft = useMemo(() => ({ text: kept, basis }), [kept, basis]);
  const put = (next: AnswerDraft): void => {
    setBasis(next.basis);
    setKept(next.text);
  };
  return {
    written,
    text: shownText(written, draft),
    isEdited: isEdited(written),
    isOffered: isOffered(written, draft) && ignored !== draft?.id,
    reason: reason ?? '',
    type: useSteady((text: string) => put(typed(written, draft, text))),
    undo: useSteady(() => put(EMPTY_ANSWER)),
    take: (older: ShownDraft) =>
      put(older.id === draft?.id ? EMPTY_ANSWER : { text: older.text, basis: older.id }),
    insert: () => (draft === null ? undefined : put(inserted(written, draft))),
    ignore: () => setIgnored(draft?.id ?? null),
    setReason: useSteady((text: string) => setReason(text === '' ? null : text)),
    clear: () => {
      put(EMPTY_ANSWER);
      setReason(null);
    },
  };
}

/** The draft with its whole text; a long one is read at once, since it is what the person came for. */
function useDraft({ draft }: DeskItem): { draft: ShownDraft | null; isWhole: boolean } {
  const { text, isWhole, load } = useText(draft?.text ?? '');
  useEffect(load, [load]);
  const id = draft?.id ?? null;
  return useMemo(
    () => ({ draft: id === null || !isWhole ? null : { id, text }, isWhole }),
    [id, text, isWhole],
  );
}

/** The draft that the text began from, kept beside the text. */
function useBasis(id: string): [string | null, (basis: string | null) => void] {
  const { own: kept } = useSession();
  const name = `basis/${id}`;
  const [basis, setBasis] = useState(() => kept.read(name, z.nullable(z.string()), null));
  const set = useCallback(
    (next: string | null) => {
      setBasis(next);
      if (next === null) kept.remove(name);
      else kept.write(name, next);
    },
    [kept, name],
  );
  return [basis, set];
}

const formatNumber = new Intl.NumberFormat('en');

/** The reason why a text is too long for one advice; else null. */
function tooLongFailure(text: string): Failure | null {
  if (text.length <= ADVICE_MAX) return null;
  return new Failure(
    'bad_input',
    `The advice has ${formatNumber.format(text.length)} characters; at most ${formatNumber.format(ADVICE_MAX)} can be sent.`,
    { next: 'Shorten it. Your text is kept.' },
  );
}

type ShownDraft = { id: string; text: string };
type AnswerDraft = {
  /** Null while nothing was written. */
  text: string | null;
  /** The draft the words began from. */
  basis: string | null;
};

export const EMPTY_ANSWER: AnswerDraft = { text: null, basis: null };

/** The editor's text. */
export const shownText = ({ text }: AnswerDraft, draft: ShownDraft | null): string =>
  text ?? draft?.text ?? '';

/** The draft as typed now. Words equal to the draft they began from are no words of one's own. */
export function typed(written: AnswerDraft, draft: ShownDraft | null, text: string): AnswerDraft {
  const basis = written.text === null ? (draft?.id ?? null) : written.basis;
  if (draft !== null && basis === draft.id && text === draft.text) return EMPTY_ANSWER;
  if (text === '' && basis === null) return EMPTY_ANSWER;
  return { text, basis };
}

/** True when sending would send something else than the draft as it is. */
export const isEdited = (written: AnswerDraft): boolean => written.text !== null;

/** True when a draft stands beside words that did not begin from it. */
export const isOffered = (written: AnswerDraft, draft: ShownDraft | null): boolean =>
  draft !== null && written.text !== null && written.basis !== draft.id;

/** The draft below one's own words. */
const inserted = (written: AnswerDraft, draft: ShownDraft): AnswerDraft => ({
  text: written.text === null ? draft.text : `${written.text.trimEnd()}\n\n${draft.text}`,
  basis: draft.id,
});

/** Advice as it is sent, and the draft it names. */
export const advised = (
  written: AnswerDraft,
  draft: ShownDraft | null,
): { text: string; draft: string | null } => ({
  text: shownText(written, draft),
  draft: written.text === null ? (draft?.id ?? null) : written.basis,
});

const Source = z.strictObject({ episode: z.string(), consultation: z.string() });
type Source = z.infer<typeof Source>;

type ReusedAdvice = {
  /** Earlier advice whose words were put in or uncovered here. */
  reused: readonly Source[];
  /** Notes the source and, given a text, puts it below the words. */
  reuse: (source: Source, text: string | null) => void;
  forget: () => void;
};

/** The earlier advice that the text was taken from, kept with it over a reload: its mark must not be lost. */
function useReused(
  consultation: string,
  { text: written, type }: { text: string; type: (text: string) => void },
): ReusedAdvice {
  const { own: kept } = useSession();
  const name = `reused/${consultation}`;
  const [reused, setReused] = useState<readonly Source[]>(() => kept.read(name, z.array(Source), []));
  return {
    reused,
    reuse: (source, text) => {
      if (!reused.some((one) => one.consultation === source.consultation)) {
        const next = [...reused, source];
        setReused(next);
        kept.write(name, next);
      }
      if (text !== null) type(written.trim() === '' ? text : `${written.trimEnd()}\n\n${text}`);
    },
    forget: () => {
      setReused([]);
      kept.remove(name);
    },
  };
}
