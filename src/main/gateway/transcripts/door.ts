// `/episodes/<id>/messages` and `/episodes/<id>/mask`: what a client tells of its episode, and what it is told back.
import { isAtSeat } from '../../../shared/events/actor.ts';
import { z } from 'zod';
import { isRecord } from '../../../shared/json.ts';
import { helpOf } from '../../../shared/episode/help.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { messageText } from '../../advisor/clientBrief.ts';
import type { LlmReply } from '../../llm/port.ts';
import type { EventLog } from '../../log/eventLog.ts';
import { readBody, TRANSCRIPT_VALUES_MAX } from '../expert/body.ts';
import type { GatewayDoor } from '../gateway.ts';
import type { Linker } from '../link/link.ts';
import { NOT_YET_RECORDED, refusalResponse } from '../refusals.ts';
import { writeConversation, writeReplies } from './writeTranscript.ts';

const TranscriptMessage = z.looseObject({
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
const ReportedTranscript = z.looseObject({
  messages: z.array(TranscriptMessage).min(1),
  tools: z.array(z.looseObject({})).nullish(),
  model: z.string().nullish(),
  /** The client declares that its agent has no expert but this one. */
  no_other_expert: z.boolean().nullish(),
});
type ReportedTranscript = z.infer<typeof ReportedTranscript>;

type TranscriptParts = {
  log: EventLog;
  linker: Pick<Linker, 'named'>;
  /** Resolves with whether all that the tap has told its clients by now is in the log. */
  recorded: () => Promise<boolean>;
};

const jsonAnswer = (value: unknown): Response =>
  new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json' } });

export const createTranscriptsDoor = ({ log, linker, recorded }: TranscriptParts): GatewayDoor => ({
  handle: async (request, { key }) => {
    const [, id = '', what = ''] =
      /^\/episodes\/([^/]+)\/(messages|mask)\/?$/.exec(new URL(request.url).pathname) ?? [];
    const method = what === 'mask' ? 'GET' : 'POST';
    if (what === '' || request.method !== method) {
      const message = `there is no ${request.method} ${new URL(request.url).pathname}`;
      const next = 'There are POST /episodes/<id>/messages and GET /episodes/<id>/mask';
      return refusalResponse('plain', { status: 404, message, next });
    }
    // Its client has its answers already; the records of them may be on their way still.
    if (!(await recorded())) return refusalResponse('plain', NOT_YET_RECORDED);
    const record = linker.named(decodeId(id), key.id);
    if (record === 'shared') {
      const message = `several episodes of this key were called ${decodeId(id).slice(0, 200)} at the same time`;
      const next = 'Give the id that the console shows, and each rollout a name of its own';
      return refusalResponse('plain', { status: 400, message, next });
    }
    if (record === null) {
      const message = `no tapped episode of this key is called ${decodeId(id).slice(0, 200)}`;
      const next = 'Give the name that stands behind the key or in the reset, or the id the console shows';
      return refusalResponse('plain', { status: 404, message, next });
    }
    return what === 'mask'
      ? jsonAnswer({
          episode: record.id,
          turns: record.turns.map(({ turn, touched }) => ({ turn, touched })),
          touched: record.turns.filter(({ touched }) => touched !== null).map(({ turn }) => turn),
        })
      : takeTranscript(log, record, request);
  },
});

function decodeId(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

async function takeTranscript(log: EventLog, { id }: EpisodeRecord, request: Request): Promise<Response> {
  const body = await readBody(request, log.runLarge, TRANSCRIPT_VALUES_MAX);
  if ('status' in body) {
    return refusalResponse('plain', { status: body.status === 413 ? 413 : 400, message: body.message });
  }
  const cover = log.cover(id);
  if (isRecord(body.value)) await cover.ahead([body.value]);
  const parsed = ReportedTranscript.safeParse(cover.cover(body.value));
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
    return refusalResponse('plain', { status: 400, message: issues.slice(0, 5).join('; ') });
  }
  const written = await writeReplies(
    log,
    id,
    parsed.data.messages.flatMap((message, index) =>
      message.role === 'assistant'
        ? [{ index, turn: message.turn ?? null, reply: reportedReply(message, parsed.data.model ?? null) }]
        : [],
    ),
    'client',
  );
  const { messages, tools } = parsed.data;
  // Replies alone are no conversation: what the agent read belongs to it.
  const isWhole = messages.some(({ role }) => role !== 'assistant');
  if (isWhole) {
    const declared = parsed.data.no_other_expert === true ? { no_other_expert: true as const } : {};
    await writeConversation(log, id, { messages, tools: tools ?? null, by: 'client', ...declared });
  }
  const { turns, conversation } = log.record(id);
  const { known, why, isComplete } = helpOf(log.record(id));
  // A person's own turns are nobody's to tell, and a question may have been its client's.
  const left = turns.filter(
    ({ hasText, actor, move }) => !hasText && !isAtSeat(actor) && move?.type !== 'ask_expert',
  );
  return jsonAnswer({
    episode: id,
    ...written,
    without_text: left.map(({ turn }) => turn),
    /** What is known of help now: none, advised or unknown, and why. */
    help: { known, why, is_complete: isComplete },
    is_complete: conversation !== null && left.length === 0 && written.unmatched.length === 0,
  });
}

const reportedReply = (message: z.infer<typeof TranscriptMessage>, model: string | null): LlmReply => ({
  content: messageText(message.content),
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
