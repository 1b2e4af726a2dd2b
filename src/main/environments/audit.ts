// Audits an environment's promises on sessions of its own: what `run` needs has to pass, what else a person counts on
// is a warning. Steps are made only in environments of actions: a tool may reach the world outside.
import { failureShape, failureText } from '../../shared/failure.ts';
import {
  actions,
  type Audit,
  type AuditStatus,
  close,
  described,
  endpoints,
  fail,
  latency,
  milliseconds,
  pass,
  reservedNames,
  resets,
  sameSeed,
  scenarios,
  sessionsAtOnce,
  state,
  step,
  type Verdict,
} from './auditChecks.ts';
import type { Environment } from './port.ts';

export type AuditCheck = { name: string; status: AuditStatus; evidence: string };

const CONNECTION = 'connection';

const STEPS: readonly (readonly [string, (audit: Audit) => Promise<Verdict> | Verdict])[] = [
  ['description', described],
  ['scenarios', scenarios],
  ['reset', resets],
  ['actions', actions],
  ['reserved names', reservedNames],
  ['step', step],
  ['state', state],
  ['same seed', sameSeed],
  ['sessions at once', sessionsAtOnce],
  ['close', close],
  ['latency', latency],
  // Last, since a server may build a whole environment to answer `/metadata`, and be slow to everything meanwhile.
  ['endpoints', endpoints],
];

/** The number of checks when none fails. */
export const AUDIT_CHECKS = STEPS.length + 1;

/** A server's time to clear a closed session away. */
const CLEARED_MS = 10_000;

type AuditOptions = { onBegin?: (check: string) => void; clearedMs?: number };

/**
 * Checks an environment, yielding each result as it comes. The first check that fails is the last: what comes after it
 * builds on it. Never throws; ends what it opened. An audit that is cancelled ends without a result for the check that
 * was going on.
 */
export async function* auditEnvironment(
  environment: Environment,
  signal: AbortSignal,
  { onBegin = () => undefined, clearedMs = CLEARED_MS }: AuditOptions = {},
): AsyncGenerator<AuditCheck> {
  onBegin(CONNECTION);
  const opened = await attempt(CONNECTION, () => connect(environment, signal, clearedMs));
  const { value: audit } = opened;
  if (!signal.aborted) yield opened.check;
  if (audit === null) return;
  try {
    for (const [name, run] of STEPS) {
      if (signal.aborted) return;
      onBegin(name);
      const { check } = await attempt(name, async () => ({ verdict: await run(audit), value: null }));
      if (signal.aborted) return;
      yield check;
      if (check.status === 'fail') return;
    }
  } finally {
    audit.session.close();
  }
}

async function attempt<T>(
  name: string,
  run: () => Promise<{ verdict: Verdict; value: T }>,
): Promise<{ check: AuditCheck; value: T | null }> {
  try {
    const { verdict, value } = await run();
    return { check: { name, ...verdict }, value };
  } catch (thrown) {
    return { check: { name, ...fail(failureText(failureShape(thrown))) }, value: null };
  }
}

async function connect(
  environment: Environment,
  signal: AbortSignal,
  clearedMs: number,
): Promise<{ verdict: Verdict; value: Audit }> {
  const startedAt = performance.now();
  const session = await environment.open(signal);
  const took = performance.now() - startedAt;
  const description = await environment.describe();
  return {
    verdict: pass(
      `${session.transport === 'mcp' ? 'a session began over POST /mcp' : 'the socket opened'} in ${milliseconds(took)}`,
    ),
    value: {
      environment,
      signal,
      description,
      request: {},
      session,
      tools: [],
      isRepeatable: false,
      clearedMs,
      took: { resets: [], steps: [] },
    },
  };
}
