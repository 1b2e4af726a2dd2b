// A model whose replies are written beforehand.
import { Failure } from '../../src/shared/failure.ts';
import type { Llm, LlmReply, LlmRequest } from '../../src/main/llm/port.ts';

export type ScriptedLlm = Llm & {
  /** What it was asked so far. */
  requests: LlmRequest[];
  /** Throws when replies are left over. */
  end(): void;
};

/** Gives the replies in order; a failure among them is thrown. A request beyond the last reply fails. */
export function createScriptedLlm(replies: readonly (Partial<LlmReply> | Failure)[]): ScriptedLlm {
  const left = [...replies];
  const requests: LlmRequest[] = [];
  return {
    model: 'scripted',
    requests,
    complete: (request, signal) => {
      if (signal.aborted) return Promise.reject(new Failure('cancelled', 'cancelled'));
      requests.push(request);
      const reply = left.shift();
      if (reply === undefined) return Promise.reject(new Failure('internal', 'no scripted reply is left'));
      return reply instanceof Failure ? Promise.reject(reply) : Promise.resolve({ ...EMPTY_REPLY, ...reply });
    },
    end: () => {
      if (left.length > 0) throw new Failure('internal', `${String(left.length)} scripted replies are left`);
    },
  };
}

const EMPTY_REPLY: LlmReply = {
  content: '',
  reasoning: null,
  toolCalls: [],
  model: 'scripted',
  stopReason: 'stop',
  usage: null,
};
