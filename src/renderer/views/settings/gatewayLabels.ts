// How keys and the gateway's settings read.
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
export function limitText({ per_minute: perMinute, at_once: atOnce }: KeyRow): string {
  const parts = [
    perMinute === null ? '' : `at most ${perMinute.toLocaleString()} a minute`,
    atOnce === null ? '' : `${atOnce.toLocaleString()} at once`,
  ];
  return parts.filter(Boolean).join(', ');
}

const DOOR_NAMES: Readonly<Record<NonNullable<KeyNote['door']>, string>> = {
  tap: 'the tap',
  expert: 'the expert',
  mcp: 'MCP',
  agent: 'the agent’s model',
  episodes: 'transcripts',
  curriculum: 'the curriculum',
  console: 'the console',
};

const DEEDS: Readonly<Record<KeyNote['what'], string>> = {
  created: 'was made',
  revoked: 'was revoked',
  used: 'used',
  wrong_key: 'used an unknown key',
  wrong_scope: 'used a key without that scope',
  limited: 'was refused for exceeding its limits',
};

/** One line of the record: who did what, where, how often. */
export function keyNoteText({ name, what, door, times }: KeyNote): string {
  const who = name === null ? 'Someone' : `“${name}”`;
  const where = door === null ? '' : what === 'used' ? ` ${DOOR_NAMES[door]}` : ` (${DOOR_NAMES[door]})`;
  return `${who} ${DEEDS[what]}${where}${times > 1 ? `, ${times.toLocaleString()} times` : ''}`;
}

/** A whole number of at least 1 from a field; null when empty, undefined when it is none. */
export function wholeIn(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const value = Number(trimmed);
  return Number.isInteger(value) && value >= 1 ? value : undefined;
}

type SettingChoice<K extends keyof GatewaySettings> = {
  name: K;
  label: string;
  hint: string;
  options: readonly { value: string; label: string; set: GatewaySettings[K] }[];
};
const choice = <K extends keyof GatewaySettings>(of: SettingChoice<K>): SettingChoice<K> => of;

/** Settings that are one of a few, each with one sentence on what it does. */
export const GATEWAY_CHOICES = [
  choice({
    name: 'may_act',
    label: 'What people may do in tapped episodes',
    hint: 'An unmodified trainer treats whatever comes back as the result of its own words, so actions mark the turn they changed.',
    options: [
      { value: 'no', label: 'Advice and notes only', set: false },
      { value: 'yes', label: 'Actions too; marks the episode', set: true },
    ],
  }),
  choice({
    name: 'on_touch',
    label: 'When a person changes a turn',
    hint: 'Marked turns are named in later frames. A discarded episode ends with a server error, which recipes leave out.',
    options: [
      { value: 'mark', label: 'Passes on, marked', set: 'mark' },
      { value: 'discard', label: 'Ends the episode', set: 'discard' },
    ],
  }),
  choice({
    name: 'reserved_tools',
    label: '“verify” and “done” from a client',
    hint: 'A client’s agent and its orchestrator look the same, so both are allowed unless you refuse them.',
    options: [
      { value: 'pass', label: 'Pass', set: 'pass' },
      { value: 'refuse', label: 'Are refused', set: 'refuse' },
    ],
  }),
  choice({
    name: 'note_in_result',
    label: 'Where notes go',
    hint: 'Metadata reaches only clients that read it. The result text reaches every agent and counts as a change.',
    options: [
      { value: 'no', label: 'In the observation’s metadata', set: false },
      { value: 'yes', label: 'Also in the next tool result', set: true },
    ],
  }),
  choice({
    name: 'analysis',
    label: 'Verifier summary requests',
    hint: 'Recipes ask the expert model once to summarise a verifier. The advisor answers these unless you want them at the desk.',
    options: [
      { value: 'advisor', label: 'Answered by the advisor', set: 'advisor' },
      { value: 'person', label: 'Sent to the desk', set: 'person' },
    ],
  }),
  choice({
    name: 'ask_fallback',
    label: 'When a client’s question times out',
    hint: 'Either way the client gets a normal answer, never an error.',
    options: [
      { value: 'draft', label: 'Gets the draft', set: 'draft' },
      { value: 'proceed', label: 'Is told there is no advice', set: 'proceed' },
    ],
  }),
  choice({
    name: 'mcp',
    label: 'The MCP door',
    hint: 'A separate server with ask_expert, never merged with an environment’s tools.',
    options: [
      { value: 'no', label: 'Closed', set: false },
      { value: 'yes', label: 'Open', set: true },
    ],
  }),
] as const;
