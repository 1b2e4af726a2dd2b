// The one error class, its codes, and the one shape a failure has outside this process. Must not know: who throws it
// or how it is shown.
import type { FailureCode, FailureShape } from './failureCodes.ts';

export type { FailureCode, FailureShape };

/**
 * The one error this product throws on purpose.
 * `message` says what happened and why; `next` says what the person can do about it.
 */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly next: string | null;

  constructor(code: FailureCode, message: string, options: { next?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'Failure';
    this.code = code;
    this.next = options.next ?? null;
  }
}

/**
 * The log, or a part of it, cannot be read any more. `message` says which part.
 * The next step is the same wherever it is noticed, and nothing of it changes the damaged files.
 */
export const damagedLog = (message: string, cause?: unknown): Failure =>
  new Failure('log_damaged', message, {
    cause,
    next: '`interject doctor` says how far the damage goes; `interject repair --out DIR` saves what can be read into a new folder; a folder that `interject backup` wrote can be opened with --data.',
  });

/** True for SQLite's codes of a broken database. The log's is meant: whoever opens another one checks it first. */
const isDamage = (thrown: unknown): thrown is Error =>
  thrown instanceof Error && 'code' in thrown && /^SQLITE_(CORRUPT|NOTADB)/.test(String(thrown.code));

/** True for codes of Node or SQLite for a full disk, or files that can only be read. */
const isUnwritable = (thrown: unknown): thrown is Error =>
  thrown instanceof Error &&
  'code' in thrown &&
  /^(ENOSPC|EDQUOT|EROFS|SQLITE_(FULL|READONLY))/.test(String(thrown.code));

const unwritable = (thrown: Error): Failure =>
  new Failure('data_unwritable', `nothing can be written: ${thrown.message}`, {
    cause: thrown,
    next: 'Free some disk space, or make the folder writable; what was written before is safe.',
  });

/** True if a path is no such file or folder as was looked for, by Node: a folder, a socket, a link to nothing. */
const isOddFile = (thrown: unknown): thrown is Error & { path: string } =>
  thrown instanceof Error &&
  'code' in thrown &&
  'path' in thrown &&
  typeof thrown.path === 'string' &&
  /^(EISDIR|ENOTDIR|ENXIO|ELOOP|ENOENT|ENOTEMPTY|ERR_FS_EISDIR)$/.test(String(thrown.code));

/** True if a part of the log could not be read. */
export const isDamagedLog = (thrown: unknown): boolean =>
  isDamage(thrown) || (thrown instanceof Failure && thrown.code === 'log_damaged');

/** The message of a thrown value. */
export const errorMessage = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/** Any thrown value as a shape; what we did not throw on purpose becomes `internal`. */
export function failureShape(thrown: unknown): FailureShape {
  if (thrown instanceof Failure) return { code: thrown.code, message: thrown.message, next: thrown.next };
  if (isDamage(thrown)) return failureShape(damagedLog(`the log is damaged: ${thrown.message}`));
  if (isUnwritable(thrown)) return failureShape(unwritable(thrown));
  if (isOddFile(thrown))
    return {
      code: 'data_unwritable',
      message: `${thrown.path} cannot be used: ${thrown.message}`,
      next: 'Look at what lies there, and move it away if it is not meant to be there.',
    };
  return { code: 'internal', message: errorMessage(thrown), next: null };
}

/** The failure a shape stands for, for the side that received it. */
export const failureFrom = (shape: FailureShape): Failure =>
  new Failure(shape.code, shape.message, shape.next === null ? {} : { next: shape.next });

/** A failure on one line: what happened, and what to do next as a sentence of its own. */
export const failureText = ({ message, next }: Pick<FailureShape, 'message' | 'next'>): string =>
  next === null ? message : `${message}${/[.!?:]$/.test(message) ? '' : '.'} ${next}`;
