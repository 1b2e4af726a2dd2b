// Trying calls on a throw-away session before they are real: the episode's calls made again, then these. Nothing of
// it reaches the episode's own session.
import type { TableChange } from '../../shared/contract/state.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { taskRef } from '../../shared/episode/taskRef.ts';
import type { JsonObject } from '../../shared/events/turns.ts';
import type { Drift } from '../../shared/events/world.ts';
import type { Environment, EnvironmentOf, EnvironmentSession } from '../environments/port.ts';
import type { EventLog } from '../log/eventLog.ts';
import { compareImages } from '../state/differences.ts';
import { recordsOfCalls, type StateRecord } from '../state/recordsOfCalls.ts';
import { lookupsFor, saysReadOnly, soundsReadOnly, type Lookup } from './lookups.ts';
import { rebuild } from './rebuild.ts';

type PreviewedCall = {
  tool_name: string;
  reward_type: string | null;
  text: string | null;
  error: string | null;
};
export type PreviewRun = {
  replayed: number;
  drift: Drift[];
  results: PreviewedCall[];
  /** What tools that only read say of the records in the calls. */
  looked_up: { tool_name: string; text: string }[];
  /** What the tried calls changed; null where the world's state cannot be read. */
  changes: TableChange[] | null;
  /** The records in the calls as the state has them before the calls; the agent could not read it. */
  records: StateRecord[];
  verdict: string | null;
};

export type RunPreview = (request: {
  episode: string;
  /** The state to start from: after this turn. */
  afterTurn: number;
  calls: { tool_name: string; arguments: JsonObject }[];
  withVerdict: boolean;
  /** Whether tools that are only called as if they read may be asked for names. */
  mayGuess: boolean;
  signal: AbortSignal;
}) => Promise<PreviewRun>;

type PreviewDependencies = {
  log: EventLog;
  environmentOf: EnvironmentOf;
  newId: () => string;
};

/** Results longer than this are shown cut; a preview is looked at, not learnt from. */
const PREVIEW_TEXT_MAX = 20_000;
/** What is looked up for names is read by a program: longer answers are left out whole. */
const LOOKED_UP_MAX = 100_000;

export const createPreview =
  ({ log, environmentOf, newId }: PreviewDependencies): RunPreview =>
  async ({ episode, afterTurn, calls, withVerdict, mayGuess, signal }) => {
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
    const environment = record.started === null ? null : environmentOf(record.started.environment);
    const image = (): Uint8Array | null => environment?.images(name)?.current ?? null;
    const reading = readingLookups(record, environment, calls);
    const lookUp = (lookups: readonly Lookup[]) => lookedUp(session, lookups, signal);
    try {
      // Names as they are before the calls; tools that may do more than read are asked when nothing counts any more.
      const known = await lookUp(reading.sure);
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
      const guessed = mayGuess ? await lookUp(reading.guessed) : [];
      const verdict = verified?.reward_type ?? null;
      const records = before === null ? [] : recordsOfCalls(before, calls);
      return { replayed, drift, results, looked_up: [...known, ...guessed], changes, records, verdict };
    } finally {
      session.close();
    }
  };

type ReadingLookups = { sure: Lookup[]; guessed: Lookup[] };

function readingLookups(
  record: EpisodeRecord,
  environment: Environment | null,
  calls: readonly Lookup[],
): ReadingLookups {
  const known = environment?.readingTools(taskRef(record).scenario) ?? null;
  const of = (tools: EpisodeRecord['tools']): Lookup[] => lookupsFor(calls, tools, record);
  if (known !== null) return { sure: of(record.tools.filter(({ name }) => known.has(name))), guessed: [] };
  const others = record.tools.filter((tool) => !saysReadOnly(tool) && soundsReadOnly(tool));
  return { sure: of(record.tools.filter(saysReadOnly)), guessed: of(others) };
}

/** The answers there are; a tool that refuses tells no names. */
async function lookedUp(
  session: EnvironmentSession,
  lookups: readonly Lookup[],
  signal: AbortSignal,
): Promise<PreviewRun['looked_up']> {
  const found: PreviewRun['looked_up'] = [];
  for (const { tool_name, arguments: args } of lookups) {
    const { text, error } = await session.callTool(tool_name, args, signal);
    if (error === null && text !== null && text.length <= LOOKED_UP_MAX) found.push({ tool_name, text });
  }
  return found;
}
