// `interject world`: the built-in worlds as an OpenEnv server, and listed.
import { countText } from '../../shared/countText.ts';
import { SERVER_FRAME_MAX } from '../../shared/wire.ts';
import { checkRuntime } from '../log/runtime.ts';
import { createWorlds, type Worlds } from '../worlds/worlds.ts';
import { createTurns, newId } from './edges.ts';
import { openListener } from './listener.ts';
import { type CommandOutput, throwIfReaderGone } from './output.ts';
import { fromCaller, packsFolder, worldFolderPath } from './paths.ts';
import { untilSignal } from './serve.ts';
import { Failure } from '../../shared/failure.ts';
import { checkPack, type PackCheck } from '../worlds/check.ts';
import { packFolders } from '../worlds/pack.ts';
import { checkFlights } from '../worlds/thrusters/check.ts';
import { NAME as ACTION_WORLD } from '../worlds/thrusters/tasks.ts';
import { mkdtempSync, rmSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, basename, dirname } from 'node:path';

function openWorlds(sessionsFolder: string, capacity?: number): Worlds {
  checkRuntime();
  return createWorlds({
    monotonic: () => performance.now(),
    newId: () => newId(),
    packsFolder: packsFolder(),
    ownFolder: worldFolderPath(),
    sessionsFolder,
    turn: createTurns(),
    ...(capacity === undefined ? {} : { capacity }),
  });
}

type WorldServeOptions = {
  host: string;
  port: number;
  sessions?: string;
  capacity?: number;
};

/** Serves until SIGINT or SIGTERM. Sessions that a client keeps stay in `--sessions`, if it was given. */
export async function worldServe(
  { host, port, sessions, capacity }: WorldServeOptions,
  output: CommandOutput,
): Promise<number> {
  const temporary = sessions === undefined ? mkdtempSync(join(tmpdir(), 'interject-world-')) : null;
  const worlds = openWorlds(temporary ?? fromCaller(sessions ?? ''), capacity);
  for (const { message } of worlds.problems()) output.say(message);
  try {
    const listening = await openListener(worlds, {
      host,
      port,
      maxPayload: SERVER_FRAME_MAX,
      origin: 'none',
    });
    output.line({ type: 'ready', url: listening.url });
    output.say(`Built-in worlds are served as an OpenEnv server at ${listening.url}`);
    await untilSignal();
    await listening.close();
  } finally {
    await worlds.close();
    if (temporary !== null) rmSync(temporary, { recursive: true, force: true });
  }
  return 0;
}

export async function worldList(output: CommandOutput): Promise<number> {
  const worlds = openWorlds(join(tmpdir(), 'interject-world-list'));
  for (const { message } of worlds.problems()) output.say(message);
  for (const { name, kind, tasks, tools, description } of worlds.packs()) {
    output.line({ type: 'world', name, kind, tasks, tools, description });
    const size = kind === 'mcp' ? countText(tools, 'tool') : 'its own actions';
    output.say(`${name}: ${countText(tasks, 'task')}, ${size}\n  ${description}`);
  }
  await worlds.close();
  return 0;
}

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
