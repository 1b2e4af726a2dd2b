// The flags that say what `interject run` plays: where, which tasks, and how it goes on.
import { addEnvironmentFlags } from './environmentFlags.ts';
import { InvalidArgumentError, Option, type Command } from 'commander';

export const WORLD_DIR_HELP = 'a pack of your own, or a folder of packs (else INTERJECT_WORLD_DIR)';

export const integerFrom =
  (least: number, most = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < least || value > most) {
      const range =
        most === Number.MAX_SAFE_INTEGER
          ? `of at least ${String(least)}`
          : `from ${String(least)} to ${String(most)}`;
      throw new InvalidArgumentError(`a whole number ${range} is needed.`);
    }
    return value;
  };

export const addTaskFlags = (command: Command): Command =>
  addEnvironmentFlags(command)
    .option('--world <name>', 'a built-in world, or one of --world-dir')
    .option('--world-dir <dir>', WORLD_DIR_HELP)
    .option('--env <url>', 'an OpenEnv server (else AWM_BASE_URL, where no world is named)')
    .option(
      '--scenario <names>',
      'scenario of the server (or split of its tasks), several with commas between, or all',
    )
    .option(
      '--task <which>',
      'a number, a range like 0-9, or all (not needed with several scenarios, or where a server has none)',
    )
    .option(
      '--tasks <file>',
      'JSON of [scenario, task] pairs, or a split with train and val lists of them; in place of --scenario and --task, with --env URL or, for built-in worlds, --world all',
    )
    .addOption(new Option('--list <name>', 'which list of a split in --tasks').choices(['train', 'val']))
    .option('--run <name>', 'names the run; episodes that ended in it (done or limit) are not run again')
    .option(
      '--retries <n>',
      'how often a start is tried again (server full or away, reset failed)',
      integerFrom(0),
      8,
    );
