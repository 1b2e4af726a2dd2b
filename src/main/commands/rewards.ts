// What episodes are worth by a reward profile.
import type { Handlers } from '../../shared/contract/contract.ts';
import { foldAll } from '../../shared/episode/fold.ts';
import { PROFILE_STREAM } from '../../shared/events/library.ts';
import { isDamagedLog } from '../../shared/failure.ts';
import type { Breakdown } from '../../shared/rewards/breakdown.ts';
import type { RewardSettings } from '../../shared/rewards/settings.ts';
import type { EventLog } from '../log/eventLog.ts';
import { profileNamed } from '../reward/profiles.ts';
import { breakdownOf, knownOf } from '../reward/reward.ts';

type RewardCommands = Pick<Handlers, Extract<keyof Handlers, `rewards.${string}`>>;

/** Folding a record holds the loop: others get their turn after so many. */
const RECORDS_AT_ONCE = 8;

export function rewardCommands({ log }: { log: EventLog }): RewardCommands {
  return {
    'rewards.scores': async ({ profile, episodes }) => {
      const { settings } = profileNamed(log.read(PROFILE_STREAM), profile);
      const scores: (Breakdown | null)[] = [];
      for (const episode of episodes) {
        scores.push(scoreOf(log, episode, settings));
        if (scores.length % RECORDS_AT_ONCE === 0) await new Promise<void>((go) => setImmediate(go));
      }
      return { scores };
    },
  };
}

/** Null where nothing can be said: it goes on, it cannot be read, or its texts were erased, which tell calls apart. */
function scoreOf(log: EventLog, episode: string, settings: RewardSettings): Breakdown | null {
  if (log.projections.episode(episode)?.status !== 'ended') return null;
  try {
    // Not through the log's own record: that would push out what is looked at now.
    const record = foldAll(episode, log.read(episode));
    return record.erased === null ? breakdownOf(knownOf(record), settings) : null;
  } catch (thrown) {
    if (!isDamagedLog(thrown)) throw thrown;
    return null;
  }
}
