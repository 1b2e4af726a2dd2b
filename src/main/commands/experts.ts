// The roster of experts, and figures of each over the log.
import type { Handlers } from '../../shared/contract/contract.ts';
import type { experts } from '../../shared/contract/experts.ts';
import { createExpertFigures, type ExpertFigures } from '../../shared/experts/figures.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { SettingsStore } from '../settings/settings.ts';

type ExpertsDependencies = {
  log: EventLog;
  settings: SettingsStore;
  /** Episodes in which a question was routed. */
  routedEpisodes: () => string[];
};

export const expertCommands = ({
  log,
  settings,
  routedEpisodes,
}: ExpertsDependencies): Pick<Handlers, keyof typeof experts> => ({
  'experts.figures': async () => {
    const names = settings.roster().experts.map(({ name }) => name);
    return figuresOver(log, routedEpisodes(), names);
  },
});

/** How many records are folded before others have their turn. */
const BATCH = 20;

export async function figuresOver(
  log: EventLog,
  episodes: readonly string[],
  roster: readonly string[],
): Promise<{ episodes: number; figures: ExpertFigures[] }> {
  const figures = createExpertFigures();
  for (const [at, id] of episodes.entries()) {
    figures.add(log.record(id));
    if (at % BATCH === BATCH - 1) await new Promise((resolve) => setImmediate(resolve));
  }
  return { episodes: episodes.length, figures: figures.all(roster) };
}
