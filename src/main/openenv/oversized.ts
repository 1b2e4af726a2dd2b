// Answers that are larger than what is taken in. They are read to their end, so that the session goes on, and the agent
// reads an error with both sizes in place of the answer.
import { Failure } from '../../shared/failure.ts';
import type { SessionStep } from './session.ts';

type Answer = {
  bytes: number;
  /** How many are taken in. */
  most: number;
  /** Its beginning, for the log. */
  head: string;
  reward: number | null;
  done: boolean;
  latency_ms: number;
};

export class OversizedAnswer extends Failure {
  readonly answer: Answer;
  constructor(base: string, answer: Answer) {
    super('frame_too_large', `${base} answered with ${sizes(answer)}`, {
      next: 'Ask the environment for less at once.',
    });
    this.answer = answer;
  }
}

const MIB = 1024 * 1024;
const HEAD_BYTES = 64 * 1024;
const TAIL_BYTES = 256;

const sizes = ({ bytes, most }: Pick<Answer, 'bytes' | 'most'>): string =>
  `${(bytes / MIB).toFixed(1)} MiB (${String(bytes)} bytes), more than the ${String(Math.round(most / MIB))} MiB that an answer may have`;

/** OpenEnv writes reward and end after the observation: they stand at the very end of the frame, outside any text. */
const OUTCOME = /"reward": ?(null|true|false|-?[\d.eE+-]{1,30}), ?"done": ?(true|false) ?\}\}$/;

/** A frame that is too large, with what its beginning and its end say. */
export function oversizedFrame(
  base: string,
  data: Buffer,
  { most, latency_ms }: { most: number; latency_ms: number },
): OversizedAnswer {
  // A character that the cut goes through is left out.
  const head = new TextDecoder().decode(data.subarray(0, HEAD_BYTES), { stream: true });
  const [, reward, done] = OUTCOME.exec(data.toString('utf8', data.length - TAIL_BYTES).trimEnd()) ?? [];
  return new OversizedAnswer(base, {
    bytes: data.length,
    most,
    head,
    reward: reward === undefined || reward === 'null' ? null : Number(JSON.parse(reward)),
    done: done === 'true',
    latency_ms,
  });
}

/** Result of a call that was carried out: an error stands in place of an answer that is too large. */
export async function readableStep<T>(asked: Promise<T>): Promise<T | SessionStep> {
  try {
    return await asked;
  } catch (thrown) {
    if (!(thrown instanceof OversizedAnswer)) throw thrown;
    const { head: raw, reward, done, latency_ms } = thrown.answer;
    const error = `The call was carried out, but its answer cannot be read: it has ${sizes(thrown.answer)}. Ask for less at once.`;
    return { observation: { error }, reward, done, raw, latency_ms };
  }
}
