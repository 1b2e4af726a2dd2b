// Trying calls on a throw-away session before they are real: the episode's calls made again, then these. Nothing of
// it reaches the episode's own session.
import { canonical } from '../../shared/canonical.ts';
import type { TableChange } from '../../shared/events/world.ts';
import { type EpisodeRecord, taskRef } from '../../shared/episode/record.ts';
import type { Json, ToolSpec } from '../../shared/events/lifecycle.ts';
import type { JsonObject } from '../../shared/events/turns.ts';
import type { Drift } from '../../shared/events/world.ts';
import { isRecord } from '../../shared/json.ts';
import type { Environment, EnvironmentOf, EnvironmentSession } from '../environments/port.ts';
import type { EventLog } from '../log/eventLog.ts';
import { compareImages } from '../state/database.ts';
import { recordsOfCalls, type StateRecord } from '../state/recordsOfCalls.ts';
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
/** Lookups of names are read by a program: longer answers are left out whole. */
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

function readingLookups(
  record: EpisodeRecord,
  environment: Environment | null,
  calls: readonly Lookup[],
): { sure: Lookup[]; guessed: Lookup[] } {
  const known = environment?.readingTools(taskRef(record).scenario) ?? null;
  const of = (tools: EpisodeRecord['tools']): Lookup[] => lookupsFor(calls, tools, record);
  if (known !== null) return { sure: of(record.tools.filter(({ name }) => known.has(name))), guessed: [] };
  // Whether a tool is called like one that only reads.
  const others = record.tools.filter(
    (tool) => !saysReadOnly(tool) && /^(?:get|list|search|find)_/.test(tool.name),
  );
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

// For the ids in planned calls, the calls of tools that only read which tell the records' names: the agent could make
// them too.
type Lookup = { tool_name: string; arguments: JsonObject };

/** Each is a call to the environment, for a name only. */
const LOOKUPS_MAX = 6;

/** `workflow_id`, `from_user_id`, `bill_ids`: the field of an id, and what the record is called. */
const ID_FIELD = /^(.+)_ids?$/;

/** Lookups of the records that the calls name by their ids, through `tools`, but for the episode's own. */
function lookupsFor(
  calls: readonly Lookup[],
  tools: readonly ToolSpec[],
  { turns }: Pick<EpisodeRecord, 'turns'>,
): Lookup[] {
  const known = new Set(
    turns.flatMap(({ call }) =>
      call?.sent && call.returned !== null && call.returned.error === null
        ? [nameOf({ tool_name: call.sent.toolName, arguments: call.sent.arguments })]
        : [],
    ),
  );
  const found = new Map<string, Lookup>();
  for (const { arguments: args } of calls) {
    for (const [field, value] of Object.entries(args)) {
      const noun = ID_FIELD.exec(field)?.[1];
      const ids = Array.isArray(value) ? value : [value];
      for (const id of noun === undefined ? [] : ids) {
        const lookup = lookupOf(noun ?? '', id, tools);
        if (lookup !== null && !known.has(nameOf(lookup))) found.set(nameOf(lookup), lookup);
      }
    }
  }
  return [...found.values()].slice(0, LOOKUPS_MAX);
}

const nameOf = (lookup: Lookup): string => canonical([lookup.tool_name, lookup.arguments]);

/** `from_user` may be a record called so, or a user. */
function lookupOf(noun: string, id: Json, tools: readonly ToolSpec[]): Lookup | null {
  if (typeof id !== 'number' && typeof id !== 'string') return null;
  for (const name of new Set([noun, noun.slice(noun.lastIndexOf('_') + 1)])) {
    const field = `${name}_id`;
    const one = tools.find(
      (tool) => tool.name.endsWith(`_${name}`) && canonical(requiredOf(tool)) === canonical([field]),
    );
    if (one !== undefined) return { tool_name: one.name, arguments: { [field]: id } };
    const all = tools.find(
      (tool) =>
        [`${name}s`, `${name}es`, name.replace(/y$/, 'ies')].some((many) => tool.name.endsWith(`_${many}`)) &&
        requiredOf(tool).length === 0,
    );
    if (all !== undefined) return { tool_name: all.name, arguments: mostRows(all) };
  }
  return null;
}

const requiredOf = ({ input_schema: schema }: ToolSpec): unknown[] =>
  Array.isArray(schema['required']) ? schema['required'] : [];

/** As many rows as a list gives, where it has a limit. */
function mostRows({ input_schema: schema }: ToolSpec): JsonObject {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const limit = properties['limit'];
  return isRecord(limit) && typeof limit['maximum'] === 'number' ? { limit: limit['maximum'] } : {};
}

/** True if a server says of a tool, as MCP does, that it only reads. */
export const saysReadOnly = (tool: ToolSpec): boolean => {
  const annotations = tool['annotations'];
  return isRecord(annotations) && annotations['readOnlyHint'] === true;
};
