// Real processes of Node that run a few lines against the product's source, and what they said.
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** Code for a module of its own; `src` is the address of the source folder. */
export const childCode = (code: string): string[] => [
  '--disable-warning=ExperimentalWarning',
  '--input-type=module',
  '-e',
  `const src = ${JSON.stringify(`file://${join(root, 'src')}`)};\n${code}`,
];

export type Child = {
  process: ChildProcess;
  /** Resolves with the next line it prints; null when it ends without one. */
  line(): Promise<string | null>;
  /** Resolves when it has ended: its exit code, or null after a signal. */
  ended: Promise<number | null>;
  say(text: string): void;
};

/** Starts Node on `code`; `before` are words of a command to start it under, as `unshare`. */
export function startChild(
  code: string,
  args: readonly string[] = [],
  before: readonly string[] = [],
): Child {
  const [command = '', ...words] = [...before, process.execPath, ...childCode(code), ...args];
  const child = spawn(command, words, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: string[] = [];
  let waiting: ((line: string | null) => void) | null = null;
  let rest = '';
  let isOver = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const all = (rest + text).split('\n');
    rest = all.pop() ?? '';
    lines.push(...all);
    if (lines.length > 0) waiting?.(lines.shift() ?? null);
  });
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', (exit) => {
      isOver = true;
      waiting?.(null);
      resolve(exit);
    });
  });
  return {
    process: child,
    ended,
    say: (text) => void child.stdin.write(`${text}\n`),
    line: () => {
      if (lines.length > 0 || isOver) return Promise.resolve(lines.shift() ?? null);
      return new Promise((resolve) => {
        waiting = (line) => {
          waiting = null;
          resolve(line);
        };
      });
    },
  };
}
