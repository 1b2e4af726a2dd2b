// The real command line in a process of its own, as a person types it in `folder`.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const MAIN = pathToFileURL(resolve(import.meta.dirname, '../../src/main/hosts/main.ts')).href;

export type Command = { args: readonly string[]; variables?: Record<string, string> };

/** One process for all commands: starting one takes longer than most of them. */
const SCRIPT = `
import { writeFileSync } from 'node:fs';
import { main } from ${JSON.stringify(MAIN)};
const before = { ...process.env };
const codes = [];
for (const { args, variables = {} } of JSON.parse(process.env.COMMANDS)) {
  process.env = { ...before, ...variables };
  codes.push(await main(args));
}
writeFileSync(process.env.CODES, JSON.stringify(codes));
`;

/**
 * Runs commands one after the other, with the data folder `home` in `folder`: their exit codes, and all that they wrote to
 * stdout and stderr. Of this process's variables they get what they need to run: a key of whoever runs the tests must not
 * reach them.
 */
export const typeIn = (
  folder: string,
  commands: readonly Command[],
): Promise<{ codes: number[]; out: string; err: string }> =>
  new Promise((settle, reject) => {
    const codesFile = join(folder, 'exit-codes.json');
    const env = {
      PATH: process.env['PATH'] ?? '',
      XDG_CONFIG_HOME: process.env['XDG_CONFIG_HOME'] ?? '',
      // Without it a process compiles all sources anew, which takes two thirds of its start.
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
      HOME: folder,
      INIT_CWD: folder,
      INTERJECT_HOME: join(folder, 'home'),
      COMMANDS: JSON.stringify(commands),
      CODES: codesFile,
    };
    const script = join(folder, 'commands.mjs');
    writeFileSync(script, SCRIPT);
    execFile(process.execPath, [script], { env, maxBuffer: 64 * 1024 * 1024 }, (error, out, err) => {
      if (error !== null) return reject(error);
      settle({ codes: JSON.parse(readFileSync(codesFile, 'utf8')) as number[], out, err });
    });
  });
