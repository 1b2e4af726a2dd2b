// Whether anybody still reads what a command prints: once a reader has enough, as `head` has, the command stops without
// complaint.

import { stderr, stdout } from 'node:process';

/** Thrown, and the reason of the signals, when the reader of a stream has gone. */
export class ReaderGone extends Error {
  constructor(options?: ErrorOptions) {
    super('nobody reads what is printed', options);
    this.name = 'ReaderGone';
  }
}

/** Each is aborted when its reader goes. */
export type OutputReaders = { stdout: AbortSignal; stderr: AbortSignal; close: () => void };

const isGone = (thrown: Error): boolean => (thrown as NodeJS.ErrnoException).code === 'EPIPE';

/** Until it is closed, a stream whose reader goes ends nothing by itself. */
export function watchReaders(): OutputReaders {
  const out = watchStream(stdout);
  const err = watchStream(stderr);
  return {
    stdout: out.gone,
    stderr: err.gone,
    // A stream speaks of its last write after that write.
    close: () => void setImmediate(() => [out, err].forEach(({ close }) => close())),
  };
}

function watchStream(stream: NodeJS.WriteStream): { gone: AbortSignal; close: () => void } {
  const gone = new AbortController();
  const heard = (thrown: Error): void => {
    if (!isGone(thrown)) throw thrown;
    gone.abort(new ReaderGone({ cause: thrown }));
  };
  stream.on('error', heard);
  return { gone: gone.signal, close: () => void stream.off('error', heard) };
}

/** For work that never waits: a stream tells that its reader is gone only once something else has its turn. */
export async function throwIfReaderGone({ gone }: { gone: AbortSignal }): Promise<void> {
  await new Promise((goOn) => setImmediate(goOn));
  gone.throwIfAborted();
}
