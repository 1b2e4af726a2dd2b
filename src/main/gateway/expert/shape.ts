// Fits an answer to the request: its format, stop sequences and length.
import type { AnswerFormat } from './format.ts';

export type ShapedAnswer = { text: string; finish: 'stop' | 'length' };

/** Nobody counts a person's tokens: one is taken for as many characters. */
export const CHARS_PER_TOKEN = 4;

/** What the client gets of the words. Only free text is cut: half a JSON object would be of no use. */
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

export const estimatedTokens = (text: string): number => Math.ceil(text.length / CHARS_PER_TOKEN);
