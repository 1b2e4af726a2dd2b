// Owns: trying calls on a throw-away session before they are real: the episode's calls made again, then these.
// Nothing of it reaches the episode's own session.
import type { TableChange } from '../../shared/contract/state.ts';
import type { JsonObject } from '../../shared/events/turns.ts';
import type { Drift } from '../../shared/events/world.ts';
import type { EventLog } from '../log/eventLog.ts';
import { errorText, labelOf, resultText, type Session } from '../openenv/session.ts';
import { compareImages } from '../state/differences.ts';
import { rebuild, type OpenSession } from './rebuild.ts';

export type Tried = {
  tool_name: string;
  reward_type: string | null;
  text: string | null;
  error: string | null;
};
export type PreviewResult = {
  replayed: number;
  drift: Drift[];
  results: Tried[];
  /** What the tried calls changed; null where the world's state cannot be read. */
  changes: TableChange[] | null;
  verdict: string | null;
};

export type Preview = (request: {
  episode: string;
  /** The state to start from: after this turn. */
  afterTurn: number;
  calls: { tool_name: string; arguments: JsonObject }[];
  withVerdict: boolean;
  signal: AbortSignal;
}) => Promise<PreviewResult>;

type Parts = {
  log: EventLog;
  openSession: OpenSession;
  image: (episode: string) => Uint8Array | null;
  newId: () => string;
};

/** Results longer than this are shown cut; a preview is looked at, not learnt from. */
const SHOWN = 20_000;

export const createPreview =
  ({ log, openSession, image, newId }: Parts): Preview =>
  async ({ episode, afterTurn, calls, withVerdict, signal }) => {
    const name = `preview-${newId()}`;
    const { session, replayed, drift } = await rebuild({
      record: log.record(episode),
      upToTurn: afterTurn,
      whole: (text) => log.texts.whole(text),
      openSession,
      reset: { episode_id: name },
      signal,
    });
    try {
      const before = image(name);
      const results: Tried[] = [];
      for (const { tool_name, arguments: args } of calls) {
        const { observation } = await session.callTool(tool_name, args, signal);
        results.push({
          tool_name,
          reward_type: labelOf(observation),
          text: resultText(observation)?.slice(0, SHOWN) ?? null,
          error: errorText(observation)?.slice(0, SHOWN) ?? null,
        });
      }
      const after = image(name);
      const changes = before === null || after === null ? null : compareImages(before, after);
      const verdict = withVerdict ? await verdictOf(session, signal) : null;
      return { replayed, drift, results, changes, verdict };
    } finally {
      session.close();
    }
  };

async function verdictOf(session: Session, signal: AbortSignal): Promise<string | null> {
  const { observation } = await session.callTool(
    'verify',
    { verifier_mode: 'code', final_answer: '' },
    signal,
  );
  return labelOf(observation);
}
