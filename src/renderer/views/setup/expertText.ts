// An expert's figures in words, and what is typed about one as the roster holds it.
import type { Outputs } from '../../../shared/contract/contract.ts';
import type { Expert } from '../../../shared/experts/roster.ts';
import { formatDuration } from '../../ui/time.ts';

type Figures = Outputs['experts.figures']['figures'][number];

/** Each figure that there is, in the order of its telling. */
export function figureTexts(figures: Figures): string[] {
  const { asked, named, answered, declined, drafts, uptake, outcomes, tokens } = figures;
  const compared = uptake.followed + uptake.partly + uptake.ignored + uptake.contradicted;
  const within =
    figures.median_answer_ms === null ? '' : `, half within ${formatDuration(figures.median_answer_ms)}`;
  return [
    `asked ${String(asked)}${named === 0 ? '' : ` (${String(named)} by name)`}`,
    `answered ${String(answered)}${within}`,
    ...(declined === 0 ? [] : [`declined ${String(declined)}`]),
    ...(drafts.made + drafts.failed === 0 ? [] : [draftText(drafts)]),
    ...(compared === 0 ? [] : [`followed ${String(uptake.followed)} of ${String(compared)}`]),
    ...(outcomes.episodes === 0
      ? []
      : [`complete ${String(outcomes.complete)} of ${String(outcomes.episodes)} episodes`]),
    ...(tokens.input + tokens.output === 0 ? [] : [tokenText(tokens)]),
  ];
}

function draftText({ made, failed, accepted, edited, declined, unused }: Figures['drafts']): string {
  const fates = [
    [accepted, 'accepted'],
    [edited, 'edited'],
    [declined, 'declined'],
    [unused, 'unused'],
    [failed, 'failed'],
  ] as const;
  const told = fates.flatMap(([count, fate]) => (count === 0 ? [] : [`${String(count)} ${fate}`]));
  return `drafts ${String(made)}${told.length === 0 ? '' : `: ${told.join(', ')}`}`;
}

function tokenText({ input, output, unknown }: Figures['tokens']): string {
  return `${unknown === 0 ? '' : 'at least '}${(input + output).toLocaleString('en')} tokens`;
}

export type ExpertDraft = Readonly<
  Record<'kind' | 'name' | 'skills' | 'askFor' | 'profile' | 'prompt' | 'seat', string>
>;
export const EMPTY_EXPERT: ExpertDraft = {
  kind: 'model',
  name: '',
  skills: '',
  askFor: '',
  profile: '',
  prompt: '',
  seat: '',
};

const skillsIn = (text: string): string[] =>
  text
    .split(',')
    .map((skill) => skill.trim())
    .filter((skill) => skill !== '');

/** Null while something is missing. */
export function expertOf(draft: ExpertDraft): Expert | null {
  const { kind, profile, seat, prompt } = draft;
  const shared = { name: draft.name.trim(), skills: skillsIn(draft.skills), ask_for: draft.askFor.trim() };
  if (shared.name === '' || shared.skills.length === 0 || shared.ask_for === '') return null;
  if (kind === 'person') return seat === '' ? null : { kind, ...shared, seat };
  if (profile === '') return null;
  return { kind: 'model', ...shared, profile, ...(prompt.trim() === '' ? {} : { prompt: prompt.trim() }) };
}

export const draftOf = (expert: Expert): ExpertDraft => ({
  ...EMPTY_EXPERT,
  kind: expert.kind,
  name: expert.name,
  skills: expert.skills.join(', '),
  askFor: expert.ask_for,
  ...(expert.kind === 'model'
    ? { profile: expert.profile, prompt: expert.prompt ?? '' }
    : { seat: expert.seat }),
});
