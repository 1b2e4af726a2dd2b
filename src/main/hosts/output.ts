// How a command speaks: one JSON object a line on stdout for machines, words on stderr for people.
import { Failure, failureShape, type FailureShape } from '../../shared/failure.ts';
import { redactMessage } from '../../shared/redact/redact.ts';
import type { OutputReaders } from './readers.ts';
import { hasTerminal, writeJson, writeStatus, writeText } from './terminal.ts';

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
