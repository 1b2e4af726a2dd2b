// The flags of `interject split`.
import { InvalidArgumentError, Option, type Command } from 'commander';
import { addModelFlags, addTurnFlags } from './modelFlags.ts';
import { integerFrom, WORLD_DIR_HELP } from './runFlags.ts';

const share = (text: string): number => {
  const value = Number(text);
  if (!(value > 0 && value < 1)) throw new InvalidArgumentError('a share between 0 and 1 is needed.');
  return value;
};

export const addSplitFlags = (command: Command): Command =>
  addTurnFlags(addModelFlags(command))
    .description(
      'choose which tasks train and which are held out: probes them, splits them by difficulty, writes the manifest',
    )
    .option('--out <file>', 'where the manifest goes', 'split.json')
    .option('--force', 'write over a manifest that is there')
    .option('--world <names>', 'built-in worlds, several with commas between, or all')
    .option('--world-dir <dir>', WORLD_DIR_HELP)
    .option('--env <url>', 'an OpenEnv server (else AWM_BASE_URL, where no world is named)')
    .option('--scenario <names>', 'scenarios of the server, several with commas between (else all)')
    .option('--task <which>', 'of each scenario only these: a number, a range like 0-9, or all')
    .option('--awm-data <dir>', 'Agent World Model data of the server: only tasks that its code verifies')
    .addOption(
      new Option('--by <unit>', 'what is never cut in two (else scenario, where there are several)').choices([
        'scenario',
        'task',
      ]),
    )
    .option('--val-fraction <share>', 'share that is held out', share, 0.3)
    .option('--seed <n>', 'seed of the choice and of the first rollout', integerFrom(0), 0)
    .option(
      '--rollouts <n>',
      'rollouts of each task by the agent, for its difficulty; 0 for none',
      integerFrom(0),
      10,
    )
    .addOption(new Option('--agent <policy>', 'who is tried (as in run)').choices(['rehearsal', 'chat']))
    .addOption(
      new Option('--protocol <name>', 'how calls are written').choices(['native', 'xml']).default('native'),
    )
    .option('--turns <n>', 'turn limit', integerFrom(1))
    .option('--concurrency <k>', 'episodes that run at once', integerFrom(1), 4)
    .option('--retries <n>', 'how often a start is tried again', integerFrom(0), 8)
    .option('--name <name>', 'names the split and its probes; the same name goes on (else the file’s name)')
    .option(
      '--no-pin',
      'write the file only: this data folder does not keep its val tasks out of exports and briefs',
    )
    .option('--unpin <name>', 'end the hold of a split that was pinned in this data folder; splits nothing');
