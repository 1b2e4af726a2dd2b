// Owns: whether anybody still reads what a command prints: a reader that has enough, as `head` has, is no failure.

/** Thrown, and the reason of the signals, when the reader of a stream has gone. */
export class ReaderGone extends Error {
  constructor(options?: ErrorOptions) {
    super('nobody reads what is printed', options);
    this.name = 'ReaderGone';
  }
}

/** Each is aborted when its reader goes. */
export type Readers = { stdout: AbortSignal; stderr: AbortSignal; close: () => void };

const isGone = (thrown: Error): boolean => (thrown as NodeJS.ErrnoException).code === 'EPIPE';

/** Until it is closed, a stream whose reader goes ends nothing by itself. */
export function watchReaders(): Readers {
  const stdout = watch(process.stdout);
  const stderr = watch(process.stderr);
  return {
    stdout: stdout.gone,
    stderr: stderr.gone,
    // A stream speaks of its last write after that write.
    close: () => void setImmediate(() => [stdout, stderr].forEach(({ close }) => close())),
  };
}

function watch(stream: NodeJS.WriteStream): { gone: AbortSignal; close: () => void } {
  const gone = new AbortController();
  const heard = (thrown: Error): void => {
    if (!isGone(thrown)) throw thrown;
    gone.abort(new ReaderGone({ cause: thrown }));
  };
  stream.on('error', heard);
  return { gone: gone.signal, close: () => void stream.off('error', heard) };
}

/** Writes to stdout, and waits where the reader is slower than we are. Throws `ReaderGone`. */
export const print = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const isTaken = process.stdout.write(text, (thrown) => {
      if (!thrown) resolve();
      else reject(isGone(thrown) ? new ReaderGone({ cause: thrown }) : thrown);
    });
    if (isTaken) resolve();
  });
