// An answer as OpenAI's clients read it: whole or in chunks, and the connection kept alive while a person thinks.
import type { AnswerFormat } from './request.ts';

export type ExpertReply = ShapedAnswer & {
  id: string;
  /** UTC seconds. */
  created: number;
  model: string;
  /** The request in words, for the estimate of its tokens. */
  prompt: string;
  /** What we have to say about the answer beyond the protocol. */
  interject: Record<string, unknown>;
};

/** A sign of life this often: proxies and clients give a silent connection up after a minute or less. */
const KEEP_ALIVE_MS = 5_000;
/** By code points: half a character in a chunk could not be put together again. */
const PIECES = /[\s\S]{1,240}/gu;

/** Nobody counted: four characters are taken for a token, and the answer says so. */
function usageOf({ prompt, text }: ExpertReply) {
  const prompt_tokens = estimatedTokens(prompt);
  const completion_tokens = estimatedTokens(text);
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

const completionBody = (reply: ExpertReply): string =>
  JSON.stringify({
    id: reply.id,
    object: 'chat.completion',
    created: reply.created,
    model: reply.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: reply.text, refusal: null },
        logprobs: null,
        finish_reason: reply.finish,
      },
    ],
    usage: usageOf(reply),
    interject: reply.interject,
  });

function* chunks(reply: ExpertReply, includesUsage: boolean): Generator<unknown> {
  const base = {
    id: reply.id,
    object: 'chat.completion.chunk',
    created: reply.created,
    model: reply.model,
  };
  const none = includesUsage ? { usage: null } : {};
  const one = (delta: object, finish: string | null) => ({
    ...base,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...none,
  });
  yield { ...one({ role: 'assistant', content: '' }, null), interject: reply.interject };
  for (const piece of reply.text.match(PIECES) ?? []) yield one({ content: piece }, null);
  yield one({}, reply.finish);
  if (includesUsage) yield { ...base, choices: [], usage: usageOf(reply) };
}

/**
 * A response that begins at once and is completed when the answer comes. Until then a stream carries comments and a
 * JSON body leading white space, which JSON allows. `left` is called when the client stops reading.
 */
export function openResponse(
  { isStream, includesUsage }: { isStream: boolean; includesUsage: boolean },
  answer: Promise<ExpertReply>,
  left: () => void,
  keepAliveMs = KEEP_ALIVE_MS,
): Response {
  const bytes = new TextEncoder();
  let timer: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const say = (text: string): void => controller.enqueue(bytes.encode(text));
      const alive = isStream ? ': a person is being asked\n\n' : ' ';
      if (isStream) say(alive);
      timer = setInterval(() => say(alive), keepAliveMs);
      const finish = (reply: ExpertReply): void => {
        clearInterval(timer);
        if (isStream) {
          for (const chunk of chunks(reply, includesUsage)) say(`data: ${JSON.stringify(chunk)}\n\n`);
          say('data: [DONE]\n\n');
        } else say(completionBody(reply));
        controller.close();
      };
      answer.then(finish).catch((thrown: unknown) => {
        clearInterval(timer);
        try {
          controller.error(thrown);
        } catch {
          // The client had stopped reading: there is nobody to tell.
        }
      });
    },
    cancel: () => {
      clearInterval(timer);
      left();
    },
  });
  return new Response(body, {
    headers: {
      'content-type': isStream ? 'text/event-stream; charset=utf-8' : 'application/json',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  });
}

// Fits an answer to the request: its format, stop sequences and length.
type ShapedAnswer = { text: string; finish: 'stop' | 'length' };

/** Nobody counts a person's tokens: one is taken for as many characters. */
export const CHARS_PER_TOKEN = 4;

/** Shapes the words for the client. Only free text is cut: half a JSON object would be of no use. */
export function shapeAnswer(
  words: string,
  { format, stop, maxTokens }: { format: AnswerFormat; stop: readonly string[]; maxTokens: number | null },
): ShapedAnswer {
  const fitted = format.shape(words);
  if (format.name !== 'text') return { text: fitted, finish: 'stop' };
  const ends = stop.map((one) => fitted.indexOf(one)).filter((at) => at !== -1);
  const stopped = ends.length === 0 ? fitted : fitted.slice(0, Math.min(...ends));
  const limit = maxTokens === null ? Number.POSITIVE_INFINITY : maxTokens * CHARS_PER_TOKEN;
  if (stopped.length <= limit) return { text: stopped, finish: 'stop' };
  const last = stopped.charCodeAt(limit - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return { text: stopped.slice(0, isHalf ? limit - 1 : limit), finish: 'length' };
}

const estimatedTokens = (text: string): number => Math.ceil(text.length / CHARS_PER_TOKEN);
