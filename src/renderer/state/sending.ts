// The moment in which a decision can be taken back. Nothing is committed before it is over.
import { failureShape } from '../../shared/failure.ts';
import { changeUi, type SendingDecision, type ConsoleStore } from './store.ts';
import { showToast } from './toasts.ts';

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

/** What was sent stands aside this much longer, until main's own news of it is here. */
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
