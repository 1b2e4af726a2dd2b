// `interject world check`: every promise of a world, or of all of them, with its evidence.
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Failure } from '../../shared/failure.ts';
import { checkRuntime } from '../log/runtime.ts';
import { checkPack, type PackCheck } from '../worlds/check.ts';
import { packFolders } from '../worlds/pack.ts';
import { checkFlights } from '../worlds/thrusters/check.ts';
import { NAME as ACTION_WORLD } from '../worlds/thrusters/tasks.ts';
import type { CommandOutput } from './output.ts';
import { fromCaller, packsFolder, worldFolderPath } from './paths.ts';
import { throwIfReaderGone } from './readers.ts';

type Proof = { world: string; checks: PackCheck[] };

/** Proves a world by name or by folder, or all of them. Exit code 1 when a check fails. */
export async function worldCheck(world: string | undefined, output: CommandOutput): Promise<number> {
  checkRuntime();
  const own = worldFolderPath();
  let isProven = true;
  for (const prove of world === undefined ? allWorlds(own) : [oneWorld(world, own)]) {
    await throwIfReaderGone(output);
    const { world: name, checks } = await prove();
    report(name, checks, output);
    isProven &&= checks.every(({ status }) => status === 'pass');
  }
  return isProven ? 0 : 1;
}

function report(world: string, checks: readonly PackCheck[], output: CommandOutput): void {
  output.say(world);
  for (const { name, status, evidence } of checks) {
    output.line({ type: 'check', world, name, status, evidence });
    output.say(`  ${status}  ${name}${evidence === '' ? '' : `: ${evidence}`}`);
  }
}

const allWorlds = (own: string | null): (() => Promise<Proof>)[] => [
  ...[packsFolder(), ...(own === null ? [] : [own])].flatMap(packFolders).map((folder) => packIn(folder)),
  actionWorld,
];

const actionWorld = (): Promise<Proof> => Promise.resolve({ world: ACTION_WORLD, checks: checkFlights() });

const packIn = (folder: string) => async (): Promise<Proof> => {
  const { pack, checks } = await checkPack(folder, { isBuiltIn: dirname(folder) === packsFolder() });
  return { world: pack ?? basename(folder), checks };
};

/** A built-in name first, then one of the person's own, then a path. */
function oneWorld(world: string, own: string | null): () => Promise<Proof> {
  if (world === ACTION_WORLD) return actionWorld;
  const isName = !/[\\/]/.test(world);
  const named = isName ? join(packsFolder(), world) : '';
  const owned = isName && own !== null ? packFolders(own).find((folder) => basename(folder) === world) : null;
  const folder = existsSync(named) ? named : (owned ?? fromCaller(world));
  if (!existsSync(folder)) {
    throw new Failure('pack_invalid', `there is no pack ${world}`, { next: 'See `interject world list`.' });
  }
  return packIn(folder);
}
