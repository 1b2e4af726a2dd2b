// Owns: what each name means under which an export counts what it left out, and which rule of the form decides it.
import type { ExportRules } from '../contract/export.ts';

export type DropWords = {
  words: string;
  /** Null where it is the nature of the format, not a choice. */
  rule: keyof ExportRules | null;
};

const of = (rule: DropWords['rule'], words: string): DropWords => ({ words, rule });

const DROPS: Readonly<Record<string, DropWords>> = {
  not_ended: of(null, 'The episode still runs'),
  erased: of(null, 'The episode was erased'),
  held_out: of('held_out', 'A held-out task'),
  condition: of('conditions', 'Another condition'),
  not_completed: of('verdict', 'The verifier does not call it complete'),
  not_verified: of('verdict', 'It was never verified'),
  stopped: of('verdict', 'The episode was stopped'),
  interrupted: of('verdict', 'The episode was interrupted'),
  error: of('verdict', 'The episode ended with an error'),
  min_reward: of('min_reward', 'The reward is too low, or was never given'),
  agreement: of('min_agreement', 'Reviewers agree too little, or fewer than two reviewed it'),
  exported_before: of('after_seq', 'It was exported before'),
  timeout: of('include_timeouts', 'Nobody answered in time'),
  late: of('include_late', 'The advice came too late'),
  fabricated: of('include_fabricated', 'A person wrote the tool’s result'),
  touched: of('touched', 'A person changed a turn of a client’s agent'),
  privileged: of('privilege', 'The author had seen the answer, or may have'),
  actor: of('actors', 'Another author'),
  uptake: of('uptake', 'The agent did something else with the advice'),
  duplicate: of('dedupe', 'The same row is there already'),
  cap_per_task: of('cap_per_task', 'The task has enough rows'),
  balance: of('balance', 'The class has more rows than the rarest'),
  nothing_follows: of(null, 'The agent did nothing after the advice'),
  unanswered: of(null, 'The question was not answered'),
  declined: of(null, 'The question was declined'),
  expired: of(null, 'Nobody answered in time'),
  cancelled: of(null, 'The question was cancelled'),
  no_draft: of(null, 'There was no draft to compare with'),
  draft_unchanged: of(null, 'The draft was sent as it was'),
  no_effective_call: of(null, 'No call went through after the refused one'),
};

/** A name that is not known here shows itself. */
export const dropWords = (name: string): DropWords =>
  Object.hasOwn(DROPS, name)
    ? (DROPS[name] ?? { words: name, rule: null })
    : { words: name.replaceAll('_', ' '), rule: null };
