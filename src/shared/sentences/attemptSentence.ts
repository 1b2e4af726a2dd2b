// One earlier step as a sentence with what became of it. Pure.
import type { Attempt } from '../contract/rows.ts';
import { isRecord, tryExactJson } from '../json.ts';
import { READ_MAX, truncate } from '../truncate.ts';
import { errorInWords, type ErrorInWords } from './errorInWords.ts';
import type { NameOf } from './names.ts';
import { callSentence, type Sentence, type SentenceTool } from './sentence.ts';

export type AttemptFate = NonNullable<Attempt['fate']>;
export type AttemptSentence = {
  call: Sentence;
  /** False where the arguments were cut off on their way here: the sentence has the whole ones alone. */
  isWhole: boolean;
  fate: AttemptFate;
  /** "Failed", "Rejected by a person, not sent: not now"; null where it went through. */
  fateText: string | null;
  /** Null where there was no error. */
  error: ErrorInWords | null;
};

export const fateOfAttempt = ({ fate, error }: Pick<Attempt, 'fate' | 'error'>): AttemptFate =>
  fate ?? (error === null ? 'went_through' : 'failed');

export function attemptSentence(
  attempt: Attempt,
  tools: readonly SentenceTool[] = [],
  nameOf?: NameOf,
): AttemptSentence {
  const { tool_name: name, arguments: text, error } = attempt;
  const { args, isWhole } = argumentsIn(text);
  const known = tools.find((tool) => tool.name === name) ?? { name };
  // What an attempt left out is no empty place to fill in.
  const { input_schema: schema, ...rest } = known;
  const tool = schema === undefined ? rest : { ...rest, input_schema: { ...schema, required: [] } };
  return {
    call: callSentence(tool, args, nameOf),
    isWhole,
    fate: fateOfAttempt(attempt),
    fateText: fateText(attempt),
    error: error === null ? null : errorInWords(error),
  };
}

/** What sets an attempt apart from a call that the agent made and the environment answered. */
function fateText(attempt: Attempt): string | null {
  const { by, is_discarded: isDiscarded = false, reason = null } = attempt;
  const why = reason === null || reason === '' ? '' : `: ${reason}`;
  const fates: Readonly<Record<AttemptFate, string>> = {
    went_through: '',
    failed: '',
    rejected: `Rejected by a person, not sent${why}`,
    answered: 'Not sent: a person wrote the result',
    not_sent: `Not sent${why}`,
    unknown: 'Sent; its answer was lost',
  };
  const who = by === 'human' ? `A person’s move${isDiscarded ? ', discarded' : ''}` : '';
  const said = [who, fates[fateOfAttempt(attempt)]].filter((part) => part !== '').join('. ');
  return said === '' ? null : said;
}

/** So much of a text that was cut off is read, over all tries to leave out the members at its end. */
const TRIED_MAX = 4 * READ_MAX;

/** The arguments of a JSON text, or those that stand whole in one that was cut off. */
function argumentsIn(written: string): { args: Record<string, unknown>; isWhole: boolean } {
  const text = truncate(written);
  const whole = text === written ? tryExactJson(text) : undefined;
  if (isRecord(whole)) return { args: whole, isWhole: true };
  if (!text.trimStart().startsWith('{')) return { args: {}, isWhole: false };
  let tried = 0;
  for (let at = text.lastIndexOf(',"'); at > 0 && tried < TRIED_MAX; at = text.lastIndexOf(',"', at - 1)) {
    tried += at;
    const args = tryExactJson(`${text.slice(0, at)}}`);
    if (isRecord(args)) return { args, isWhole: false };
  }
  return { args: {}, isWhole: false };
}
