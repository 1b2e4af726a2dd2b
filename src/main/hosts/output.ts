// Owns: how a command speaks: one JSON object a line on stdout for machines, words on stderr for people.
import { Failure, failureShape, type FailureShape } from '../../shared/failure.ts';
import type { Readers } from './readers.ts';

export type Output = {
  isJson: boolean;
  /** Aborted when nobody reads the command's lines any more, or its words where it prints no lines. */
  gone: AbortSignal;
  /** A machine-readable line; with --json only, unless `always`. */
  line(value: Record<string, unknown>): void;
  /** Words for a person. */
  say(text: string): void;
  fail(thrown: unknown): FailureShape;
};

export function createOutput(isJson: boolean, readers: Readers): Output {
  const line = (value: Record<string, unknown>): void => {
    if (isJson && !readers.stdout.aborted) process.stdout.write(`${JSON.stringify(value)}\n`);
  };
  const say = (text: string): void => {
    if (!readers.stderr.aborted) process.stderr.write(`${text}\n`);
  };
  return {
    isJson,
    gone: isJson ? readers.stdout : readers.stderr,
    line,
    say,
    fail: (thrown) => {
      const shape = failureShape(thrown);
      line({ type: 'error', code: shape.code, message: shape.message, next: shape.next });
      if (!isJson) say(`error: ${shape.message}${shape.next === null ? '' : `\n  ${shape.next}`}`);
      if (!(thrown instanceof Failure) && process.env['INTERJECT_DEBUG'] !== undefined)
        say(String((thrown as Error).stack));
      return shape;
    },
  };
}

/** 2 for wrong usage, 1 for work that failed. */
export const exitCodeOf = ({ code }: FailureShape): number => (code === 'bad_input' ? 2 : 1);
