// Owns: `/episodes/<id>/messages` and `/episodes/<id>/mask`: what a client tells of its episode, and what it is told back.
import { z } from 'zod';
import { AGENT } from '../../../shared/events/actor.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { textOf } from '../../advisor/clientBrief.ts';
import type { LlmReply } from '../../llm/port.ts';
import type { EventLog } from '../../log/eventLog.ts';
import { readBody } from '../expert/body.ts';
import type { GatewayDoor } from '../gateway.ts';
import type { Linker } from '../link/link.ts';
import { refusalResponse } from '../refusals.ts';
import type { SaidReply } from './align.ts';
import { writeReplies } from './write.ts';

const Message = z.looseObject({
  role: z.string(),
  content: z.unknown().optional(),
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish(),
  tool_calls: z
    .array(
      z.looseObject({
        id: z.string().nullish(),
        function: z.looseObject({ name: z.string(), arguments: z.string() }),
      }),
    )
    .nullish(),
  /** The turn of the episode that this message is, where the client counts them. */
  turn: z.number().int().positive().nullish(),
});
const Told = z.looseObject({
  messages: z.array(Message).min(1),
  tools: z.array(z.looseObject({})).nullish(),
  model: z.string().nullish(),
});
type Told = z.infer<typeof Told>;

export type TranscriptParts = { log: EventLog; linker: Pick<Linker, 'named'> };

const json = (value: unknown): Response =>
  new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json' } });

export const createTranscriptsDoor = ({ log, linker }: TranscriptParts): GatewayDoor => ({
  handle: async (request, { key: { environment } }) => {
    const [, id = '', what = ''] =
      /^\/episodes\/([^/]+)\/(messages|mask)\/?$/.exec(new URL(request.url).pathname) ?? [];
    const method = what === 'mask' ? 'GET' : 'POST';
    if (what === '' || request.method !== method) {
      const message = `there is no ${request.method} ${new URL(request.url).pathname}`;
      const next = 'There are POST /episodes/<id>/messages and GET /episodes/<id>/mask';
      return refusalResponse('plain', { status: 404, message, next });
    }
    const named = linker.named(decoded(id));
    // A key to one environment's tap says nothing of another's episodes.
    const isOthers = environment !== null && named?.started?.environment.id !== environment;
    const record = isOthers ? null : named;
    if (record === null) {
      const message = `no tapped episode${environment === null ? '' : ' of this key’s environment'} is called ${decoded(id).slice(0, 200)}`;
      const next = 'Give the id that the reset told as interject_episode, or the one the console shows';
      return refusalResponse('plain', { status: 404, message, next });
    }
    return what === 'mask' ? json(maskOf(record)) : take(log, record, request);
  },
});

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** Which of the agent's turns a person changed: what came back was not earned by its own tokens. */
const maskOf = ({ id, turns }: EpisodeRecord) => ({
  episode: id,
  turns: turns.map(({ turn, touched }) => ({ turn, touched })),
  touched: turns.filter(({ touched }) => touched !== null).map(({ turn }) => turn),
});

async function take(log: EventLog, { id }: EpisodeRecord, request: Request): Promise<Response> {
  const body = await readBody(request);
  if ('status' in body) {
    return refusalResponse('plain', { status: body.status === 413 ? 413 : 400, message: body.message });
  }
  const parsed = Told.safeParse(body.value);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
    return refusalResponse('plain', { status: 400, message: issues.slice(0, 5).join('; ') });
  }
  const written = writeReplies(log, id, repliesOf(parsed.data), 'client');
  const { messages, tools } = parsed.data;
  // Replies alone are no conversation: what the agent read belongs to it.
  const isWhole = messages.some(({ role }) => role !== 'assistant');
  const told = { messages: JSON.stringify(messages), tools: tools ? JSON.stringify(tools) : null };
  if (isWhole && !isKnown(log, id, told))
    log.append(id, AGENT, { kind: 'conversation.told', ...told, by: 'client' });
  const { turns, conversation } = log.record(id);
  // A person's own turns are nobody's to tell.
  const left = turns.filter(({ hasText, actor }) => !hasText && actor.type !== 'human');
  return json({
    episode: id,
    ...written,
    without_text: left.map(({ turn }) => turn),
    is_complete: conversation !== null && left.length === 0 && written.unmatched.length === 0,
  });
}

/** What is told again changes nothing. */
function isKnown(log: EventLog, id: string, told: { messages: string; tools: string | null }): boolean {
  const { conversation } = log.record(id);
  if (conversation === null) return false;
  const { messages, tools } = conversation;
  return (
    log.texts.whole(messages) === told.messages &&
    (tools === null ? null : log.texts.whole(tools)) === told.tools
  );
}

/** The assistant's messages as replies. */
export const repliesOf = ({ messages, model }: Pick<Told, 'messages' | 'model'>): SaidReply[] =>
  messages.flatMap((message, index) =>
    message.role === 'assistant'
      ? [{ index, turn: message.turn ?? null, reply: replyOf(message, model ?? null) }]
      : [],
  );

const replyOf = (message: z.infer<typeof Message>, model: string | null): LlmReply => ({
  content: textOf(message.content),
  reasoning: message.reasoning_content ?? message.reasoning ?? null,
  toolCalls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: args } }, i) => ({
    id: id ?? `call_${String(i)}`,
    name,
    arguments: args,
  })),
  model,
  stopReason: null,
  usage: null,
});
