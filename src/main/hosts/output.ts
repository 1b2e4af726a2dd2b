// Output of a command: one JSON object a line on stdout for machines, words on stderr for people.
import { Failure, failureShape, type FailureShape } from '../../shared/failure.ts';
import { redactMessage } from '../../shared/redact/redact.ts';
import { hasTerminal, writeJson, writeStatus, writeText } from './terminal.ts';
import { stderr, stdout } from 'node:process';

export type CommandOutput = {
  isJson: boolean;
  /** Aborted when nobody reads the command's lines any more, or its words where it prints no lines. */
  gone: AbortSignal;
  /** A machine-readable line; with --json only, unless `always`. */
  line(value: Record<string, unknown>): void;
  /** Words for a person. */
  say(text: string): void;
  /** Words that the next ones replace, null for none; null itself where no terminal shows them. */
  status: ((text: string | null) => void) | null;
  fail(thrown: unknown): FailureShape;
};

export function createOutput(
  isJson: boolean,
  readers: OutputReaders,
  isTerminal = hasTerminal,
): CommandOutput {
  const line = (value: Record<string, unknown>): void => {
    if (isJson && !readers.stdout.aborted) writeJson(value);
  };
  let isStatusShown = false;
  const status = (text: string | null): void => {
    if (readers.stderr.aborted || (text === null && !isStatusShown)) return;
    isStatusShown = text !== null;
    writeStatus(text);
  };
  const say = (text: string): void => {
    status(null);
    if (!readers.stderr.aborted) writeText(text);
  };
  return {
    isJson,
    gone: isJson ? readers.stdout : readers.stderr,
    line,
    say,
    status: isTerminal ? status : null,
    fail: (thrown) => {
      const { code, ...said } = failureShape(thrown);
      // A message may quote what it was given: an address with a password, a key that a server repeats.
      const shape = {
        code,
        message: redactMessage(said.message),
        next: said.next === null ? null : redactMessage(said.next),
      };
      line({ type: 'error', code: shape.code, message: shape.message, next: shape.next });
      if (!isJson) say(`error: ${shape.message}${shape.next === null ? '' : `\n  ${shape.next}`}`);
      if (!(thrown instanceof Failure) && process.env['INTERJECT_DEBUG'] !== undefined)
        say(redactMessage(String((thrown as Error).stack)));
      return shape;
    },
  };
}

/** 2 for wrong usage, 1 for work that failed. */
export const exitCodeOf = ({ code }: FailureShape): number => (code === 'bad_input' ? 2 : 1);

/** Thrown, and the reason of the signals, when the reader of a stream has gone. */
export class ReaderGone extends Error {
  constructor(options?: ErrorOptions) {
    super('nobody reads what is printed', options);
    this.name = 'ReaderGone';
  }
}

/** Each is aborted when its reader goes. */
type OutputReaders = { stdout: AbortSignal; stderr: AbortSignal; close: () => void };

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
  await new Promise((proceed) => setImmediate(proceed));
  gone.throwIfAborted();
}
