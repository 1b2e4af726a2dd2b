// Bringing a fresh session to where an episode was: reset, the calls that took effect, each compared with what the
// log says came back. The log is the truth; what differs is reported, never hidden.
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { Json } from '../../shared/events/lifecycle.ts';
import { checkSecrets } from '../../shared/episode/lostSecrets.ts';
import type { Drift } from '../../shared/events/world.ts';
import type { Text } from '../../shared/events/text.ts';
import { createCover, type Cover } from '../../shared/redact/cover.ts';
import { secretsOf, withoutMarks } from '../../shared/redact/redact.ts';
import { Failure } from '../../shared/failure.ts';
import { isSame } from '../../shared/drift.ts';
import type { EnvironmentSession, OpenSession } from '../environments/port.ts';

export type Rebuilt = { session: EnvironmentSession; replayed: number; drift: Drift[] };

type RebuildRequest = {
  record: EpisodeRecord;
  /** Calls of turns up to and including this one are made again. */
  upToTurn: number;
  loadText: (text: Text) => string;
  openSession: OpenSession;
  /** Replaces or adds reset arguments: a name of its own, a key that the log does not hold. */
  reset: Record<string, Json>;
  /** No further call is made once one gave something else. */
  stopsAtDrift?: boolean;
  /**
   * The session is the episode's own from now on: what the reset says of the task is compared too, a reset that is refused
   * is a failure, and the tools are listed where they were, as a server may count that as a step.
   */
  isOwn?: boolean;
  signal: AbortSignal;
};

/** The limit of a differing result in a report. */
const DRIFT_TEXT_MAX = 2_000;

/** A session in the state the episode was in after `upToTurn`. The caller closes it. Throws `env_*`, `bad_input`. */
export async function rebuild({
  record,
  upToTurn,
  loadText,
  openSession,
  reset,
  stopsAtDrift = false,
  isOwn = false,
  signal,
}: RebuildRequest): Promise<Rebuilt> {
  const { started } = record;
  if (started === null) throw new Failure('not_found', `there is no episode ${record.id}`);
  checkSecrets(record, { given: reset, upToTurn });
  const session = await openSession(started.environment, signal, started.verifier_mode);
  try {
    const request = { ...withoutMarks(record.reset?.request ?? {}), ...reset };
    const opened = await session.reset({ ...request, ...session.resetArguments(request) }, signal);
    const cover = createCover([...secretsOf(reset), ...session.secrets]);
    const drift: Drift[] = isOwn ? resetDrift(record, opened, { cover, loadText }) : [];
    let replayed = 0;
    if (drift.length > 0) return { session, replayed, drift };
    // Where in the log the tools were listed in a session of its own: a branch copies what another one listed.
    const listings = isOwn
      ? record.timeline.flatMap(({ type, n }) => (type === 'tools' && n > record.copiedN ? [n] : []))
      : [];
    const listBefore = async (n: number): Promise<void> => {
      while ((listings[0] ?? n) < n) {
        listings.shift();
        await session.listTools(signal);
      }
    };
    for (const { turn, n, call } of record.turns) {
      await listBefore(n);
      if (turn > upToTurn || call === null || call.sent === null || call.returned === null) continue;
      const { toolName, arguments: args } = call.sent;
      const { error, text } = await session.callTool(toolName, cover.reveal(args), signal);
      replayed += 1;
      const logged = call.returned.error ?? call.returned.text;
      const was = logged === null ? null : loadText(logged);
      const is = cover.cover(error ?? text);
      if (isSame(was, is)) continue;
      drift.push(driftOf(turn, toolName, was, is));
      if (stopsAtDrift) break;
    }
    await listBefore(Number.POSITIVE_INFINITY);
    return { session, replayed, drift };
  } catch (thrown) {
    session.close();
    throw thrown;
  }
}

const driftOf = (turn: number, tool_name: string, was: string | null, is: string | null): Drift => ({
  turn,
  tool_name,
  logged: (was ?? '').slice(0, DRIFT_TEXT_MAX),
  again: (is ?? '').slice(0, DRIFT_TEXT_MAX),
});

/** Throws `reset_failed` where the environment refuses what it once took. */
function resetDrift(
  { reset, started }: EpisodeRecord,
  { result, refusal }: Awaited<ReturnType<EnvironmentSession['reset']>>,
  { cover, loadText }: { cover: Cover; loadText: (text: Text) => string },
): Drift[] {
  if (refusal !== null) {
    throw new Failure('reset_failed', `${started?.environment.name ?? ''} could not reset: ${refusal}`, {
      next: 'The message is the environment’s own; look at its log.',
    });
  }
  const logged = reset?.task ?? null;
  const was = logged === null ? null : loadText(logged);
  const is = cover.cover(result.task);
  return isSame(was, is) ? [] : [driftOf(0, 'reset', was, is)];
}

/** The failure for an episode whose environment is not where the log left it. */
export const driftFailure = (
  { environment }: { environment: { name: string } },
  { turn, tool_name }: Drift,
  became: 'was not resumed' | 'did not go on' = 'was not resumed',
): Failure =>
  new Failure(
    'replay_drifted',
    `${environment.name} answered ${turn === 0 ? 'the reset' : `turn ${String(turn)} (${tool_name})`} otherwise than the log says: the episode ${became}`,
    {
      next:
        became === 'was not resumed'
          ? 'Both answers stand under “Continues another episode”. “Resume anyway” goes on from the state that there is.'
          : 'Both answers stand under “Went on after a restart”. “Resume” tries it as a new episode.',
    },
  );
