// What a command line said about models and experts, for what it launched in an Interject that was open already: in
// memory only, for as long as its episodes run. Everything else goes by what the app was begun with.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { LaunchSettings } from '../../shared/contract/launchSettings.ts';

export type LaunchedSettings = {
  /** Of whatever asks: nothing, where no command launched it. */
  current: () => LaunchSettings;
  /** Runs something, and all that it begins, by these settings. */
  within: <T>(settings: LaunchSettings | undefined, act: () => T) => T;
  /** Runs an episode; what others ask about it meanwhile goes by the settings it was launched with. */
  keepFor: <T>(episode: string, run: () => Promise<T>) => Promise<T>;
  /** Does something for an episode as it would do it itself. */
  asEpisode: <T>(episode: string, act: () => T) => T;
};

const NOTHING: LaunchSettings = {};

export function createLaunchedSettings(): LaunchedSettings {
  const launched = new AsyncLocalStorage<LaunchSettings>();
  const running = new Map<string, LaunchSettings>();
  const within: LaunchedSettings['within'] = (settings, act) =>
    settings === undefined ? act() : launched.run(settings, act);
  return {
    current: () => launched.getStore() ?? NOTHING,
    within,
    keepFor: async (episode, run) => {
      const settings = launched.getStore();
      if (settings === undefined) return run();
      running.set(episode, settings);
      try {
        return await run();
      } finally {
        running.delete(episode);
      }
    },
    asEpisode: (episode, act) => within(running.get(episode), act),
  };
}
