// The command line in the test's own process: the same `main`, without the second that a process takes to start. For
// tests of what a command does and says; what a process does when it is killed is tested with one.
import { main } from '../../src/main/hosts/main.ts';

type Line = Record<string, unknown>;
/** `lines` are what `--json` wrote, `said` what a person reads. */
export type CommandResult = { code: number; lines: Line[]; said: string };

/** Runs one command with `--json` as it is typed in `folder`. */
export async function runInProcess(folder: string, args: readonly string[]): Promise<CommandResult> {
  const { code, written, said } = await runCommand(folder, args);
  const lines = written === '' ? [] : written.split('\n').map((line) => JSON.parse(line) as Line);
  return { code, lines, said };
}

/** Runs one command as it is typed in `folder`. One at a time: it takes what is written to stdout and stderr. */
export async function runCommand(
  folder: string,
  args: readonly string[],
): Promise<{ code: number; written: string; said: string }> {
  const { INIT_CWD: before } = process.env;
  const [out, err] = [captured(process.stdout), captured(process.stderr)];
  process.env['INIT_CWD'] = folder;
  try {
    const code = await main([...args]);
    return { code, written: out.text().trim(), said: err.text() };
  } finally {
    out.restore();
    err.restore();
    if (before === undefined) delete process.env['INIT_CWD'];
    else process.env['INIT_CWD'] = before;
  }
}

function captured(stream: NodeJS.WriteStream): { text: () => string; restore: () => void } {
  const chunks: string[] = [];
  const own = stream.write.bind(stream);
  stream.write = (chunk: string | Uint8Array): boolean => {
    chunks.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'));
    return true;
  };
  return {
    text: () => chunks.join(''),
    restore: () => {
      stream.write = own;
    },
  };
}
