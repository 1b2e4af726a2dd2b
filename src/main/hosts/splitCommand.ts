// `interject split`: which tasks of a benchmark train and which are held out, in a manifest that holds from then on.
import { existsSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { countText } from '../../shared/countText.ts';
import type { JsonObject } from '../../shared/events/turns.ts';
import { environmentKey } from '../../shared/environmentKinds.ts';
import { Failure } from '../../shared/failure.ts';
import { openCommandApp, type CommandApp } from './commandApp.ts';
import { withCommandLog } from './commandLog.ts';
import {
  makeManifest,
  manifestText,
  type Manifest,
  type ManifestMeta,
  type SplitBy,
} from '../dataset/split/makeManifest.ts';
import { causeOf, DROP_WORDS, type DropCause, type ProbedTask } from '../dataset/split/probed.ts';
import type { EventLog } from '../log/eventLog.ts';
import { noteSplit, pinnedSplits } from '../log/pinnedSplits.ts';
import { askedModels, chosenPolicy, type ModelOptions } from './modelFlags.ts';
import type { CommandOutput } from './output.ts';
import { fromCaller } from './paths.ts';
import { agentOf, runPlace, type RunOptions } from './runCommand.ts';
import { awmFlags } from './serve.ts';
import { candidatesOf, type Candidate, type Candidates } from './splitCandidates.ts';
import { holdOf, type Hold } from './splitHold.ts';
import { commonFailure, playProbes, probeResults, taskKey } from './splitProbes.ts';

export type SplitOptions = ModelOptions &
  Pick<
    RunOptions,
    | 'world'
    | 'worldDir'
    | 'env'
    | 'scenario'
    | 'task'
    | 'protocol'
    | 'turns'
    | 'seed'
    | 'concurrency'
    | 'retries'
  > & {
    agent?: 'rehearsal' | 'chat';
    awmData?: string;
    out: string;
    force?: boolean;
    by?: SplitBy;
    valFraction: number;
    rollouts: number;
    name?: string;
    pin: boolean;
    unpin?: string;
    data: string | undefined;
  };

export async function splitCommand(options: SplitOptions, output: CommandOutput): Promise<number> {
  const { unpin, data, out, force } = options;
  if (unpin !== undefined) return withPins({ data, output }, (pins) => endHold(pins, unpin, output));
  const file = fromCaller(out);
  if (existsSync(file) && force !== true)
    throw new Failure('bad_input', `${out} is there already`, {
      next: 'A split is chosen once: name another file with --out, or say --force.',
    });
  checkPlace(options);
  const app = await openCommandApp(
    {
      ...options,
      places: options.concurrency,
      awm: awmFlags(options),
      roles: askedModels(chosenPolicy(options), []),
    },
    output,
  );
  try {
    return await finish(app, await splitByProbes(app, options, output), options, output);
  } finally {
    await app.close();
  }
}

function checkPlace({ world, env }: SplitOptions): void {
  const server = env ?? (world === undefined ? process.env['AWM_BASE_URL'] : undefined);
  if ((world === undefined) !== (server === undefined)) return;
  throw new Failure(
    'bad_input',
    world === undefined
      ? 'say what to split: --world NAMES or --env URL'
      : 'say what to split: either --world NAMES or --env URL',
    { next: 'For example: interject split --world all' },
  );
}

const nameOf = ({ name, out }: Pick<SplitOptions, 'name' | 'out'>): string => name ?? basename(out, '.json');

const holdFor = (log: EventLog, options: SplitOptions): Hold =>
  holdOf(log, { name: nameOf(options), isPinned: options.pin });

async function splitByProbes(
  app: CommandApp,
  options: SplitOptions,
  output: CommandOutput,
): Promise<Manifest> {
  const { environment } = runPlace(options);
  const found = await candidatesOf(app, environment, options);
  const agent = agentOf(app, options);
  const who = agent.model ?? agent.policy;
  const asked = {
    by: options.by ?? null,
    fraction: options.valFraction,
    seed: options.seed,
    environment: environmentKey(app.environments.find(environment)),
    probe: options.rollouts === 0 ? null : { agent: who, rollouts: options.rollouts },
  };
  holdFor(app.log, options).checkAsked({ ...asked, candidates: [...found.candidates, ...found.dropped] });
  const probing = { environment, turns: options.turns, retries: options.retries, seed: options.seed };
  const untouched = await probeUntouched(app, found, { ...probing, name: nameOf(options) }, output);
  const run = `split ${nameOf(options)}: zero-shot ${who}`;
  const tasks = await probeZeroShot(
    app,
    untouched.kept,
    { ...probing, run, agent, rollouts: options.rollouts },
    output,
  );
  return makeManifest({ ...asked, tasks, dropped: untouched.dropped, data: found.data });
}

type Probing = Pick<Parameters<typeof playProbes>[1], 'environment' | 'turns' | 'retries' | 'seed'>;
type Dropped = Candidates['dropped'];

async function probeUntouched(
  app: CommandApp,
  { candidates, dropped: before }: Candidates,
  { name, ...probing }: Probing & { name: string },
  output: CommandOutput,
): Promise<{ kept: Candidate[]; dropped: Dropped }> {
  const run = `split ${name}: untouched`;
  const agent = { policy: 'rehearsal', protocol: 'native', model: null } as const;
  await playProbes(app, { ...probing, probe: 'no_op', run, tasks: candidates, agent, rollouts: 1 }, output);
  const results = probeResults(app, run);
  const failure = commonFailure(candidates.flatMap((task) => results.get(taskKey(task)) ?? []));
  if (failure !== null)
    throw new Failure('reset_failed', `no task could be reset: ${failure.message}`, {
      next: failure.next ?? 'Look at the environment’s log.',
    });
  const judged = candidates.map((task) => {
    const record = results.get(taskKey(task))?.at(-1);
    return { task, cause: record === undefined ? ('not_reset' as const) : causeOf(record) };
  });
  const dropped = judged.flatMap(({ task: { scenario, task_idx }, cause }) =>
    cause === null ? [] : [{ scenario, task_idx, cause }],
  );
  return {
    kept: judged.flatMap(({ task, cause }) => (cause === null ? [task] : [])),
    dropped: [...before, ...dropped],
  };
}

async function probeZeroShot(
  app: CommandApp,
  tasks: readonly Candidate[],
  { rollouts, ...probing }: Probing & { run: string; agent: ReturnType<typeof agentOf>; rollouts: number },
  output: CommandOutput,
): Promise<ProbedTask[]> {
  if (rollouts === 0) return tasks.map((task) => ({ ...task, rollouts: 0, completed: 0 }));
  await playProbes(app, { ...probing, probe: 'zero_shot', tasks, rollouts }, output);
  const results = probeResults(app, probing.run);
  const failure = commonFailure(tasks.flatMap((task) => results.get(taskKey(task)) ?? []));
  if (failure !== null)
    throw new Failure(failure.code, `no rollout came through: ${failure.message}`, {
      next: failure.next ?? '',
    });
  return tasks.map((task) => {
    // As many as were asked for now: the run may have more from before.
    const records = (results.get(taskKey(task)) ?? []).filter(
      ({ started, ended }) =>
        ended?.outcome !== 'error' &&
        (started?.repeat ?? 0) < rollouts &&
        seedIn(started?.seed, probing.seed, rollouts),
    );
    const completed = records.filter(({ ended }) => ended?.reward_type === 'complete').length;
    return { ...task, rollouts: records.length, completed };
  });
}

const seedIn = (seed: number | null | undefined, first: number, count: number): boolean =>
  seed !== null && seed !== undefined && seed >= first && seed < first + count;

/** Where splits are pinned: the log that is read, and who writes it. */
type Pins = Pick<CommandApp, 'log' | 'pinSplit'>;

const withPins = <T>(
  opened: { data: string | undefined; output: CommandOutput },
  work: (pins: Pins) => T | Promise<T>,
): Promise<T> =>
  withCommandLog({ ...opened, isReading: false, isMaking: true }, ({ log, line }) =>
    work({
      log,
      pinSplit: async (name, pinned) =>
        line === null
          ? noteSplit(log, name, pinned)
          : void (await line.call('launch.pin_split', { name, pinned })),
    }),
  );

async function finish(
  { log, pinSplit }: Pins,
  manifest: Manifest,
  options: SplitOptions,
  output: CommandOutput,
): Promise<number> {
  const { meta, train, val } = manifest;
  const name = nameOf(options);
  holdFor(log, options).checkMade(manifest);
  writeFileSync(fromCaller(options.out), manifestText(manifest), { mode: 0o600 });
  if (options.pin) {
    const facts = JSON.parse(JSON.stringify(meta)) as JsonObject;
    await pinSplit(name, { meta: facts, train, val });
  }
  output.line({ type: 'split', name, out: options.out, is_pinned: options.pin, ...meta });
  for (const words of wordsOf(manifest)) output.say(words);
  output.say(
    `${countText(train.length, 'task')} ${train.length === 1 ? 'trains' : 'train'}, ${String(val.length)} ${val.length === 1 ? 'is' : 'are'} held out: ${options.out}`,
  );
  output.say(shareWords(meta));
  output.say(`\`interject report ${options.out} --out DIR\` draws its scenarios.`);
  output.say(
    options.pin
      ? `In this data folder they stay out of exports, briefs and similar advice (\`interject split --unpin ${name}\` ends that).`
      : 'Name the file with --split where you export, brief or serve: it is not pinned in this data folder.',
  );
  return 0;
}

function shareWords({
  val_fraction: asked,
  val_fraction_reached: reached,
  split_by: by,
}: ManifestMeta): string {
  const percent = (share: number): string => `${String(Math.round(share * 1000) / 10)} %`;
  const why = asked === reached ? '' : ` A ${by} is never cut in two.`;
  return `Asked for: ${percent(asked)} held out. Reached: ${percent(reached)}.${why}`;
}

function wordsOf({ meta }: Manifest): string[] {
  const { dropped, num_candidates: candidates, split_by: by, split_by_reason: reason, probe } = meta;
  const causes = Object.entries(dropped) as [DropCause, number][];
  return [
    `${countText(candidates, 'task')} ${candidates === 1 ? 'was' : 'were'} looked at.`,
    ...causes.map(([cause, count]) => `  ${String(count)} left out: ${DROP_WORDS[cause]} (${cause})`),
    ...(probe?.is_all_zero === true
      ? [
          `No rollout of ${probe.agent} completed a task (${String(probe.rollouts)} each): the agent is too weak or the tasks too hard to train on rewards alone.`,
        ]
      : []),
    `Split by ${by}, stratified by ${meta.stratified_by}${reason === null || reason === 'asked for' ? '.' : `: ${reason}.`}`,
  ];
}

async function endHold({ log, pinSplit }: Pins, name: string, output: CommandOutput): Promise<number> {
  const pinned = pinnedSplits(log).map((one) => one.name);
  if (!pinned.includes(name))
    throw new Failure('not_found', `no split ${name} is pinned in this data folder`, {
      next: pinned.length === 0 ? 'None is.' : `There are: ${pinned.join(', ')}.`,
    });
  await pinSplit(name, null);
  output.line({ type: 'split_unpinned', name });
  output.say(`The val tasks of ${name} are held out no longer.`);
  return 0;
}
