// Trying calls on a throw-away session before they are real: the episode's calls made again, then these. Nothing of
// it reaches the episode's own session.
import type { TableChange } from '../../shared/contract/state.ts';
import type { JsonObject } from '../../shared/events/turns.ts';
import type { Drift } from '../../shared/events/world.ts';
import type { EnvironmentOf } from '../environments/port.ts';
import type { EventLog } from '../log/eventLog.ts';
import { compareImages } from '../state/differences.ts';
import { rebuild } from './rebuild.ts';

type PreviewedCall = {
  tool_name: string;
  reward_type: string | null;
  text: string | null;
  error: string | null;
};
type PreviewRun = {
  replayed: number;
  drift: Drift[];
  results: PreviewedCall[];
  /** What the tried calls changed; null where the world's state cannot be read. */
  changes: TableChange[] | null;
  verdict: string | null;
};

export type RunPreview = (request: {
  episode: string;
  /** The state to start from: after this turn. */
  afterTurn: number;
  calls: { tool_name: string; arguments: JsonObject }[];
  withVerdict: boolean;
  signal: AbortSignal;
}) => Promise<PreviewRun>;

type PreviewDependencies = {
  log: EventLog;
  environmentOf: EnvironmentOf;
  newId: () => string;
};

/** Results longer than this are shown cut; a preview is looked at, not learnt from. */
const PREVIEW_TEXT_MAX = 20_000;

export const createPreview =
  ({ log, environmentOf, newId }: PreviewDependencies): RunPreview =>
  async ({ episode, afterTurn, calls, withVerdict, signal }) => {
    const name = `preview-${newId()}`;
    const record = log.record(episode);
    const { session, replayed, drift } = await rebuild({
      record,
      upToTurn: afterTurn,
      loadText: (text) => log.texts.loadText(text),
      openSession: (spec, stop, mode) => environmentOf(spec).open(stop, mode),
      reset: { episode_id: name },
      signal,
    });
    const image = (): Uint8Array | null =>
      record.started === null
        ? null
        : (environmentOf(record.started.environment).images(name)?.current ?? null);
    try {
      const before = image();
      const results: PreviewedCall[] = [];
      for (const { tool_name, arguments: args } of calls) {
        const { reward_type, text, error } = await session.callTool(tool_name, args, signal);
        results.push({
          tool_name,
          reward_type,
          text: text?.slice(0, PREVIEW_TEXT_MAX) ?? null,
          error: error?.slice(0, PREVIEW_TEXT_MAX) ?? null,
        });
      }
      const after = image();
      const changes = before === null || after === null ? null : compareImages(before, after);
      const verified = withVerdict ? await session.verifyOnce(null, signal) : null;
      return { replayed, drift, results, changes, verdict: verified?.reward_type ?? null };
    } finally {
      session.close();
    }
  };
