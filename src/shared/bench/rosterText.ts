// The roster that a bench was planned with, in words. Pure.
import type { Roster } from '../experts/roster.ts';

/** What each expert is for and where each kind of question goes, a line each; none without a roster. */
export function rosterLines(experts: Roster | undefined): string[] {
  if (experts === undefined) return [];
  const { routes, seat_first_s: first } = experts;
  return [
    ...experts.experts.map((expert) => {
      const who =
        expert.kind === 'model'
          ? `model profile ${expert.profile}${expert.prompt === undefined ? '' : ', with a prompt of its own'}`
          : `a person, seat ${expert.seat}`;
      return `${expert.name} (${who}): ${expert.skills.join(', ')}. Asked for ${expert.ask_for}`;
    }),
    `Questions after a format error go to ${routes.format_error}, after failed calls to ${routes.tool_errors}, at the start to ${routes.start}, others to ${routes.other}.`,
    ...(experts.experts.some(({ kind }) => kind === 'person')
      ? [`A question for a person is their seat’s alone for ${String(first)} s.`]
      : []),
  ];
}
