// `interject experts`: who is in the roster, and figures of each.
import type { ExpertFigures } from '../../shared/experts/figures.ts';
import type { Expert } from '../../shared/experts/roster.ts';
import type { CommandOutput } from './output.ts';
import { openCommandApp } from './commandApp.ts';
import { checkFolderExists } from './commandLog.ts';
import { dataFolderPath } from './paths.ts';

/** A line for each expert. Resolves with the exit code. */
export async function expertsCommand({ data }: { data?: string }, output: CommandOutput): Promise<number> {
  checkFolderExists(dataFolderPath(data));
  const app = await openCommandApp({ data, places: 1, roles: [] }, output);
  try {
    const { roster } = await app.call('experts.read', {});
    const { experts, routes, seat_first_s } = roster;
    const { episodes, figures } = await app.call('experts.figures', {});
    output.line({ type: 'roster', experts: experts.length, routes, seat_first_s, episodes });
    for (const one of figures) {
      const expert = experts.find(({ name }) => name === one.expert) ?? null;
      output.line({ type: 'expert', ...one, ...describe(expert) });
      output.say(expertWords(one, expert));
    }
    if (figures.length === 0)
      output.say('No experts: add some under Settings, or give --experts FILE to run or serve.');
    return 0;
  } finally {
    await app.close();
  }
}

const describe = (expert: Expert | null): Record<string, unknown> =>
  expert === null
    ? { in_roster: false }
    : { in_roster: true, kind: expert.kind, skills: expert.skills, ask_for: expert.ask_for };

function expertWords(figures: ExpertFigures, expert: Expert | null): string {
  const { asked, answered, declined, drafts, outcomes, median_answer_ms: median } = figures;
  const who = expert === null ? 'not in the roster' : `${expert.kind}: ${expert.skills.join(', ')}`;
  const wait = median === null ? '' : `, half within ${(median / 1000).toFixed(1)} s`;
  return [
    `${figures.expert} (${who})`,
    `asked ${String(asked)}, answered ${String(answered)}${wait}, declined ${String(declined)}`,
    `drafts ${String(drafts.made)}: ${String(drafts.accepted)} accepted, ${String(drafts.edited)} edited, ${String(drafts.declined)} declined, ${String(drafts.failed)} failed`,
    `complete ${String(outcomes.complete)} of ${String(outcomes.episodes)} episodes`,
  ].join('; ');
}
