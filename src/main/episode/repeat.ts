// Making the calls of an episode again in a fresh session, each compared with what the log says came back. Unlike
// `rebuild` it is run to look at, so what stops it half-way is part of what it found.
import { isSame } from '../../shared/drift.ts';
import type { AgainStep } from '../../shared/events/library.ts';
import type { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import type { Text } from '../../shared/events/text.ts';
import type { Call, EpisodeRecord } from '../../shared/episode/record.ts';
import { failureShape, type FailureShape } from '../../shared/failure.ts';
import type { OpenSession } from '../environments/port.ts';
import { loggedReset } from './rebuild.ts';

type RepeatEnd = { outcome: 'finished' | 'stopped' | 'failed'; failure: FailureShape | null };
type RepeatRequest = {
  record: EpisodeRecord;
  environment: EnvironmentSpec;
  loadText: (text: Text) => string;
  openSession: OpenSession;
  signal: AbortSignal;
  onStep: (step: AgainStep) => void;
};

/** How much of a differing result is kept; the log has what it differs from. */
const RESULT_TEXT_MAX = 24_000;

type MadeCall = { turn: number; sent: NonNullable<Call['sent']>; returned: NonNullable<Call['returned']> };

/** The calls that took effect in the episode itself and that something came back from, in order. */
export const callsToRepeat = ({ turns }: EpisodeRecord): MadeCall[] =>
  turns.flatMap(({ turn, call }) =>
    call === null || call.sent === null || call.returned === null
      ? []
      : [{ turn, sent: call.sent, returned: call.returned }],
  );

/** Never throws: what went wrong is said in the outcome, after the steps that went before it. */
export async function repeatCalls(request: RepeatRequest): Promise<RepeatEnd> {
  const { record, environment, loadText, openSession, signal, onStep } = request;
  try {
    const session = await openSession(environment, signal);
    try {
      await session.reset(loggedReset(record), signal);
      for (const { turn, sent, returned } of callsToRepeat(record)) {
        const { error, text } = await session.callTool(sent.toolName, sent.arguments, signal);
        const logged = returned.error ?? returned.text;
        const again = error ?? text;
        const same = isSame(logged === null ? null : loadText(logged), again);
        onStep({
          turn,
          tool_name: sent.toolName,
          is_same: same,
          again: same ? null : (again?.slice(0, RESULT_TEXT_MAX) ?? null),
          again_length: again?.length ?? 0,
        });
      }
    } finally {
      session.close();
    }
    return { outcome: 'finished', failure: null };
  } catch (thrown) {
    return signal.aborted
      ? { outcome: 'stopped', failure: null }
      : { outcome: 'failed', failure: failureShape(thrown) };
  }
}
