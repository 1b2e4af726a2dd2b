// Turns one Inspect sample into an episode: its conversation, with the times, tokens, approvals and scores from its
// events. What every request repeats is never read.
import {
  metadataOf,
  keySet,
  poolRange,
  jsonFrom,
  recordFrom,
  listFrom,
  ownValue,
  textFrom,
  timeFrom,
  wholeOf,
  textFromAny,
  type JsonRecord,
  jsonText,
  numberFrom,
} from './values.ts';
import {
  type ImportedMessage,
  addConversation,
  type KnownCallResult,
  type KnownTurn,
} from './conversation.ts';
import { createNotes, type ImportNotes, type Path } from './importNotes.ts';
import {
  agentMessages,
  splitAgents,
  withoutMessages,
  type Subagent,
  sampleEvents,
  type SampleEvents,
} from './inspectEvents.ts';
import { blankEpisode, EPISODE_DONE, type EpisodeEnd, type ImportedEpisode } from './formatReader.ts';
import { createEpisodeBuilder, type ImportedVerdict } from './episodeBuilder.ts';
import type { Wish } from './walk.ts';
import { isRecord } from '../../../shared/json.ts';

/** `log`: what its first episode keeps of the run; empty for the others. */
export type LogHeader = { eval: JsonRecord; log: JsonRecord; version: string | null; name: string };

const SAMPLE_KEYS = keySet('messages events events_data message_pool attachments scores input message_refs');
/** Every request repeats the tools; the first ones say enough. */
const TOOL_LISTS = 4;
/** Of each request of a log with sub-agents: what one began with. */
const BEGINNING = 4;
const EVENT_LARGE: ReadonlySet<string> = new Set([
  'config',
  'events',
  'arguments',
  'result',
  'view',
  'changes',
]);

/** Parts of a sample to read. The messages of each request only where the sample has no conversation of its own. */
export function sampleWish(): (path: Path) => Wish {
  let hasMessages = false;
  let toolLists = 0;
  // Of a sub-agent the sample has no conversation; the call that starts it stands before what it does.
  let hasAgents = false;
  return (path) => {
    const [member, second, third] = path;
    if (path.length === 0) return 'into';
    if (member === 'messages') {
      if (second !== undefined) hasMessages = true;
      return second === undefined ? 'into' : 'take';
    }
    if (member === 'events') {
      if (path.length < 3) return 'into';
      if (third === 'call') return path.length === 3 ? 'into' : callWish(path);
      if (third === 'agent_span_id') {
        hasAgents = true;
        toolLists = 0;
      }
      if (third === 'input' && hasMessages && hasAgents)
        return path.length === 3 ? 'into' : Number(path[3]) < BEGINNING ? 'take' : 'skip';
      if (third === 'input' || third === 'input_refs') return hasMessages && !hasAgents ? 'skip' : 'take';
      if (third === 'result' && hasAgents) return 'take';
      if (third === 'tools' && path.length === 3) return (toolLists += 1) <= TOOL_LISTS ? 'take' : 'skip';
      return EVENT_LARGE.has(String(third)) ? 'skip' : 'take';
    }
    if (member === 'attachments') return second === undefined ? 'into' : 'take';
    if (member === 'events_data' || member === 'message_pool') {
      if ((hasMessages && !hasAgents) || second === 'calls') return 'skip';
      return path.length < (member === 'events_data' ? 3 : 2) ? 'into' : 'take';
    }
    return 'take';
  };
}

/** Of a call that was approved its name and arguments; of a request to a model nothing. */
const callWish = (path: Path): Wish =>
  path.length === 4 && ['id', 'function', 'arguments'].includes(String(path[3])) ? 'take' : 'skip';

const INSPECT_NOT_RECORDED = ['the environment’s own replies', 'the reset'];

type SamplePlace = { index: number; notes: ImportNotes };
/** Far more than a log has samples: a sub-agent's place in the file says which of its sample's it is. */
const SUBAGENT_PLACES = 1_000_000;

/**
 * The sub-agents of a sample, each an episode of its own, then the sample itself: while it is missing, the file is
 * looked at again.
 */
export function sampleEpisode(raw: JsonRecord, header: LogHeader, place: SamplePlace): ImportedEpisode[] {
  const whole = recordFrom(withAttachments(raw, recordFrom(raw['attachments']), place.notes));
  const pool = poolOf(whole);
  const { mine, agents } = splitAgents(listFrom(whole['events']), listFrom(whole['messages']));
  if (agents.length === 0) return [tellOwn(whole, header, place)];
  const { events_data: _data, message_pool: _pool, ...tree } = whole;
  // The requests of a sample without a conversation are all there is of it.
  const hasMessages = listFrom(whole['messages']).length > 0;
  const rest = hasMessages ? { ...tree, events: mine.map(withoutMessages) } : { ...whole, events: mine };
  const parent = tellOwn(rest, header, place);
  const inner = agents.map((agent, at) => {
    const here = { index: place.index + (at + 1) * SUBAGENT_PLACES, notes: createNotes(place.notes) };
    return tellAgent(agent, agentMessages(agent, pool), { ...parent, ...here });
  });
  return [...inner, parent];
}

/** A sub-agent's conversation, linked to the episode it worked for. */
function tellAgent(agent: Subagent, messages: unknown[], of: ImportedEpisode): ImportedEpisode {
  const { index, notes } = of;
  const builder = createEpisodeBuilder(notes);
  const events = sampleEvents(agent.events, notes);
  const heard = addConversation(builder, messages, {
    pointer: `/samples/${String(index % SUBAGENT_PLACES)}/events`,
    model: of.model,
    turnOf: ({ id }): KnownTurn => events.turn(id),
    resultOf: ({ toolCallId }): KnownCallResult => events.result(toolCallId),
    shownOf: shownResult,
  });
  const answer = builder.finish();
  const name = `${of.scenario ?? 'agent'}/${agent.tool}`;
  return {
    ...blankEpisode(index, notes),
    version: of.version,
    environment: of.environment,
    scenario: name,
    task: heard.task,
    model: heard.model,
    protocol: heard.usesTags ? 'xml' : heard.hasCalls ? 'native' : null,
    repeat: of.repeat,
    startedAt: events.firstAt,
    tools: events.tools,
    body: builder.entries,
    end: { ...EPISODE_DONE, final_answer: answer, at: events.lastAt },
    notRecorded: [...INSPECT_NOT_RECORDED, 'scores of sub-agents'],
    extra: {
      subagent_of: of.group,
      tool: agent.tool,
      tool_call_id: agent.callId,
      agent_span_id: agent.span,
      caller_span_id: agent.caller,
    },
    sources: [{ value: { messages, events: agent.events.map(withoutMessages) } }],
  };
}

function tellOwn(tree: JsonRecord, header: LogHeader, { index, notes }: SamplePlace): ImportedEpisode {
  const builder = createEpisodeBuilder(notes);
  const events = sampleEvents(listFrom(tree['events']), notes);
  const messages = conversationOf(tree, notes);
  const tools = events.tools;
  const heard = addConversation(builder, messages, {
    pointer: `/samples/${String(index)}/messages`,
    model: textFrom(header.eval['model']),
    turnOf: ({ id }): KnownTurn => events.turn(id),
    resultOf: ({ toolCallId }): KnownCallResult => events.result(toolCallId),
    shownOf: shownResult,
  });
  const answer = builder.finish();
  const verdicts = scoresOf(tree['scores'], events.scoredAt);
  for (const verdict of verdicts) builder.verdict(verdict);
  const metadata = recordFrom(tree['metadata']);
  const id = tree['id'];
  return {
    ...blankEpisode(index, notes),
    version: header.version,
    environment: textFrom(header.eval['task']),
    scenario: textFrom(metadata['scenario']) ?? textFrom(header.eval['task']),
    task_idx: wholeOf(metadata['task_idx']) ?? wholeOf(id),
    task: textFrom(tree['input']) ?? heard.task,
    model: textFrom(header.eval['model']) ?? heard.model,
    protocol: heard.usesTags ? 'xml' : heard.hasCalls ? 'native' : null,
    repeat: Math.max(0, (wholeOf(tree['epoch']) ?? 1) - 1),
    group: `${textFrom(header.eval['eval_id']) ?? textFrom(header.eval['run_id']) ?? header.name}:${textFromAny(id)}`,
    startedAt: timeFrom(tree['started_at']) ?? events.firstAt,
    tools,
    body: builder.entries,
    end: {
      ...sampleEnd(tree, events),
      final_answer: answer,
      reward: verdicts[0]?.reward ?? null,
      reward_type: verdicts[0]?.reward_type ?? null,
    },
    notRecorded: [
      ...INSPECT_NOT_RECORDED,
      ...(events.firstAt === null ? ['times'] : []),
      ...(tools.length === 0 ? ['tool schemas'] : []),
      ...(verdicts.length === 0 ? ['scores'] : []),
    ],
    extra: sampleExtra(tree, header.log, notes),
    sources: [
      { value: tree, omit: ['attachments'] },
      { value: header.log, path: 'log' },
    ],
    notes,
  };
}

/**
 * The result that the model read: of a failed call `Error: …` and not its content, as `inspect_ai` tells its models
 * (source: `openai_chat_message` in inspect_ai/model/_openai.py; Anthropic's gets the same words, marked as an error).
 */
const shownResult = ({ content, error }: ImportedMessage): string =>
  error === null ? content : `Error: ${error}`;

/** The sample's own conversation; of a sample that never ended, that of its last request and the reply to it. */
function conversationOf(tree: JsonRecord, notes: ImportNotes): unknown[] {
  const messages = listFrom(tree['messages']);
  if (messages.length > 0) return messages;
  const pool = poolOf(tree);
  const last = listFrom(tree['events']).findLast((event) => ownValue(event, 'event') === 'model');
  if (last === undefined)
    return typeof tree['input'] === 'string'
      ? [{ role: 'user', content: tree['input'] }]
      : listFrom(tree['input']);
  notes.note('from_events', 'the sample has no conversation of its own: it is that of its last request');
  const refs = listFrom(ownValue(last, 'input_refs'));
  const input =
    refs.length > 0 ? refs.flatMap((ref) => poolRange(pool, ref)) : listFrom(ownValue(last, 'input'));
  const reply = ownValue(listFrom(ownValue(ownValue(last, 'output'), 'choices'))[0], 'message');
  return reply === undefined || reply === null ? input : [...input, reply];
}

/** Messages that requests name by their place. */
const poolOf = (tree: JsonRecord): unknown[] =>
  listFrom(ownValue(tree['events_data'], 'messages') ?? tree['message_pool']);

function sampleEnd(tree: JsonRecord, events: SampleEvents): EpisodeEnd {
  const at = timeFrom(tree['completed_at']) ?? events.lastAt;
  const limit = textFrom(ownValue(tree['limit'], 'type'));
  const message = textFrom(ownValue(tree['error'], 'message'));
  if (message !== null) {
    const failure = { code: 'env_error' as const, message: message.slice(0, 4000), next: null };
    return { ...EPISODE_DONE, outcome: 'error', reason: null, failure, at };
  }
  if (limit === 'operator') return { ...EPISODE_DONE, outcome: 'stopped', reason: limit, at };
  return limit === null ? { ...EPISODE_DONE, at } : { ...EPISODE_DONE, outcome: 'limit', reason: limit, at };
}

/** The sample's other fields, and in the first episode of a file the log's own fields about the run. */
const sampleExtra = (tree: JsonRecord, log: JsonRecord, notes: ImportNotes): ImportedEpisode['extra'] => ({
  ...metadataOf(tree, SAMPLE_KEYS, notes),
  ...(Object.keys(log).length === 0 ? {} : { log: jsonFrom(log) }),
});

const ATTACHMENT_PROTOCOL = 'attachment://';

/** Long strings stand apart under their hash or their number. */
function withAttachments(value: unknown, attachments: JsonRecord, notes: ImportNotes): unknown {
  if (typeof value === 'string') {
    if (!value.startsWith(ATTACHMENT_PROTOCOL)) return value;
    const found = ownValue(attachments, value.slice(ATTACHMENT_PROTOCOL.length));
    if (typeof found === 'string') return found;
    notes.note('missing_attachment', 'a text that stands apart is not in the file', value.slice(0, 80));
    return value;
  }
  if (Array.isArray(value))
    return (value as unknown[]).map((item) => withAttachments(item, attachments, notes));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === 'attachments' ? item : withAttachments(item, attachments, notes),
    ]),
  );
}

/** Inspect's letters: correct, incorrect, partial, no answer. */
const LETTERS: Readonly<Record<string, number>> = { C: 1, I: 0, P: 0.5, N: 0 };

function scoresOf(scores: unknown, at: number | null): ImportedVerdict[] {
  return Object.entries(recordFrom(scores)).map(([name, score]) => ({
    mode: name,
    final_answer: textFrom(ownValue(score, 'answer')),
    reward_type: null,
    reward: scoreReward(ownValue(score, 'value')),
    result: jsonFrom(score),
    error: null,
    frame: jsonText(score),
    at,
  }));
}

function scoreReward(value: unknown): number | null {
  if (typeof value === 'string') return Object.hasOwn(LETTERS, value) ? (LETTERS[value] ?? null) : null;
  return typeof value === 'boolean' ? Number(value) : numberFrom(value);
}
