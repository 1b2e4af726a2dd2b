// The desktop app's flags: those of `interject serve` that mean something with a window.
import { Command, CommanderError } from 'commander';
import { Failure } from '../../shared/failure.ts';
import { LINK_SCHEME } from '../../shared/deepLink.ts';
import { portNumber } from '../hosts/commandFlags.ts';

export type DesktopFlags = {
  data: string | undefined;
  awmData: string | undefined;
  /** Null where none was named: the usual one then, or any where that is taken. */
  port: number | null;
  /** The window is opened; without it the app waits in the tray. */
  isOpening: boolean;
};

/**
 * Reads the arguments after the program's own. Links and the switches of Chromium (`--no-sandbox`, `--enable-…`) are
 * passed over. Throws `bad_input` for a value that does not fit.
 */
export function desktopFlags(args: readonly string[]): DesktopFlags {
  const command = new Command('interject')
    .exitOverride()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
    .allowUnknownOption()
    .allowExcessArguments()
    .option('--data <dir>')
    .option('--awm-data <dir>')
    .option('--port <n>', '', portNumber)
    .option('--no-open');
  try {
    command.parse(
      args.filter((one) => !one.startsWith(`${LINK_SCHEME}:`)),
      { from: 'user' },
    );
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    throw new Failure('bad_input', thrown.message.replace(/^error: /, ''), {
      cause: thrown,
      next: 'The desktop app takes --data DIR, --port N, --no-open and --awm-data DIR.',
    });
  }
  const given = command.opts<{
    data?: string;
    awmData?: string;
    port?: number;
    open: boolean;
  }>();
  return {
    data: given.data,
    awmData: given.awmData,
    port: given.port ?? null,
    isOpening: given.open,
  };
}
