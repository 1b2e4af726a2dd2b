// Settings of a command of the command line on models and held-out tasks, for what it began: in memory only, for as
// long as its episodes run. Everything else goes by what the app was begun with.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { CommandSettings } from '../../shared/contract/commandLine.ts';

export type SettingsOfCommands = {
  /** Of whatever asks: nothing, where no command began it. */
  current: () => CommandSettings;
  /** Runs something, and all that it begins, by these settings. */
  within: <T>(settings: CommandSettings | undefined, act: () => T) => T;
  /** Runs an episode; what others ask about it meanwhile goes by the settings it was begun with. */
  keepFor: <T>(episode: string, run: () => Promise<T>) => Promise<T>;
  /** Does something for an episode as it would do it itself. */
  asEpisode: <T>(episode: string, act: () => T) => T;
};

const NOTHING: CommandSettings = {};

export function createSettingsOfCommands(): SettingsOfCommands {
  const context = new AsyncLocalStorage<CommandSettings>();
  const running = new Map<string, CommandSettings>();
  const within: SettingsOfCommands['within'] = (settings, act) =>
    settings === undefined ? act() : context.run(settings, act);
  return {
    current: () => context.getStore() ?? NOTHING,
    within,
    keepFor: async (episode, run) => {
      const settings = context.getStore();
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
