// `interject world`: the built-in worlds as an OpenEnv server, listed, and proved.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../../shared/failure.ts';
import { SERVER_FRAME_MAX } from '../../shared/wire.ts';
import { worldName } from '../../shared/worldNames.ts';
import { checkRuntime } from '../log/runtime.ts';
import { checkPack } from '../worlds/check.ts';
import { createWorlds, type Worlds } from '../worlds/worlds.ts';
import { newId } from './edges.ts';
import { openListener } from './listener.ts';
import type { CommandOutput } from './output.ts';
import { fromCaller, productFolder } from './paths.ts';
import { untilSignal } from './serve.ts';

const packsFolder = (): string => join(productFolder(), 'resources', 'worlds');

function openWorlds(sessionsFolder: string, capacity?: number): Worlds {
  checkRuntime();
  return createWorlds({
    clock: Date.now,
    newId: () => newId(),
    packsFolder: packsFolder(),
    sessionsFolder,
    ...(capacity === undefined ? {} : { capacity }),
  });
}

type WorldServeOptions = { host: string; port: number; sessions?: string; capacity?: number };

/** Serves until SIGINT or SIGTERM. Sessions that a client keeps stay in `--sessions`, if it was given. */
export async function worldServe(
  { host, port, sessions, capacity }: WorldServeOptions,
  output: CommandOutput,
): Promise<number> {
  const temporary = sessions === undefined ? mkdtempSync(join(tmpdir(), 'interject-world-')) : null;
  const worlds = openWorlds(temporary ?? fromCaller(sessions ?? ''), capacity);
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
  for (const { name, kind, tasks, tools, description } of worlds.packs()) {
    output.line({ type: 'world', name, kind, tasks, tools, description });
    const size = kind === 'mcp' ? `${String(tools)} tools` : 'its own actions';
    output.say(`${name}: ${String(tasks)} tasks, ${size}\n  ${description}`);
  }
  await worlds.close();
  return 0;
}

/** Proves a pack by name or by folder. Exit code 1 when a check fails. */
export async function worldCheck(pack: string, output: CommandOutput): Promise<number> {
  checkRuntime();
  const named = join(packsFolder(), worldName(pack));
  const folder = /[\\/]/.test(pack) || !existsSync(named) ? fromCaller(pack) : named;
  if (!existsSync(folder)) {
    throw new Failure('pack_invalid', `there is no pack ${pack}`, { next: 'See `interject world list`.' });
  }
  const report = await checkPack(folder);
  for (const { name, status, evidence } of report.checks) {
    output.line({ type: 'check', name, status, evidence });
    output.say(`${status}  ${name}${evidence === '' ? '' : `: ${evidence}`}`);
  }
  return report.checks.every(({ status }) => status !== 'fail') ? 0 : 1;
}
