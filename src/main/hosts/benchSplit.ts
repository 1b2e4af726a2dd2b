// `interject bench split`: which tasks of a benchmark train and which are held out, in a manifest that holds from then on.
import { existsSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { countText } from '../../shared/countText.ts';
import type { ModelsInForce } from '../../shared/contract/settings.ts';
import type { JsonObject } from '../../shared/events/turns.ts';
import { BUILT_IN, BUILT_IN_NAME, environmentKey, comparedKey } from '../../shared/environmentKinds.ts';
import { Failure } from '../../shared/failure.ts';
import { shownAddress } from '../../shared/redact/address.ts';
import {
  makeManifest,
  manifestText,
  type Manifest,
  type ManifestMeta,
  type SplitBy,
  type SplitRequest,
  DROP_WORDS,
  type DropCause,
} from '../dataset/split/makeManifest.ts';
import { probeUntouched, probeZeroShot, candidatesOf } from './splitProbes.ts';
import { addModelFlags, askedModels, chosenPolicy, addPlaceFlags, integerFrom } from './commandFlags.ts';
import type { CommandOutput } from './output.ts';
import { fromCaller } from './paths.ts';
import { beginCommand, openProductFor, type Product } from './product.ts';
import { agentOf, runPlace, type RunOptions } from './runCommand.ts';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { ListedTask, SplitManifest } from '../../shared/split.ts';
import { normalizeScenario } from '../../shared/wire.ts';

export type SplitOptions = Pick<
  RunOptions,
  | 'agentProfile'
  | 'agentModel'
  | 'agentBaseUrl'
  | 'agentKeyEnv'
  | 'agentTokenCommand'
  | 'world'
  | 'env'
  | 'envHeader'
  | 'scenario'
  | 'task'
  | 'seed'
  | 'concurrency'
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

const share = (text: string): number => {
  const value = Number(text);
  if (!(value > 0 && value < 1)) throw new InvalidArgumentError('a share between 0 and 1 is needed.');
  return value;
};

export const addSplitFlags = (command: Command): Command =>
  addModelFlags(addPlaceFlags(command), ['agent'])
    .description(
      'choose which tasks train and which are held out: probes them, splits them by difficulty, writes the manifest',
    )
    .option('--out <file>', 'where the manifest goes', 'split.json')
    .option('--force', 'write over a manifest that is there')
    .option('--awm-data <dir>', 'Agent World Model data: only tasks that its code verifies')
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
    .option('--concurrency <k>', 'episodes that run at once', integerFrom(1, 64), 4)
    .option('--name <name>', 'names the split and its probes; the same name goes on (else the file’s name)')
    .option(
      '--no-pin',
      'write the file only: this data folder does not keep its val tasks out of exports and briefs',
    )
    .option('--unpin <name>', 'end the hold of a split that was pinned in this data folder; splits nothing');

/** Resolves with the exit code. */
export async function splitCommand(options: SplitOptions, output: CommandOutput): Promise<number> {
  const { unpin, out, force } = options;
  const file = fromCaller(out);
  if (unpin === undefined && existsSync(file) && force !== true)
    throw new Failure('bad_input', `${out} is there already`, {
      next: 'A split is chosen once: name another file with --out, or say --force.',
    });
  if (unpin === undefined) checkPlace(options);
  const product = await openProductFor(options, { output, isMaking: true });
  try {
    if (unpin !== undefined) return await endHold(product, unpin, output);
    const roles = askedModels(chosenPolicy(options), []);
    const models = await beginCommand(product, options, { roles, answers: null }, output);
    return await finish(product, await splitByProbes(product, options, models, output), options, output);
  } finally {
    await product.close();
  }
}

function checkPlace({ world, env }: SplitOptions): void {
  const server = env ?? (world === undefined ? process.env['AWM_BASE_URL'] : undefined);
  if ((world === undefined) !== (server === undefined)) return;
  throw new Failure('bad_input', 'say what to split: either --world NAMES or --env URL', {
    next: 'For example: interject bench split --world all',
  });
}

const nameOf = ({ name, out }: Pick<SplitOptions, 'name' | 'out'>): string => name ?? basename(out, '.json');

async function holdFor(product: Product, options: SplitOptions): Promise<Hold> {
  const name = nameOf(options);
  const { splits } = options.pin ? await product.call('bench.splits', { name }) : { splits: [] };
  return holdOf(name, splits.find((one) => one.name === name)?.manifest ?? null);
}

async function splitByProbes(
  product: Product,
  options: SplitOptions,
  models: ModelsInForce,
  output: CommandOutput,
): Promise<Manifest> {
  const { environment } = runPlace(options);
  const found = await candidatesOf(product, environment, options);
  const agent = agentOf(models, options);
  const who = agent.model ?? agent.policy;
  const { rollouts, seed, concurrency } = options;
  const asked = {
    by: options.by ?? null,
    fraction: options.valFraction,
    seed,
    environment: await keyOf(product, environment),
    probe: rollouts === 0 ? null : { agent: who, rollouts },
  };
  const hold = await holdFor(product, options);
  hold.checkAsked({ ...asked, candidates: [...found.candidates, ...found.dropped] });
  const probing = { environment, seed, concurrency };
  const name = nameOf(options);
  const untouched = await probeUntouched(product, found, { ...probing, name }, output);
  const zeroShot = { ...probing, run: `split ${name}: zero-shot ${who}`, agent, rollouts };
  const tasks = await probeZeroShot(product, untouched.kept, zeroShot, output);
  return makeManifest({ ...asked, tasks, dropped: untouched.dropped, data: found.data });
}

/** The key of the environment, which its scenarios carry. */
async function keyOf(product: Product, environment: string): Promise<string> {
  if (environment === BUILT_IN) return BUILT_IN_NAME;
  const { environments } = await product.call('environments.list', {});
  const shown = URL.canParse(environment) ? shownAddress(environment) : environment;
  const known = environments.find(({ id, name, url }) => id === shown || name === shown || url === shown);
  return known === undefined ? new URL(environment).host : environmentKey(known);
}

async function finish(
  product: Product,
  manifest: Manifest,
  options: SplitOptions,
  output: CommandOutput,
): Promise<number> {
  const { meta, train, val } = manifest;
  const { out, pin } = options;
  const name = nameOf(options);
  (await holdFor(product, options)).checkMade(manifest);
  writeFileSync(fromCaller(out), manifestText(manifest), { mode: 0o600 });
  if (pin) {
    const facts = JSON.parse(JSON.stringify(meta)) as JsonObject;
    await product.call('split.pin', { name, pinned: { meta: facts, train, val } });
  }
  output.line({ type: 'split', name, out, is_pinned: pin, ...meta });
  for (const words of wordsOf(manifest)) output.say(words);
  output.say(
    `${countText(train.length, 'task')} ${train.length === 1 ? 'trains' : 'train'}, ${String(val.length)} ${val.length === 1 ? 'is' : 'are'} held out: ${out}`,
  );
  output.say(shareWords(meta));
  output.say(`\`interject report ${out} --out DIR\` draws its scenarios.`);
  output.say(
    pin
      ? `In this data folder they stay out of exports, briefs and similar advice (\`interject bench split --unpin ${name}\` ends that).`
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

async function endHold(product: Product, name: string, output: CommandOutput): Promise<number> {
  const { splits } = await product.call('bench.splits', {});
  const pinned = splits.map((one) => one.name);
  if (!pinned.includes(name))
    throw new Failure('not_found', `no split ${name} is pinned in this data folder`, {
      next: pinned.length === 0 ? 'None is.' : `There are: ${pinned.join(', ')}.`,
    });
  await product.call('split.pin', { name, pinned: null });
  output.line({ type: 'split_unpinned', name });
  output.say(`The val tasks of ${name} are held out no longer.`);
  return 0;
}

/** Settings of a split, as far as known before anything is played. */
export type AskedSplit = Pick<SplitRequest, 'environment' | 'by' | 'fraction' | 'seed' | 'probe'> & {
  candidates: readonly { scenario: string; task_idx: number }[];
};

export type Hold = {
  /** Throws `bad_input` where another split is pinned under the name. */
  checkAsked: (asked: AskedSplit) => void;
  /** Throws `bad_input` where the split that is pinned under the name holds other tasks than these. */
  checkMade: (made: SplitManifest) => void;
};

const PinnedMeta = z.looseObject({
  environment: z.string().nullable(),
  val_fraction: z.number(),
  seed: z.number(),
  split_by: z.string(),
  split_by_reason: z.string().nullable(),
  probe: z.looseObject({ agent: z.string(), rollouts: z.number() }).nullable(),
  dropped_tasks: z.array(z.tuple([z.string(), z.number(), z.string()])),
});

/** `held`: what stands under the name now; null for nothing, or where the split is not to be pinned. */
export function holdOf(name: string, held: SplitManifest | null): Hold {
  const refuse = (): never => {
    throw new Failure('bad_input', `the split ${name} holds other tasks in this data folder already`, {
      next: `Say --name OTHER to hold both, or end the first hold with: interject bench split --unpin ${name}`,
    });
  };
  return {
    checkAsked: (asked) => {
      if (held !== null && !isSameCommand(held, asked)) refuse();
    },
    checkMade: (made) => {
      if (held !== null && !isDeepStrictEqual(heldIn(held), heldIn(made))) refuse();
    },
  };
}

const sorted = (tasks: readonly (readonly [string, number, ...unknown[]])[]): string[] =>
  tasks.map(([scenario, index]) => JSON.stringify([normalizeScenario(scenario), index])).toSorted();

const heldEnvironment = (environment: string | null): string | null =>
  environment === null ? null : comparedKey(environment);

const heldIn = ({ meta, val }: SplitManifest): { environment: string | null; val: string[] } => ({
  environment: heldEnvironment(meta?.environment ?? null),
  val: sorted(val),
});

function isSameCommand(held: SplitManifest, asked: AskedSplit): boolean {
  const { success, data: meta } = PinnedMeta.safeParse(held.meta);
  if (!success) return false;
  const { environment, fraction, seed, by, probe } = asked;
  const candidates = asked.candidates.map(({ scenario, task_idx }): ListedTask => [scenario, task_idx]);
  return (
    heldEnvironment(meta.environment) === heldEnvironment(environment) &&
    meta.val_fraction === fraction &&
    meta.seed === seed &&
    isSameUnit(meta, by) &&
    meta.probe?.agent === probe?.agent &&
    meta.probe?.rollouts === probe?.rollouts &&
    isDeepStrictEqual(sorted([...held.train, ...held.val, ...meta.dropped_tasks]), sorted(candidates))
  );
}

const isSameUnit = (
  { split_by: unit, split_by_reason: reason }: z.infer<typeof PinnedMeta>,
  asked: SplitBy | null,
): boolean => (asked === null ? reason !== 'asked for' : unit === asked);
