// The rules of an export as sentences for its card.
import type { ExportRules } from '../../../shared/contract/export.ts';
import { hasArgumentsForm, hasReasoning } from '../../../shared/export/argumentsForm.ts';
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
  hasClasses: boolean,
): string[] {
  const { filter, episodes, validation, held_out: heldOut } = rules;
  const narrowed = Object.entries(filter).map(([name, value]) => `${name} ${String(value)}`);
  const some = (words: string, isThere: boolean): string[] => (isThere ? [words] : []);
  return [
    VERDICT_SENTENCES[rules.verdict ?? format.verdict],
    ...some(
      `Where an environment has no verifier, episodes that ended with a reward ${rules.min_reward === null ? 'above 0' : `of at least ${String(rules.min_reward)}`}.`,
      rules.verdict === null && format.verdict === 'completed' && format.isVerdictFixed !== true,
    ),
    ...some(`Narrowed in the library by ${narrowed.join(', ')}.`, narrowed.length > 0),
    ...some(`Of ${String(episodes?.length ?? 0)} episodes that were chosen one by one.`, episodes !== null),
    ...some(`A reward of at least ${String(rules.min_reward)}.`, rules.min_reward !== null),
    ...some(`Conditions: ${rules.conditions?.join(', ') ?? ''}.`, rules.conditions !== null),
    ...some(`Acts of: ${rules.actors?.join(', ') ?? ''}.`, rules.actors !== null),
    PRIVILEGE[rules.privilege],
    ...some(`Advice that was ${rules.uptake?.join(' or ') ?? ''}.`, rules.uptake !== null),
    outOrIn(rules),
    ...some(
      rules.include_contrary
        ? 'Pairs are kept whatever became of their sides.'
        : 'No pair whose chosen side led to a failed episode, or whose rejected side is known to complete the task.',
      format.id === 'preference',
    ),
    ...some(
      rules.include_contrary
        ? 'Replies are kept with both labels where they have both.'
        : 'No reply whose label another row contradicts.',
      format.id === 'kto',
    ),
    rules.touched === 'mask'
      ? 'Turns that a person changed for a client’s agent never train.'
      : 'No episode with a turn that a person changed for a client’s agent.',
    rules.dedupe
      ? 'Rows that say the same as one before are left out.'
      : 'Rows that say the same are all kept.',
    ...some(`At most ${String(rules.cap_per_task)} rows of a task.`, rules.cap_per_task !== null),
    ...some(
      hasClasses
        ? 'As many rows of each class as the rarest has.'
        : 'To be balanced by class; the rows have no classes, so that nothing was.',
      rules.balance,
    ),
    validation === null
      ? 'No validation split.'
      : `A share of ${String(validation.share)} of the tasks is for validation, drawn by scenario and task (seed ${String(validation.seed)}): no task is on both sides.`,
    ...some(`${String(heldOut.length)} tasks of a pinned split are held out.`, heldOut.length > 0),
    ...some(`Only what ended after event ${String(rules.after_seq)}.`, rules.after_seq !== null),
    ...some('Arguments of calls are strings.', rules.arguments === 'string' && hasArgumentsForm(format.id)),
    ...some('Without what the agent thought.', !rules.reasoning && hasReasoning(format.id)),
  ];
}

function outOrIn(rules: ExportRules): string {
  const kinds = {
    timeouts: rules.include_timeouts,
    'late advice': rules.include_late,
    'fabricated results': rules.include_fabricated,
  };
  const named = (isIn: boolean): string[] =>
    Object.entries(kinds)
      .filter(([, included]) => included === isIn)
      .map(([name]) => name);
  const out = named(false);
  const inside = named(true);
  const words = [
    ...(out.length === 0 ? [] : [`left out: ${out.join(', ')}`]),
    ...(inside.length === 0 ? [] : [`kept: ${inside.join(', ')}`]),
  ].join('; ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
