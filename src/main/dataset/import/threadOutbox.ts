// Batches messages to another thread, because every message sent alone wakes it once more.

export type ThreadOutbox<M> = {
  say(message: M): void;
  send(): void;
  /** Whoever it was meant for is gone. */
  forget(): void;
};

/** What is said in one breath goes at once, earlier when it is `full`. */
export function createThreadOutbox<M>(
  post: (messages: M[]) => void,
  { sizeOf, full }: { sizeOf: (message: M) => number; full: number },
): ThreadOutbox<M> {
  let messages: M[] = [];
  let size = 0;
  let soon: ReturnType<typeof setImmediate> | null = null;
  const send = (): void => {
    if (soon !== null) clearImmediate(soon);
    soon = null;
    const all = messages;
    messages = [];
    size = 0;
    if (all.length > 0) post(all);
  };
  return {
    send,
    forget: () => {
      messages = [];
    },
    say: (message) => {
      messages.push(message);
      size += sizeOf(message);
      if (size >= full) send();
      else soon ??= setImmediate(send);
    },
  };
}
