// What a verifier's reply means, in the environment's own labels; and the probes that show whether it means much.
import type { Json } from '../../shared/events/lifecycle.ts';
import { INSTALL_COMMAND, PACKAGES_VARIABLE } from './packages.ts';
import type { Sandbox, VerifierFailure, VerifierReply } from './sandbox.ts';

type VerifierForm = 'code' | 'sql';
const formOf = (code: string): VerifierForm =>
  /^def\s+verify_task_completion\b/m.test(code) ? 'code' : 'sql';

type VerifierVerdict = {
  /** What the verifier said; null where it said nothing that counts. */
  result: string | null;
  /**
   * As the Agent World Model labels it: `judge_error` where the verifier broke, `incomplete` where a judge is missing.
   * `unknown` where the environment may have said anything: a limit or a difference of the sandbox stood in the way.
   */
  reward_type: 'complete' | 'others' | 'incomplete' | 'judge_error' | 'unknown';
  form: VerifierForm;
  /** The whole of what it returned. */
  evidence: Json;
  /** Why there is no verdict. */
  problem: string | null;
  problem_code: `verifier_${VerifierFailure | 'no_verdict' | 'needs_judge' | 'printed'}` | null;
  next: string | null;
  read_clock: boolean;
  ms: number;
};

type Bytes = { initial: Uint8Array; current: Uint8Array };
/** `at`: what the verifier's clock shows, UTC ms; null for the present time. */
type VerifierInput = Bytes & { final_answer: string | null; at: number | null };

/** Runs a verifier over copies of two databases. */
export async function runVerifier(
  sandbox: Sandbox,
  code: string,
  { initial, current, final_answer, at }: VerifierInput,
  signal?: AbortSignal,
): Promise<VerifierVerdict> {
  const reply = await sandbox.run({ code, initial, final: current, final_answer, at }, signal);
  const base = { form: formOf(code), read_clock: reply.readClock, ms: reply.ms };
  return { ...base, ...meaningOf(reply, base.form) };
}

type Meaning = Omit<VerifierVerdict, 'form' | 'read_clock' | 'ms'>;

function meaningOf(reply: VerifierReply, form: VerifierForm): Meaning {
  if (!reply.ok) return failureMeaning(reply);
  const evidence = reply.result;
  if (reply.printed) {
    const problem =
      'it prints text, and the environment reads its verdict from the same output: there it is a judge_error';
    return brokenVerifier('printed', problem, evidence);
  }
  if (form === 'sql') {
    if (hasFailed(evidence))
      return brokenVerifier('error', 'it returned that its execution failed', evidence);
    const problem = 'this form gives evidence only; a model would have to judge it';
    return {
      ...brokenVerifier('needs_judge', problem, evidence),
      reward_type: 'incomplete',
    };
  }
  const { verdict } = reply;
  if (verdict === null) return brokenVerifier('no_verdict', 'it returned no object with a result', evidence);
  return { result: verdict, reward_type: verdict, evidence, problem: null, problem_code: null, next: null };
}

const brokenVerifier = (
  code: 'error' | 'no_verdict' | 'needs_judge' | 'printed',
  problem: string,
  evidence: Json,
) =>
  ({
    result: null,
    reward_type: 'judge_error',
    evidence,
    problem,
    problem_code: `verifier_${code}`,
    next: null,
  }) satisfies Meaning;

const hasFailed = (evidence: Json): boolean =>
  typeof evidence === 'object' &&
  evidence !== null &&
  !Array.isArray(evidence) &&
  evidence['execution_status'] === 'error';

function failureMeaning({ failed, message }: Extract<VerifierReply, { ok: false }>): Meaning {
  return {
    result: null,
    reward_type: failed === 'error' ? 'judge_error' : 'unknown',
    evidence: null,
    problem: `${FAILURE_LABELS[failed]}: ${message}`,
    problem_code: `verifier_${failed}`,
    next: failed === 'module_missing' ? MODULES_NEXT : null,
  };
}

const FAILURE_LABELS: Readonly<Record<VerifierFailure, string>> = {
  error: 'error',
  timeout: 'timeout',
  memory: 'memory',
  output: 'output',
  crashed: 'crashed',
  module_missing: 'a module is missing here that the environment has, so its verdict cannot be told',
  runner_differs: 'the environment’s Python differs here, so its verdict cannot be told',
};
const MODULES_NEXT = `Run \`${INSTALL_COMMAND}\` once: it installs dateutil and pytz. Or set ${PACKAGES_VARIABLE} to the site-packages folder of the environment’s Python.`;

type Probes = {
  /** It says complete when nothing was done: the task rewards doing nothing. */
  passesUntouched: boolean;
  /** It says complete of a database without a single table: it does not look, or swallows what it sees. */
  passesEmpty: boolean;
  /** It breaks on a database as it was at reset: why. */
  breaks: string | null;
  /** Its verdict cannot be told here at all: why, and the code of why. */
  untold: { code: string; problem: string } | null;
};

/** No-op probe and crash probe of one verifier. */
export async function probe(
  sandbox: Sandbox,
  code: string,
  initial: Uint8Array,
  empty: Uint8Array,
  signal?: AbortSignal,
): Promise<Probes> {
  const input = { initial, final_answer: null, at: null };
  const untouched = await runVerifier(sandbox, code, { ...input, current: initial }, signal);
  const bare = await runVerifier(sandbox, code, { ...input, current: empty }, signal);
  const untold = [untouched, bare].find(({ reward_type: label }) => label === 'unknown');
  return {
    passesUntouched: untouched.result === 'complete',
    passesEmpty: bare.result === 'complete',
    breaks: untouched.reward_type === 'judge_error' ? untouched.problem : null,
    untold: untold === undefined ? null : { code: untold.problem_code ?? '', problem: untold.problem ?? '' },
  };
}
