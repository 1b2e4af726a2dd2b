// Owns: telling one Inspect sample as an episode: its conversation, with the times, tokens, approvals and scores that
// its events add. What every request repeats is never read.
import { createNotes, type Notes } from './notes.ts';
import { tellMessages, type Known, type KnownTurn } from './conversation.ts';
import { eventsOf, type SampleEvents } from './inspectEvents.ts';
import { scoresOf } from './inspectScores.ts';
import { poolRange } from './pool.ts';
import { blankEpisode, DONE, type End, type ReadEpisode } from './read.ts';
import { createTelling } from './telling.ts';
import { asJson, fieldsOf, listOf, own, textOf, timeOf, wholeOf, wordsOf, type Fields } from './values.ts';
import type { Path, Wish } from './walk.ts';

export type LogHeader = { eval: Fields; version: string | null; name: string };

const LARGE: ReadonlySet<string> = new Set(['store', 'timelines', 'error_retries', 'output', 'files']);
/** Every request repeats the tools; the first ones say enough. */
const TOOL_LISTS = 4;
const EVENT_LARGE: ReadonlySet<string> = new Set([
  'config',
  'events',
  'arguments',
  'result',
  'view',
  'changes',
]);

/** What of a sample is read. The messages of each request only where the sample has no conversation of its own. */
export function sampleWish(): (path: Path) => Wish {
  let hasMessages = false;
  let toolLists = 0;
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
      if (third === 'input' || third === 'input_refs') return hasMessages ? 'skip' : 'take';
      if (third === 'tools' && path.length === 3) return (toolLists += 1) <= TOOL_LISTS ? 'take' : 'skip';
      return EVENT_LARGE.has(String(third)) ? 'skip' : 'take';
    }
    if (member === 'attachments') return second === undefined ? 'into' : 'take';
    if (member === 'events_data' || member === 'message_pool') {
      if (hasMessages || second === 'calls') return 'skip';
      return path.length < (member === 'events_data' ? 3 : 2) ? 'into' : 'take';
    }
    return LARGE.has(String(member)) ? 'skip' : 'take';
  };
}

/** Of a call that was approved its name and arguments; of a request to a model nothing. */
const callWish = (path: Path): Wish =>
  path.length === 4 && ['id', 'function', 'arguments'].includes(String(path[3])) ? 'take' : 'skip';

const NOT_RECORDED = ['the environment’s own replies', 'the reset'];

export function tellSample(
  raw: Fields,
  header: LogHeader,
  { index, notes = createNotes() }: { index: number; notes?: Notes },
): ReadEpisode {
  const tree = fieldsOf(withAttachments(raw, fieldsOf(raw['attachments']), notes));
  const telling = createTelling(notes);
  const events = eventsOf(listOf(tree['events']), notes);
  const messages = conversationOf(tree, notes);
  const tools = events.tools;
  const heard = tellMessages(telling, messages, {
    pointer: `/samples/${String(index)}/messages`,
    model: textOf(header.eval['model']),
    turnOf: ({ id }): KnownTurn => events.turn(id),
    resultOf: ({ toolCallId }): Known => events.result(toolCallId),
  });
  const answer = telling.finish();
  const verdicts = scoresOf(tree['scores'], events.scoredAt);
  for (const verdict of verdicts) telling.verdict(verdict);
  const metadata = fieldsOf(tree['metadata']);
  const id = tree['id'];
  return {
    ...blankEpisode(index, notes),
    version: header.version,
    environment: textOf(header.eval['task']),
    scenario: textOf(metadata['scenario']) ?? textOf(header.eval['task']),
    taskIdx: wholeOf(metadata['task_idx']) ?? wholeOf(id),
    task: textOf(tree['input']) ?? heard.task,
    model: textOf(header.eval['model']) ?? heard.model,
    protocol: heard.usesTags ? 'xml' : heard.hasCalls ? 'native' : null,
    repeat: Math.max(0, (wholeOf(tree['epoch']) ?? 1) - 1),
    group: `${textOf(header.eval['eval_id']) ?? textOf(header.eval['run_id']) ?? header.name}:${wordsOf(id)}`,
    startedAt: timeOf(tree['started_at']) ?? events.firstAt,
    tools,
    body: telling.entries,
    end: {
      ...endOf(tree, events),
      finalAnswer: answer,
      reward: verdicts[0]?.reward ?? null,
      rewardType: verdicts[0]?.rewardType ?? null,
    },
    notRecorded: [
      ...NOT_RECORDED,
      ...(events.firstAt === null ? ['times'] : []),
      ...(tools.length === 0 ? ['tool schemas'] : []),
      ...(verdicts.length === 0 ? ['scores'] : []),
    ],
    extra: extraOf(tree),
    notes,
  };
}

/** The sample's own conversation; of a sample that never ended, that of its last request and the reply to it. */
function conversationOf(tree: Fields, notes: Notes): unknown[] {
  const messages = listOf(tree['messages']);
  if (messages.length > 0) return messages;
  const pool = listOf(own(tree['events_data'], 'messages') ?? tree['message_pool']);
  const last = listOf(tree['events']).findLast((event) => own(event, 'event') === 'model');
  if (last === undefined)
    return typeof tree['input'] === 'string'
      ? [{ role: 'user', content: tree['input'] }]
      : listOf(tree['input']);
  notes.note('from_events', 'the sample has no conversation of its own: it is that of its last request');
  const refs = listOf(own(last, 'input_refs'));
  const input = refs.length > 0 ? refs.flatMap((ref) => poolRange(pool, ref)) : listOf(own(last, 'input'));
  const reply = own(listOf(own(own(last, 'output'), 'choices'))[0], 'message');
  return reply === undefined || reply === null ? input : [...input, reply];
}

function endOf(tree: Fields, events: SampleEvents): End {
  const at = timeOf(tree['completed_at']) ?? events.lastAt;
  const limit = textOf(own(tree['limit'], 'type'));
  const message = textOf(own(tree['error'], 'message'));
  if (message !== null) {
    const failure = { code: 'env_error' as const, message: message.slice(0, 4000), next: null };
    return { ...DONE, outcome: 'error', reason: null, failure, at };
  }
  if (limit === 'operator') return { ...DONE, outcome: 'stopped', reason: limit, at };
  return limit === null ? { ...DONE, at } : { ...DONE, outcome: 'limit', reason: limit, at };
}

function extraOf(tree: Fields): ReadEpisode['extra'] {
  const kept = [
    'id',
    'epoch',
    'uuid',
    'target',
    'choices',
    'limit',
    'model_usage',
    'total_time',
    'working_time',
    'metadata',
  ];
  return Object.fromEntries(
    kept.flatMap((key) => {
      const value = tree[key];
      const isEmpty =
        value === undefined ||
        value === null ||
        (typeof value === 'object' && Object.keys(value).length === 0);
      return isEmpty || JSON.stringify(value).length > 32_768 ? [] : [[key, asJson(value)]];
    }),
  );
}

const PROTOCOL = 'attachment://';

/** Long strings stand apart under their hash or their number. */
function withAttachments(value: unknown, attachments: Fields, notes: Notes): unknown {
  if (typeof value === 'string') {
    if (!value.startsWith(PROTOCOL)) return value;
    const found = own(attachments, value.slice(PROTOCOL.length));
    if (typeof found === 'string') return found;
    notes.note('missing_attachment', 'a text that stands apart is not in the file', value.slice(0, 80));
    return value;
  }
  if (Array.isArray(value))
    return (value as unknown[]).map((item) => withAttachments(item, attachments, notes));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === 'attachments' ? item : withAttachments(item, attachments, notes),
    ]),
  );
}
