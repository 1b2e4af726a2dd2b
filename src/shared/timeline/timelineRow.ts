// The shape of one line of a timeline: who, what, outcome, time. The list, the map, find and replay all read it.
import type { Consultation, Item, Turn } from '../episode/record.ts';
import { textHead, type Text } from '../events/text.ts';
import { parsePlan } from '../plan.ts';
import { callSentence, type Sentence, type SentenceTool } from '../sentences/sentence.ts';
import type { TaskOutcome } from '../taskOutcome.ts';

/** Roles of actors, as the screen tells them apart: each has a hue, an icon and a word. */
export type RowRole = 'agent' | 'environment' | 'model' | 'human' | 'verifier' | 'system' | 'scripted';

export type RowTone = 'ok' | 'error' | 'waiting' | 'plain';
export type Facet = 'message' | 'call' | 'reasoning';

/** The subject of a line; its details are read from here. */
type RowSubject =
  | { type: 'turn'; turn: Turn }
  /** The host refused this turn's call, or could not read it: what the agent was told. */
  | { type: 'told'; turn: Turn }
  /** What a person decided about this turn's call, or that nobody did in time. */
  | { type: 'decision'; turn: Turn }
  /** What an expert would have done in this turn. */
  | { type: 'label'; turn: Turn }
  | { type: 'consultation'; consultation: Consultation }
  | { type: 'item'; item: Item }
  /** Lines of bookkeeping that follow each other, folded into one. */
  | { type: 'technical' };

export type TimelineRow = {
  /** Stays the same while the episode grows, so that what is open stays open. */
  key: string;
  n: number;
  at: number;
  /** A step is something that was done; a mark is what happened between two steps. */
  shape: 'step' | 'mark';
  role: RowRole;
  /** The strong words: what a call does, or what happened. */
  name: string;
  /** The same of a call, with its arguments told apart. */
  sentence?: Sentence;
  /** What the strong words are about: a tool's name, a first sentence, a reason. */
  detail: string;
  isDetailCode: boolean;
  /** What the agent wanted, where something else took effect: shown struck, above. */
  struck: string | null;
  /** What the agent said beside its call. */
  said: string | null;
  /** What a call gave back, or what went wrong, as a sentence. */
  result?: string;
  outcome: { tone: RowTone; label: string } | null;
  /** How the task went, on the line of its verifier. */
  verdict?: TaskOutcome;
  reward: number | null;
  facets: readonly Facet[];
  /** Copied from the episode this one goes on from; left out where it is not. */
  isCopied?: boolean;
  /** A person's act, or one that a person waits to make: never filtered away. */
  isHuman: boolean;
  /** Bookkeeping of connection, tools and session: folded away, unless it went wrong. */
  isTechnical?: boolean;
  subject: RowSubject;
};

export const ROLE_LABELS: Readonly<Record<RowRole, string>> = {
  agent: 'Agent',
  environment: 'Environment',
  model: 'Advisor',
  human: 'Person',
  verifier: 'Verifier',
  system: 'System',
  scripted: 'Scripted',
};

/** `server_error` as a person reads it: "server error". */
export const outcomeWords = ({ label }: NonNullable<TimelineRow['outcome']>): string =>
  label.replaceAll('_', ' ');

const LINE_MAX = 240;
const VALUE_MAX = 60;

/** On one line, its end marked when it goes on. The whole is always one step away, in the details. */
export function oneLine(text: string, max = LINE_MAX): string {
  const line = text
    .slice(0, max * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > max || text.length > max * 4 ? `${line.slice(0, max).trimEnd()}…` : line;
}

/** The first sentence of a text, or as much of it as a line holds. */
export function firstSentence(text: string): string {
  const line = oneLine(text);
  const end = /[.!?](?=\s+["'(]?[A-ZÀ-Þ0-9])/.exec(line);
  return end === null ? line : line.slice(0, end.index + 1);
}

/** The agent's words around its call: the call itself is shown as one. */
export const proseOf = (content: Text): string =>
  textHead(content)
    .replace(/<tool_call>[\s\S]*?(<\/tool_call>|$)/g, ' ')
    .replace(/<think>[\s\S]*?(<\/think>|$)/g, ' ')
    .replace(/```[\s\S]*?(```|$)/g, ' ')
    .trim();

/** `order_id: 12, status: "open"`, long values cut with a mark. */
export const argumentsLine = (args: Readonly<Record<string, unknown>>): string =>
  Object.entries(args)
    .map(([name, value]) => `${name}: ${shortValue(value)}`)
    .join(', ');

function shortValue(value: unknown): string {
  const json = JSON.stringify(value) ?? 'null';
  return json.length > VALUE_MAX ? `${json.slice(0, VALUE_MAX)}…` : json;
}

/** An advice in a line: the calls it asks for, else its first sentence. */
export function adviceLine(text: Text, tools: readonly SentenceTool[]): string {
  const head = textHead(text);
  const { calls } = parsePlan(head);
  return calls.length === 0 ? firstSentence(head) : callsLine(calls, tools);
}

type PlannedCall = { tool: string; args: Readonly<Record<string, unknown>> };

/** Calls that were not made, a sentence each. */
export const callsLine = (calls: readonly PlannedCall[], tools: readonly SentenceTool[]): string =>
  oneLine(
    calls
      .map(
        ({ tool: name, args }) => callSentence(tools.find((one) => one.name === name) ?? { name }, args).text,
      )
      .join('; '),
  );
