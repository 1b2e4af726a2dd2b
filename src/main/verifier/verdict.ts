// Owns: what a verifier's reply means, in the environment's own labels; and the probes that show whether it means much.
import { z } from 'zod';
import type { Json } from '../../shared/events/lifecycle.ts';
import { formOf, type VerifierForm } from './awmData.ts';
import type { Sandbox, VerifierReply } from './sandbox.ts';

export type Verdict = {
  /** What the verifier said; null where it said nothing that counts. */
  result: string | null;
  /** As the Agent World Model labels it: `judge_error` where the verifier broke, `incomplete` where a judge is missing. */
  reward_type: 'complete' | 'others' | 'incomplete' | 'judge_error';
  form: VerifierForm;
  /** The whole of what it returned. */
  evidence: Json;
  /** Why there is no verdict. */
  problem: string | null;
  ms: number;
};

const Said = z.looseObject({ result: z.enum(['complete', 'others']) });

export type Bytes = { initial: Uint8Array; current: Uint8Array };

/** Runs a verifier over copies of two databases. */
export async function verdictOf(
  sandbox: Sandbox,
  code: string,
  { initial, current }: Bytes,
  finalAnswer: string | null,
  signal?: AbortSignal,
): Promise<Verdict> {
  const reply = await sandbox.run({ code, initial, final: current, finalAnswer }, signal);
  return meaning(reply, formOf(code));
}

function meaning(reply: VerifierReply, form: VerifierForm): Verdict {
  const none = { result: null, form, ms: reply.ms };
  if (!reply.ok) {
    return {
      ...none,
      reward_type: 'judge_error',
      evidence: null,
      problem: `${reply.failed}: ${reply.message}`,
    };
  }
  const evidence = reply.result;
  if (form === 'sql') {
    const problem = 'this form gives evidence only; a model would have to judge it';
    return { ...none, reward_type: 'incomplete', evidence, problem };
  }
  const said = Said.safeParse(evidence);
  if (!said.success) {
    const problem = 'it returned neither complete nor others';
    return { ...none, reward_type: 'judge_error', evidence, problem };
  }
  const { result } = said.data;
  return { ...none, result, reward_type: result, evidence, problem: null };
}

export type Probes = {
  /** It says complete when nothing was done: the task rewards doing nothing. */
  passesUntouched: boolean;
  /** It says complete of a database without a single table: it does not look, or swallows what it sees. */
  passesEmpty: boolean;
  /** It breaks on a database as it was at reset: why. */
  breaks: string | null;
};

/** No-op probe and crash probe of one verifier. */
export async function probe(
  sandbox: Sandbox,
  code: string,
  initial: Uint8Array,
  empty: Uint8Array,
  signal?: AbortSignal,
): Promise<Probes> {
  const untouched = await verdictOf(sandbox, code, { initial, current: initial }, null, signal);
  const bare = await verdictOf(sandbox, code, { initial, current: empty }, null, signal);
  return {
    passesUntouched: untouched.result === 'complete',
    passesEmpty: bare.result === 'complete',
    breaks: untouched.reward_type === 'judge_error' ? untouched.problem : null,
  };
}
