// The rules of an export as sentences for its card.
import type { Doubtful, ExportRules } from '../../../shared/contract/export.ts';
import { FORMATS } from '../../../shared/export/formats.ts';
import type { Format } from './format.ts';

const VERDICT_SENTENCES = {
  completed: 'Episodes the verifier called complete.',
  verified: 'Episodes that a verifier judged, whatever it said.',
  any: 'Episodes that ended, whatever became of them.',
} as const;
const PRIVILEGE = {
  flag: 'Rows whose author had seen something of the answer are kept and say so.',
  leak_free: 'No row whose author had seen anything of the answer.',
  strip:
    'The expert is taken out of the conversations: asks with their answers, advice, notes, calls that were turned down, the tool to ask with. Rows still say what the advice had come from. Where a person acted in the environment the row is left out.',
} as const;

/** Every rule that narrows, one sentence each. */
export function ruleSentences(
  rules: ExportRules,
  format: Pick<Format, 'id' | 'verdict' | 'isVerdictFixed'>,
): string[] {
  const isIn = (doubtful: Doubtful): boolean => rules.include.includes(doubtful);
  const hasStyle = FORMATS[format.id].hasStyle === true;
  const { filter, episodes, validation, held_out: heldOut } = rules;
  const narrowed = Object.entries(filter).map(([name, value]) => `${name} ${String(value)}`);
  const some = (words: string, isThere: boolean): string[] => (isThere ? [words] : []);
  return [
    ...some(`Rows of the preset ${String(rules.preset)}.`, rules.preset !== null),
    VERDICT_SENTENCES[rules.verdict ?? format.verdict],
    ...some(
      `Where an environment has no verifier, episodes that ended with a reward ${filter.reward_min === undefined ? 'above 0' : `of at least ${String(filter.reward_min)}`}.`,
      rules.verdict === null && format.verdict === 'completed' && format.isVerdictFixed !== true,
    ),
    ...some(`Narrowed in the library by ${narrowed.join(', ')}.`, narrowed.length > 0),
    ...some(`Of ${String(episodes?.length ?? 0)} episodes that were chosen one by one.`, episodes !== null),
    ...some(`Conditions: ${rules.conditions?.join(', ') ?? ''}.`, rules.conditions !== null),
    ...some(`Acts of: ${rules.actors?.join(', ') ?? ''}.`, rules.actors !== null),
    PRIVILEGE[rules.privilege],
    outOrIn(rules),
    ...some(
      isIn('contrary')
        ? 'Pairs are kept whatever became of their sides.'
        : 'No pair whose chosen side led to a failed episode, or whose rejected side is known to complete the task.',
      format.id === 'preference',
    ),
    ...some(
      isIn('contrary')
        ? 'Replies are kept with both labels where they have both.'
        : 'No reply whose label another row contradicts.',
      format.id === 'kto',
    ),
    'Turns that a person changed for a client’s agent never train.',
    isIn('duplicates')
      ? 'Rows that say the same are all kept.'
      : 'Rows that say the same as one before are left out.',
    ...some(`At most ${String(rules.cap_per_task)} rows of a task.`, rules.cap_per_task !== null),
    validation === null
      ? 'No validation split.'
      : `A share of ${String(validation.share)} of the tasks is for validation, drawn by scenario and task (seed ${String(validation.seed)}): no task is on both sides.`,
    ...some(`${String(heldOut.length)} tasks of a pinned split are held out.`, heldOut.length > 0),
    ...some(`Only what ended after event ${String(rules.after_seq)}.`, rules.after_seq !== null),
    ...some('Arguments of calls are strings.', rules.arguments === 'string' && hasStyle),
    ...some('Without what the agent thought.', !rules.reasoning && hasStyle),
  ];
}

function outOrIn(rules: ExportRules): string {
  const kinds = [
    ['timeouts', 'timeouts'],
    ['late', 'late advice'],
    ['fabricated', 'fabricated results'],
  ] as const;
  const named = (isIn: boolean): string[] =>
    kinds.flatMap(([doubtful, label]) => (rules.include.includes(doubtful) === isIn ? [label] : []));
  const out = named(false);
  const inside = named(true);
  const words = [
    ...(out.length === 0 ? [] : [`left out: ${out.join(', ')}`]),
    ...(inside.length === 0 ? [] : [`kept: ${inside.join(', ')}`]),
  ].join('; ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
