// Names under which an export counts what it left out: what each means, and which rule of the form decides it.
import type { Doubtful, ExportRules } from '../contract/export.ts';

type DropWords = {
  words: string;
  /** Null where it is the nature of the format, not a choice. */
  rule: keyof ExportRules | null;
  /** What of the rule `include` lets it in. */
  doubtful?: Doubtful;
};

const of = (rule: DropWords['rule'], words: string): DropWords => ({ words, rule });
const unless = (doubtful: Doubtful, words: string): DropWords => ({ words, rule: 'include', doubtful });

const DROP_WORDS: Readonly<Record<string, DropWords>> = {
  not_ended: of(null, 'The episode still runs'),
  erased: of(null, 'The episode was erased'),
  damaged: of(null, 'The episode cannot be read'),
  held_out: of('held_out', 'A held-out task'),
  superseded: of(null, 'A longer version of it was imported since'),
  probe: of(null, 'It was played only to learn about its task'),
  continuation: of(null, 'It was played only to measure what an answer was worth'),
  condition: of('conditions', 'Another condition'),
  not_completed: of('verdict', 'The verifier does not call it complete'),
  not_rewarded: of(
    'filter',
    'It has no verifier, and did not end with a reward above 0 (a least reward sets another bound)',
  ),
  not_verified: of('verdict', 'It was never verified'),
  stopped: of('verdict', 'The episode was stopped'),
  interrupted: of('verdict', 'The episode was interrupted'),
  error: of('verdict', 'The episode ended with an error'),
  exported_before: of('after_seq', 'It was exported before'),
  timeout: unless('timeouts', 'Nobody answered in time'),
  late: unless('late', 'The advice came too late'),
  fabricated: unless('fabricated', 'A person wrote the tool’s result'),
  chosen_failed: unless('contrary', 'The chosen side led to a failed episode'),
  rejected_completed: unless('contrary', 'The rejected side is known to complete the task'),
  contradicted: unless('contrary', 'Another row says the contrary of the same reply'),
  duplicate: unless('duplicates', 'The same row is there already'),
  privileged: of('privilege', 'The author had seen something of the answer'),
  privilege_unknown: of('privilege', 'Nobody knows what its author, or who helped unseen, had seen'),
  actor: of('actors', 'Another author'),
  cap_per_task: of('cap_per_task', 'The task has enough rows'),
  nothing_follows: of(null, 'The agent did nothing after the advice'),
  unanswered: of(null, 'The question was not answered'),
  declined: of(null, 'The question was declined'),
  expired: of(null, 'Nobody answered in time'),
  cancelled: of(null, 'The question was cancelled'),
  no_draft: of(null, 'There was no draft to compare with'),
  draft_unchanged: of(null, 'The draft was sent unchanged'),
  no_effective_call: of(null, 'No call went through after the refused one'),
  only_live: of(null, 'A question of it named no rollout: nobody can be sure who asked'),
  no_transcript: of(null, 'Nobody told or recorded the conversation'),
  touched_turn_not_found: of(null, 'A person changed a turn that cannot be found among the replies'),
  reasoning_unread: of('reasoning', 'It shows reasoning that the model did not read again'),
  no_prompt: of(null, 'Nothing stands before the reply'),
  nothing_to_train: of(null, 'No reply of it may train'),
  person_acted: of('privilege', 'A person acted: without them the conversation does not hold'),
  reply_unknown: of(null, 'A call’s answer was lost in a restart, and nobody knows what became of it'),
  expert_words: of('privilege', 'It trains what an expert wrote'),
  expert_trace: of('privilege', 'It still speaks of the expert or its tool'),
  unknowable: of('privilege', 'It teaches a fact that stands nowhere before it'),
  only_asked: of('privilege', 'Without the expert nothing is left of it'),
  asked: of(null, 'The agent asked for help'),
  helped: of(null, 'Somebody helped'),
  help_unknown: of(null, 'Unknown whether it was helped'),
  nobody_to_ask: of(null, 'There was nobody to ask'),
  no_advice_wanted: of(null, 'The question asked for something other than advice'),
  no_question: of(null, 'The question has no words'),
  no_task: of(null, 'The words of the task are not known'),
  no_scenario: of(null, 'The task has no scenario and number, so a trainer could not reset to it again'),
  no_reward: of(null, 'The episode has no reward'),
  no_steps: of(null, 'Nothing happened in it'),
  no_feedback: of(null, 'Nobody said anything of it'),
  tie: of(null, 'A tie has no place in the format'),
  no_preference: of(null, 'The reviewers prefer neither'),
  identical: of(null, 'Both sides say the same'),
  no_such_turn: of(null, 'The turn that was judged is not there'),
  correction_in_words: of(null, 'A correction in words of a reply that calls a tool'),
  whole_episodes: of(null, 'Two whole episodes are no pair: they went different ways'),
  other_point: of(null, 'Two moves at different points are no pair'),
  not_kept: of(null, 'The file it was imported from was not kept'),
};

/** Reasons not to learn from a reply. */
const UNTRAINABLE: Readonly<Record<string, string>> = {
  discarded: 'A take-over that nobody is to learn',
  copied: 'Copied from the episode it branched off, which teaches it',
  marked: 'The file it came from says that the reply must not train',
  malformed: 'The reply cannot be read',
  failed: 'The environment refused the call as malformed',
  refused: 'A call the agent may not make',
  rejected: 'A person turned the call down',
  set_aside: 'The call was set aside, nobody having decided',
  disagreed: 'A person says another move was right',
  person: 'A person wrote the reply',
  reply_unknown: 'The answer to its call was lost in a restart',
  touched: 'A person changed a turn of a client’s agent',
};
const WHOLE = 'untrainable_';

/** Every name under which something is counted; `untrainable_` before one of a reply counts the whole conversation. */
export const DROPS: readonly string[] = [...Object.keys(DROP_WORDS), ...Object.keys(UNTRAINABLE)];

/** A name that is not known here shows itself. */
export function dropWords(name: string): DropWords {
  const known = Object.hasOwn(DROP_WORDS, name) ? DROP_WORDS[name] : undefined;
  if (known !== undefined) return known;
  // A format without weights leaves the whole conversation out.
  const isWhole = name.startsWith(WHOLE);
  const why = isWhole ? name.slice(WHOLE.length) : name;
  const words = Object.hasOwn(UNTRAINABLE, why) ? UNTRAINABLE[why] : undefined;
  if (words === undefined) return { words: name.replaceAll('_', ' '), rule: null };
  return {
    words: isWhole ? `It holds a reply that must not train: ${lowerFirst(words)}` : words,
    rule: why === 'failed' ? 'failed_calls' : null,
  };
}

const lowerFirst = (words: string): string => `${words.charAt(0).toLowerCase()}${words.slice(1)}`;

/** Counts of drops, the most first. */
export const sortedDrops = (dropped: Readonly<Record<string, number>>): [string, number][] =>
  Object.entries(dropped)
    .filter(([, count]) => count > 0)
    .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
