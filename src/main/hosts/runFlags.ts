// The flags of `interject run`, and how flags are read that several commands have.
import { InvalidArgumentError, Option, type Command } from 'commander';
import { REPEATS_MAX } from '../../shared/contract/areas.ts';
import { Condition } from '../../shared/events/lifecycle.ts';
import { addEnvironmentFlags } from './environmentFlags.ts';
import { addModelFlags } from './modelFlags.ts';
import { portNumber, seconds } from './numberFlags.ts';
import { GATEWAY_PORT } from './ports.ts';

export const SPLIT_HELP =
  'split manifest (JSON with train and val): no brief is written of a val task; pinned splits hold without it';
const ENV_HELP = 'an OpenEnv server (else AWM_BASE_URL, where no world is named)';

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

/** Where it plays. */
export const addPlaceFlags = (command: Command): Command =>
  addEnvironmentFlags(command)
    .option('--world <name>', 'a built-in world, or one of your own')
    .option('--env <url>', ENV_HELP)
    .option(
      '--scenario <names>',
      'scenario of the server (or split of its tasks), several with commas between, or all',
    )
    .option(
      '--task <which>',
      'a number, a range like 0-9, or all (not needed with several scenarios, or where a server has none)',
    );

/** Who answers in a person's place, and how long is waited for people. */
export const addAnswerFlags = (command: Command): Command =>
  command
    .option('--answers <file>', 'JSON lines that answer in a person’s place (recorded as scripted)')
    .option('--deadline <s>', 'seconds a question may wait', seconds)
    .addOption(
      new Option('--fallback <what>', 'what happens then (wait; with --answers: proceed)').choices([
        'wait',
        'draft',
        'proceed',
      ]),
    )
    .option('--turns <n>', 'turn limit', integerFrom(1))
    .option('--asks <n>', 'how often the agent may ask', integerFrom(0))
    .option('--port <n>', 'port of the desk when a person is to answer', portNumber, GATEWAY_PORT);

export const addRunFlags = (command: Command): Command =>
  addAnswerFlags(addModelFlags(addPlaceFlags(command)))
    .option(
      '--tasks <file>',
      'JSON of [scenario, task] pairs, or a split with train and val lists of them; in place of --scenario and --task, with --env URL or, for built-in worlds, --world all',
    )
    .addOption(new Option('--list <name>', 'which list of a split in --tasks').choices(['train', 'val']))
    .option('--run <name>', 'names the run; episodes that ended in it (done or limit) are not run again')
    .option('--episodes <n>', 'repeats per task, up to 64', integerFrom(1, REPEATS_MAX), 1)
    .option('--seed <n>', 'seed of the first repeat', integerFrom(0), 0)
    .option('--concurrency <k>', 'episodes that run at once', integerFrom(1, 64), 1)
    .addOption(
      new Option(
        '--agent <policy>',
        'who acts: a script (rehearsal), the agent’s model (chat; taken where a flag names that model), or a person ' +
          'who makes every move in the console',
      ).choices(['rehearsal', 'chat', 'human']),
    )
    .addOption(new Option('--condition <who>', 'who may advise').choices(Condition.options).default('none'))
    .option(
      '--baseline-log <file>',
      'an earlier run of the same tasks, of which --condition brief is written',
    )
    .option('--split <file>', SPLIT_HELP)
    .option('--reset <json>', 'further reset arguments, as a JSON object');
