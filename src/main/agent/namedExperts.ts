// The text on the experts that the agent may ask by name.
import type { Roster, Routing } from '../../shared/experts/roster.ts';
import { expertsFor, type Answerers } from '../../shared/experts/route.ts';
import type { Condition } from '../../shared/events/lifecycle.ts';
import { fillPrompt, type Prompts } from '../settings/prompts.ts';

type NamedExpert = { name: string; ask_for: string };

const ANSWERERS: Readonly<Partial<Record<Condition, Answerers>>> = {
  model: 'model',
  human: 'people',
  'human+draft': 'people_and_draft',
};

/** Whom the agent may name under a condition; nobody where there is no choice. */
export function namedExperts(roster: Roster | null, condition: Condition): NamedExpert[] {
  const answerers = ANSWERERS[condition];
  if (roster === null || answerers === undefined) return [];
  const able = expertsFor(roster, answerers);
  return able.length > 1 ? able : [];
}

export const expertLines = (experts: readonly NamedExpert[]): string =>
  experts.map(({ name, ask_for }) => `- ${name}: ${ask_for}`).join('\n');

/** The names of the tool's argument and what is said of them; null where there is no choice. */
export const askWho = (
  prompts: Prompts,
  experts: readonly NamedExpert[],
): { names: string[]; text: string } | null =>
  experts.length === 0
    ? null
    : {
        names: experts.map(({ name }) => name),
        text: fillPrompt(prompts.askWho, { experts: expertLines(experts) }),
      };

/** The note to whoever asked for an expert who is not there: nothing in any other case. */
export function notFollowedText(prompts: Prompts, routed: Routing | null): string[] {
  const wanted = routed?.not_followed;
  if (routed === null || wanted === undefined) return [];
  const asked =
    routed.expert === null ? 'Whoever was there was asked.' : `${routed.expert} was asked instead.`;
  return [fillPrompt(prompts.expertNotFollowed, { wanted, asked })];
}
