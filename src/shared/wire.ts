// Names, labels and limits of the OpenEnv wire as this product speaks it; its frames are in `wireFrames.ts`. Source: OpenEnv
// core `env_server` (0.3.x) and its Agent World Model environment.

/** Tools of the environment's host, never of the agent: an agent that calls one is refused. */
export const RESERVED_TOOLS: ReadonlySet<string> = new Set(['verify', 'done', '__list_scenarios__']);
/** OpenEnv keeps these for its protocol: no server may offer a tool of such a name (`RESERVED_TOOL_NAMES`). */
export const PROTOCOL_NAMES: ReadonlySet<string> = new Set(['reset', 'step', 'state', 'close']);
/** True if no person and no agent may call it: a verdict could be read from it, or the session changed behind the log. */
export const isReservedTool = (name: string): boolean => RESERVED_TOOLS.has(name) || PROTOCOL_NAMES.has(name);

/** Exists only on the agent's side; never registered with a server and never sent over the wire. */
export const ASK_EXPERT = 'ask_expert';
/** Start of every text that tells the agent why no advice came. */
export const NO_ADVICE = 'No advice:';

export const RewardType = {
  toolErrors: new Set([
    'tool_not_found',
    'invalid_args',
    'invalid_action',
    'timeout',
    'server_error',
    'episode_already_done',
  ]) as ReadonlySet<string>,
  /** The call itself was badly formed. */
  formatErrors: new Set(['tool_not_found', 'invalid_args', 'invalid_action']) as ReadonlySet<string>,
  resetErrors: new Set(['reset_error']) as ReadonlySet<string>,
} as const;

/** True if a call came back as a failure: by its error text, or by its label where there is none. */
export const isToolError = (error: unknown, reward_type: string | null): boolean =>
  error !== null || RewardType.toolErrors.has(reward_type ?? '');

/** AWM's rule for joining scenario names across files: lower case, `[^a-z0-9_]` to `_`, squeezed, trimmed. */
export const normalizeScenario = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9_]/g, '_')
    .replace(/_+/g, '_')
    .replace(/^_+|(?<!_)_+$/g, '');

/** Server limit on an inbound frame (uvicorn's default). */
export const SERVER_FRAME_MAX = 16 * 1024 * 1024;
/**
 * The limit of an environment's answer: a large screenshot fits. Reading and storing an answer holds up every other
 * episode for some 10 ms a MB, so that upstream's 100 MiB would stop them for a second.
 */
export const ANSWER_MAX = 8 * 1024 * 1024;
/** The size limit of one frame, as in upstream's client. A larger one ends the connection: it would fill the memory. */
export const FRAME_MAX = 100 * 1024 * 1024;
/** The list of a thousand scenarios with their tasks, which is read once and not stored. */
export const LISTING_MAX = 32 * 1024 * 1024;
