// The flags of `interject lift`, and the request they come to.
import { createHash } from 'node:crypto';
import { Option, type Command } from 'commander';
import { canonical } from '../../shared/canonical.ts';
import { Failure } from '../../shared/failure.ts';
import { LEAST_CONTINUATIONS } from '../../shared/lift/intervention.ts';
import type { LiftRequest } from '../../shared/lift/plan.ts';
import type { ModelRole } from '../../shared/modelConfig.ts';
import type { CommandApp } from './commandApp.ts';
import { addModelFlags, chosenModelFlags, type ModelOptions } from './modelFlags.ts';
import { integerFrom, WORLD_DIR_HELP } from './runFlags.ts';

export type LiftOptions = ModelOptions & {
  run?: string;
  episodes?: string;
  last?: number;
  points?: number;
  k: number;
  seed: number;
  agent?: 'rehearsal' | 'chat';
  worldDir?: string;
  awmData?: string;
  concurrency: number;
  name?: string;
  out?: string;
  data: string | undefined;
};

export const addLiftFlags = (command: Command, { awmHelp }: { awmHelp: string }): Command =>
  addModelFlags(command)
    .description(
      'measure what answers were worth: go on from each, several times with it and several times without',
    )
    .option('--run <name>', 'from the answered questions of a run’s episodes')
    .option('--episodes <ids>', 'from these episodes, separated by commas')
    .option('--last <n>', 'from the newest episodes', integerFrom(1))
    .option(
      '--points <m>',
      'so many interventions, drawn with the seed, at most one per episode (default all)',
      integerFrom(1),
    )
    .option(
      '--k <n>',
      `continuations with the advice, and as many without; fewer than ${String(LEAST_CONTINUATIONS)} give descriptive figures only`,
      integerFrom(1),
      4,
    )
    .option(
      '--seed <n>',
      'draws the interventions, the order and the seeds of the continuations',
      integerFrom(0),
      0,
    )
    .addOption(
      new Option(
        '--agent <policy>',
        'who goes on: a script (rehearsal) or the agent’s model (chat); as each episode was played where it is not said',
      ).choices(['rehearsal', 'chat']),
    )
    .option('--world-dir <dir>', WORLD_DIR_HELP)
    .option('--awm-data <dir>', awmHelp)
    .option('--concurrency <k>', 'continuations that run at once', integerFrom(1), 8)
    .option('--name <name>', 'names the lift and its run; the same name goes on where it was stopped')
    .option('--out <dir>', 'write report.md, its figure and results_summary.json there');

/** Whose models go on: as the episodes were played where nothing is said. */
export const liftModels = ({ agent }: LiftOptions): ModelRole[] => (agent === 'rehearsal' ? [] : ['agent']);

/** Throws `bad_input` for flags that ask for nothing, or for two things at once. */
export function liftRequestOf(app: CommandApp, options: LiftOptions): { name: string; request: LiftRequest } {
  const { run, episodes, last, points, k, seed } = options;
  const from = Object.entries({ run, episodes, last }).filter(([, one]) => one !== undefined);
  if (from.length === 0)
    throw new Failure('bad_input', 'say from which episodes: --run NAME, --episodes A,B or --last N');
  if (from.length > 1)
    throw new Failure(
      'bad_input',
      `${from.map(([flag]) => `--${flag}`).join(' and ')} each say from which episodes`,
      { next: 'Give one of --run NAME, --episodes A,B and --last N.' },
    );
  const isModelNamed = chosenModelFlags('agent', options).length > 0;
  const policy = options.agent ?? (isModelNamed ? 'chat' : null);
  const profile = options.agentProfile;
  const model = policy === 'rehearsal' ? null : (app.settings.model('agent', profile)?.model ?? null);
  const request: LiftRequest = {
    run: run ?? null,
    episodes: episodes?.split(',').map((id) => id.trim()) ?? null,
    last: last ?? null,
    points: points ?? null,
    k,
    seed,
    agent: { policy, model, ...(profile === undefined ? {} : { profile }) },
  };
  if (k > 100) throw new Failure('bad_input', '--k is at most 100');
  return { name: options.name ?? `lift-${digestOf(request)}`, request };
}

/** The same flags are the same lift: typed again, they go on with it. */
const digestOf = (request: LiftRequest): string =>
  createHash('sha256').update(canonical(request)).digest('hex').slice(0, 8);
