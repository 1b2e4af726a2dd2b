// `interject world`: the built-in worlds as an OpenEnv server, and listed.
import { countText } from '../../shared/countText.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVER_FRAME_MAX } from '../../shared/wire.ts';
import { checkRuntime } from '../log/runtime.ts';
import { createWorlds, type Worlds } from '../worlds/worlds.ts';
import { newId } from './edges.ts';
import { openListener } from './listener.ts';
import type { CommandOutput } from './output.ts';
import { fromCaller, packsFolder, worldFolderPath } from './paths.ts';
import { untilSignal } from './serve.ts';
import { createTurns } from './turns.ts';

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
