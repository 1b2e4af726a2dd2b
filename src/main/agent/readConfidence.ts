// Reads how sure the agent says it is of its move, in the forms models write it, and takes it out of the reply so that
// neither a tool nor the verifier gets it.
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import { isRecord, tryExactJson } from '../../shared/json.ts';
import { REPLY_MAX, type LlmReply } from '../llm/port.ts';

export type ConfidenceReading = {
  /** In [0, 1]; null where none was stated, or what was stated is no such number. */
  confidence: number | null;
  reply: LlmReply;
  /** What was mended: `confidence_percent`, `confidence_unclosed`, `confidence_argument`, … */
  repairs: string[];
};

const NUMBER = String.raw`(-?\d+(?:[.,]\d+)?)(?:\s*(%))?`;
/** Tag, JSON field, and words, in the order in which they are looked for. */
const FORMS: readonly { pattern: RegExp; repair: string | null }[] = [
  { pattern: new RegExp(String.raw`<confidence>\s*${NUMBER}\s*</confidence>`, 'gi'), repair: null },
  { pattern: new RegExp(String.raw`<confidence>\s*${NUMBER}\s*`, 'gi'), repair: 'confidence_unclosed' },
  {
    pattern: new RegExp(String.raw`\{\s*"confidence"\s*:\s*"?${NUMBER}(?:\s*")?\s*\}`, 'gi'),
    repair: 'confidence_json',
  },
  {
    pattern: new RegExp(
      String.raw`"confidence"\s*:\s*"?${NUMBER}(?:\s*")?\s*,|,\s*"confidence"\s*:\s*"?${NUMBER}(?:\s*"|\s*)`,
      'gi',
    ),
    repair: 'confidence_json',
  },
  {
    pattern: new RegExp(
      String.raw`^[ \t*_]*confidence[ \t*_]*(?:[:=]|is)[ \t*_]*${NUMBER}(?:\s*(?=[*_.]))?[*_]*[.]?[ \t]*$`,
      'gim',
    ),
    repair: 'confidence_words',
  },
];

/** The last statement of the first form that is there. */
export function readConfidence(reply: LlmReply, tools: readonly ToolSpec[]): ConfidenceReading {
  if (reply.content.length > REPLY_MAX) return { confidence: null, reply, repairs: [] };
  for (const { pattern, repair } of FORMS) {
    const found = [...reply.content.matchAll(pattern)].at(-1);
    if (found === undefined) continue;
    const [, a, percentA, b, percentB] = found;
    const content = reply.content.replaceAll(pattern, '').trim();
    const read = valueOf(a ?? b ?? '', (percentA ?? percentB) === '%');
    return {
      confidence: read.value,
      reply: { ...reply, content },
      repairs: [...(repair === null ? [] : [repair]), ...read.repairs],
    };
  }
  return fromArguments(reply, tools);
}

/** 0.8, 0,8, 80 % or 80; what lies outside of [0, 1] even so is none. */
function valueOf(text: string, isPercent: boolean): { value: number | null; repairs: string[] } {
  const number = Number(text.replace(',', '.'));
  const isHundredth = isPercent || (number > 1 && number <= 100);
  const value = isHundredth ? number / 100 : number;
  if (Number.isNaN(value) || value < 0 || value > 1)
    return { value: null, repairs: ['confidence_out_of_range'] };
  return { value, repairs: isHundredth ? ['confidence_percent'] : [] };
}

/** An argument of a native call that its tool does not take. */
function fromArguments(reply: LlmReply, tools: readonly ToolSpec[]): ConfidenceReading {
  const none: ConfidenceReading = { confidence: null, reply, repairs: [] };
  const [call, ...others] = reply.toolCalls;
  if (call === undefined || call.arguments.length > REPLY_MAX) return none;
  const args = tryExactJson(call.arguments);
  if (!isRecord(args) || !Object.hasOwn(args, 'confidence') || takesConfidence(call.name, tools)) return none;
  const { confidence, ...rest } = args;
  const text = String(confidence).trim();
  const read = valueOf(text.replace(/(?<!\s)\s*%$/, ''), text.endsWith('%'));
  return {
    confidence: text === '' ? null : read.value,
    reply: { ...reply, toolCalls: [{ ...call, arguments: JSON.stringify(rest) }, ...others] },
    repairs: ['confidence_argument', ...read.repairs],
  };
}

const takesConfidence = (name: string, tools: readonly ToolSpec[]): boolean =>
  tools.some((tool) => {
    const { properties } = tool.input_schema;
    return tool.name === name && isRecord(properties) && Object.hasOwn(properties, 'confidence');
  });
