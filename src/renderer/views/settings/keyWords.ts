// Owns: how keys and the gateway's settings read.
import type { GatewaySettings, KeyNote, KeyRow, Scope } from '../../../shared/contract/gateway.ts';

export const SCOPE_LABELS: Readonly<Record<Scope, string>> = {
  tap: 'Environment',
  expert: 'Expert',
  mcp: 'MCP',
  console: 'Console',
};

export const SCOPE_HINTS: Readonly<Record<Scope, string>> = {
  tap: 'plays one environment through the tap',
  expert: 'asks the expert at /v1',
  mcp: 'asks over MCP',
  console: 'opens this console as its owner',
};

/** The limits of a key; empty without any. */
export function limitWords({ per_minute: perMinute, at_once: atOnce }: KeyRow): string {
  const parts = [
    perMinute === null ? '' : `at most ${perMinute.toLocaleString()} a minute`,
    atOnce === null ? '' : `${atOnce.toLocaleString()} at once`,
  ];
  return parts.filter(Boolean).join(', ');
}

const DOORS: Readonly<Record<NonNullable<KeyNote['door']>, string>> = {
  tap: 'the tap',
  expert: 'the expert',
  mcp: 'MCP',
  agent: 'the agent’s model',
  episodes: 'transcripts',
  console: 'the console',
};

const DEEDS: Readonly<Record<KeyNote['what'], string>> = {
  created: 'was made',
  revoked: 'was revoked',
  used: 'used',
  wrong_key: 'knocked with a key that is none',
  wrong_scope: 'knocked at a door it does not open',
  limited: 'was refused for its limits',
};

/** One line of the record: who did what, where, how often. */
export function noteWords({ name, what, door, times }: KeyNote): string {
  const who = name === null ? 'Somebody' : `“${name}”`;
  const where = door === null ? '' : what === 'used' ? ` ${DOORS[door]}` : ` (${DOORS[door]})`;
  return `${who} ${DEEDS[what]}${where}${times > 1 ? `, ${times.toLocaleString()} times` : ''}`;
}

/** A whole number of at least 1 from a field; null when empty, undefined when it is none. */
export function wholeIn(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const value = Number(trimmed);
  return Number.isInteger(value) && value >= 1 ? value : undefined;
}

type Choice<K extends keyof GatewaySettings> = {
  name: K;
  label: string;
  hint: string;
  options: readonly { value: string; label: string; set: GatewaySettings[K] }[];
};
const choice = <K extends keyof GatewaySettings>(of: Choice<K>): Choice<K> => of;

/** Settings that are one of a few, each with one sentence on what it does. */
export const CHOICES = [
  choice({
    name: 'may_act',
    label: 'What people may do to tapped agents',
    hint: 'An unchanged trainer credits its own words with whatever comes back, so acting marks the turn it changed.',
    options: [
      { value: 'no', label: 'Advise and note only', set: false },
      { value: 'yes', label: 'Change calls too; marks the episode', set: true },
    ],
  }),
  choice({
    name: 'on_touch',
    label: 'A turn that a person changed',
    hint: 'Marked turns are named in later frames; a discarded episode ends as a server error, which recipes leave out.',
    options: [
      { value: 'mark', label: 'Passes on, marked', set: 'mark' },
      { value: 'discard', label: 'Ends the episode', set: 'discard' },
    ],
  }),
  choice({
    name: 'hold_fallback',
    label: 'A held call whose time is over',
    hint: 'What a tapped agent gets when nobody decided in time.',
    options: [
      { value: 'approve', label: 'Goes on as it is', set: 'approve' },
      { value: 'reject', label: 'Is answered as refused', set: 'reject' },
    ],
  }),
  choice({
    name: 'reserved_tools',
    label: 'verify and done from a client',
    hint: 'Its agent and its orchestrator look the same on the wire, so both pass unless you refuse them.',
    options: [
      { value: 'pass', label: 'Pass', set: 'pass' },
      { value: 'refuse', label: 'Are refused', set: 'refuse' },
    ],
  }),
  choice({
    name: 'note_in_result',
    label: 'Where a note is put',
    hint: 'Metadata reaches only clients that look there; the text of a result reaches every agent and counts as a change.',
    options: [
      { value: 'no', label: 'In the observation’s metadata', set: false },
      { value: 'yes', label: 'Also in the next tool result', set: true },
    ],
  }),
  choice({
    name: 'analysis',
    label: 'Requests that distil a verifier',
    hint: 'Recipes ask the expert model once to read a verifier; the advisor answers those unless you want them yourself.',
    options: [
      { value: 'advisor', label: 'Answered by the advisor', set: 'advisor' },
      { value: 'person', label: 'Brought to the desk', set: 'person' },
    ],
  }),
  choice({
    name: 'ask_fallback',
    label: 'A client’s question whose time is over',
    hint: 'Either way the client gets an ordinary answer, never an error that its agent would read.',
    options: [
      { value: 'draft', label: 'Gets the draft', set: 'draft' },
      { value: 'proceed', label: 'Is told to go on without advice', set: 'proceed' },
    ],
  }),
  choice({
    name: 'mcp',
    label: 'The MCP door',
    hint: 'A server of its own with ask_expert, never merged with an environment’s tools.',
    options: [
      { value: 'no', label: 'Closed', set: false },
      { value: 'yes', label: 'Open', set: true },
    ],
  }),
] as const;
