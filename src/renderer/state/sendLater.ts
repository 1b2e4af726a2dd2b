// Keeping a decision back for the moment in which it can be taken back, unless it is timed. Nothing is committed before the
// moment is over; where the page goes meanwhile nothing is sent, and the next page says so.
import * as z from 'zod/mini';
import { failureShape } from '../../shared/failure.ts';
import { useSession } from './hooks.ts';
import type { TabStorage } from './kept.ts';
import { changeUi, type SendingDecision, type ConsoleStore } from './store.ts';
import { showToast } from './toasts.ts';

type HeldBack = { title: string; label: string; run: () => Promise<unknown> };
/** False where the decision is not kept back: it is to be sent at once. */
export type Hold = (decision: HeldBack) => boolean;

type HoldInput = {
  /** What it decides: consultations, a held call, a stop. They are not in the list meanwhile. */
  keys: readonly string[];
  deadline_at: number | null;
  /** Brings the card back in front. */
  onTakenBack: () => void;
};

export function useHold({ keys, deadline_at, onTakenBack }: HoldInput): Hold {
  const { store, own } = useSession();
  return ({ title, label, run }) => {
    const delayMs = store.getState().ui.prefs.take_back_ms;
    // Where the time is measured, nothing may be added to it.
    if (delayMs === 0 || deadline_at !== null) return false;
    // A page that goes meanwhile sends nothing: the next one says so beside the words.
    for (const key of keys) markHeld(own, key, Date.now());
    const unmark = (): void => {
      for (const key of keys) unmarkHeld(own, key);
    };
    sendLater(store, {
      keys,
      title,
      label,
      delayMs,
      run: () => {
        unmark();
        return run().then(() => undefined);
      },
      onTakenBack: () => {
        unmark();
        onTakenBack();
      },
    });
    return true;
  };
}

type HeldDecision = {
  /** What it decides: consultations, a held call or a stop. They stand aside meanwhile. */
  keys: readonly string[];
  title: string;
  /** What it is about, in a few words. */
  label: string;
  delayMs: number;
  /** Commits the decision. */
  run: () => Promise<void>;
  /** The person took it back. */
  onTakenBack: () => void;
};

/** A sent answer stands aside this much longer, until main's own news of it is here. */
const NEWS_MS = 1000;

/** Sends after `delayMs` unless it is taken back; says so when it then fails. A page that goes sends nothing. */
export function sendLater(
  store: ConsoleStore,
  { keys, title, label, delayMs, run, onTakenBack }: HeldDecision,
): void {
  const key = keys[0] ?? '';
  const change = (by: (list: readonly SendingDecision[]) => readonly SendingDecision[]): void =>
    changeUi(store, ({ sending }) => ({ sending: by(sending) }));
  const drop = (): void => change((list) => list.filter((one) => one !== entry && one.key !== key));
  let isOver = false;
  const send = (): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    change((list) => list.map((one) => (one.key === key ? { ...one, isGone: true } : one)));
    run().then(
      () => setTimeout(drop, NEWS_MS),
      (thrown: unknown) => {
        drop();
        const { message, next } = failureShape(thrown);
        showToast(store, { tone: 'error', title: `Not sent: ${message}`, text: next });
      },
    );
  };
  const timer = setTimeout(send, delayMs);
  const takeBack = (): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    drop();
    onTakenBack();
  };
  const entry: SendingDecision = {
    key,
    keys,
    title,
    label,
    at: Date.now() + delayMs,
    isGone: false,
    takeBack,
    sendNow: send,
  };
  change((list) => [...list.filter((one) => one.key !== key), entry]);
  if (delayMs === 0) send();
}

const HELD_PREFIX = 'held/';
const HeldSince = z.number();
/** A mark this old belongs to a question that is gone. */
const HELD_KEEP_MS = 24 * 3600 * 1000;

/** For the moment in which a decision can be taken back. */
export const markHeld = (own: TabStorage, key: string, now: number): boolean =>
  own.write(HELD_PREFIX + key, now);
export const unmarkHeld = (own: TabStorage, key: string): void => own.remove(HELD_PREFIX + key);

/** True if a decision about it was kept back by a page that then went. */
export const wasHeld = (own: TabStorage, key: string): boolean => atOf(own, HELD_PREFIX + key) !== 0;

/** Those nobody was told of yet, for a page that has just begun; old ones are dropped. */
export function heldBefore(own: TabStorage, now: number): string[] {
  const names = own.names(HELD_PREFIX);
  const untold = names.filter((name) => atOf(own, name) > 0);
  for (const name of names) {
    const at = Math.abs(atOf(own, name));
    if (now - at > HELD_KEEP_MS) own.remove(name);
    // Told once; the line beside the words stays.
    else own.write(name, -at);
  }
  return untold.map((name) => name.slice(HELD_PREFIX.length));
}

const atOf = (own: TabStorage, name: string): number => own.read(name, HeldSince, 0);
