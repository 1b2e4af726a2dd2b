// The `interject` command: its words, its flags, its exit codes. One object a line with --json.
import http from 'node:http';
import { Command, CommanderError, Option } from 'commander';
import { createOutput, exitCodeOf, type CommandOutput, ReaderGone, watchReaders } from './output.ts';
import { benchCommand, addBenchFlags, type BenchOptions } from './benchCommand.ts';
import { addSplitFlags, splitCommand, type SplitOptions } from './benchSplit.ts';
import { backupCommand, type BackupOptions } from './backupCommand.ts';
import { eraseCommand, type EraseOptions } from './eraseCommand.ts';
import { exportCommand } from './exportCommand.ts';
import { exportFlags, type ExportOptions } from './exportOptions.ts';
import { addInviteFlags, inviteCommand, type InviteOptions } from './inviteCommand.ts';
import { importCommand, type ImportOptions } from './importCommand.ts';
import { doctor, type DoctorOptions } from './doctor.ts';
import {
  addEnvironmentFlags,
  addRunFlags,
  integerFrom,
  SPLIT_HELP,
  parseNumber,
  portNumber,
} from './commandFlags.ts';
import { GATEWAY_PORT } from './ports.ts';
import { repairCommand, type RepairOptions } from './repairCommand.ts';
import { reportCommand, type ReportOptions } from './reportCommand.ts';
import { runCommand, type RunOptions } from './runCommand.ts';
import { serveUntilStopped, type ServeOptions } from './serve.ts';
import { writeHelp } from './terminal.ts';
import { VERSION } from './version.ts';
import { worldList, worldServe, worldCheck } from './world.ts';
import { Failure } from '../../shared/failure.ts';
import { editDistance } from '../../shared/nearest.ts';
import { proxyVariable } from '../openenv/proxy.ts';

type Flags = Record<string, unknown> & { json?: boolean };

/** Runs the command line. Resolves with the exit code: 0 done, 1 the work failed, 2 wrong usage. */
export async function main(argv: readonly string[]): Promise<number> {
  let code = 0;
  setUpProxies(process.env);
  const readers = watchReaders();
  const action =
    <O extends Flags>(work: (options: O, output: CommandOutput, ...args: string[]) => Promise<number>) =>
    async (...given: unknown[]): Promise<void> => {
      const command = given.at(-1) as Command;
      const options = command.opts<O>();
      const output = createOutput(options.json === true, readers);
      try {
        code = await work(options, output, ...command.args);
      } catch (thrown) {
        code = thrown instanceof ReaderGone ? 1 : exitCodeOf(output.fail(thrown));
      }
    };
  const program = createProgram(action);
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode === 0) return 0;
    const output = createOutput(argv.includes('--json'), readers);
    const isBare = thrown.code === 'commander.help';
    if (isBare && !output.isJson) output.say(program.helpInformation());
    output.fail(
      isBare ? NO_COMMAND : (unknownFlag(program, argv) ?? usageFailure(thrown, typedCommand(program, argv))),
    );
    return 2;
  } finally {
    readers.close();
  }
  return code;
}

type CommandAction = <O extends Flags>(
  work: (options: O, output: CommandOutput, ...args: string[]) => Promise<number>,
) => (...given: unknown[]) => Promise<void>;

/** Every command with its flags. */
export function createProgram(action: CommandAction): Command {
  const program = new Command('interject')
    .description('A human expert steps into live agent episodes; every intervention becomes training data.')
    .version(VERSION)
    .exitOverride()
    .configureOutput({ writeOut: writeHelp, writeErr: () => undefined })
    .showHelpAfterError(false)
    .enablePositionalOptions();
  addServe(program, action);
  addRunFlags(withCommon(program.command('run')))
    .description('run episodes, with or without a person at the desk')
    .action(action((options: Flags & RunOptions, output) => runCommand(options, output)));
  addBench(program, action);
  addWorld(program, action);
  addImport(program, action);
  addExport(program, action);
  addReport(program, action);
  addErase(program, action);
  addInviteFlags(withCommon(program.command('invite'))).action(
    action((options: Flags & InviteOptions, output, who = '') => inviteCommand(options, output, who)),
  );
  addBackup(program, action);
  addRepair(program, action);
  addEnvironmentFlags(withCommon(program.command('doctor')))
    .description('say what works here, what does not, and why')
    .option(
      '--env <url>',
      'also audit this environment: what run needs, and what else it promises; Ctrl+C cancels',
    )
    .option(
      '--env-dir <dir>',
      'also check the folder of an environment: its openenv.yaml and the files it names',
    )
    .addOption(
      new Option(
        '--model <role>',
        'also ask this model what it can do: seven small requests, at most 1200 tokens in and 5100 out',
      ).choices(['agent', 'expert']),
    )
    .option(
      '--awm-data <dir>',
      'also read all of this Agent World Model data (else AWM_DATA_DIR, else the settings)',
    )
    .option('--bundle <file>', 'write what helps to find a fault: counts and codes, no texts, no keys')
    .action(action((options: Flags & DoctorOptions, output) => doctor(options, output)));
  return program;
}

const AWM_DATA_HELP =
  'Agent World Model data, for success criteria and answer keys (else AWM_DATA_DIR, else the settings)';
const withCommon = (command: Command): Command =>
  command
    .option('--data <dir>', 'data folder (else INTERJECT_HOME, else the platform’s own)')
    .option('--json', 'one JSON object per line on stdout');

function addServe(program: Command, action: CommandAction): void {
  addEnvironmentFlags(withCommon(program.command('serve')))
    .description('serve the console without a window')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <n>', 'port to listen on; 0 picks a free one', portNumber, GATEWAY_PORT)
    .option(
      '--env <url>',
      'an OpenEnv server to tap (may be given more than once)',
      (url: string, all: string[]) => [...all, url],
      [],
    )
    .option('--tap-act', 'people may change what tapped agents do; their turns are marked')
    .option('--mcp', 'open the MCP door')
    .option('--awm-data <dir>', AWM_DATA_HELP)
    .option('--tls-cert <file>', 'certificate (PEM) to serve TLS with')
    .option('--tls-key <file>', 'its private key (PEM)')
    .option('--split <file>', SPLIT_HELP)
    .option('--keep-serving', 'on Ctrl+C the tap serves clients on until they leave')
    .option(
      '--no-go-on',
      'episodes that were running when Interject was killed end as interrupted instead of going on',
    )
    .option('--keep-settings', 'invites, keys and addresses of a data folder that was made elsewhere hold')
    .option('--no-keep-settings', 'they are removed; unsaid, the desk asks')
    .option('--no-open', 'do not open a browser')
    .option('--concurrency <k>', 'episodes that run at once', integerFrom(1), 64)
    .action(
      action((options: Flags & ServeOptions & { open: boolean; concurrency: number }, output) =>
        serveUntilStopped({ ...options, isOpening: options.open, places: options.concurrency }, output),
      ),
    );
}

function addBench(program: Command, action: CommandAction): void {
  const bench = addBenchFlags(withCommon(program.command('bench')))
    .description(
      'run the same tasks in several arms, and say what the difference is worth; or what answers were worth (--from-questions)',
    )
    .action(action((options: Flags & BenchOptions, output) => benchCommand(options, output)));
  addSplitFlags(withCommon(bench.command('split'))).action(
    action((options: Flags & SplitOptions, output) => splitCommand(options, output)),
  );
}

function addWorld(program: Command, action: CommandAction): void {
  const world = program.command('world').description('built-in worlds: serve, list, check');
  world
    .command('serve', { isDefault: true })
    .description('serve every built-in world as an OpenEnv server')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <n>', 'port to listen on; 0 picks a free one', portNumber, 8899)
    .option('--sessions <dir>', 'where kept sessions go (a temporary folder otherwise)')
    .option('--capacity <n>', 'sessions at once', integerFrom(1))
    .option('--json', 'one JSON object per line on stdout')
    .action(
      action(
        (options: Flags & { host: string; port: number; sessions?: string; capacity?: number }, output) =>
          worldServe(options, output),
      ),
    );
  world
    .command('list')
    .description('list the packs')
    .option('--json', 'one JSON object per line on stdout')
    .action(action((_options: Flags, output) => worldList(output)));
  world
    .command('check [name]')
    .description(
      'prove a world by name or folder, or all: every reference passes, nothing less or near it does',
    )
    .option('--json', 'one JSON object per line on stdout')
    .action(action((_options: Flags, output, name?: string) => worldCheck(name, output)));
}

function addErase(program: Command, action: CommandAction): void {
  withCommon(program.command('erase'))
    .description('take an episode’s texts, or one text, out of the log for good; a tombstone stays')
    .argument('<episode>', 'its id')
    .option(
      '--text-file <file>',
      'only the text in this file, wherever it stands in the episode (- for stdin)',
    )
    .option('--reason <why>', 'kept in the log')
    .action(
      action((options: Flags & EraseOptions, output, episode = '') => eraseCommand(options, output, episode)),
    );
}

function addBackup(program: Command, action: CommandAction): void {
  withCommon(program.command('backup'))
    .description('copy the data folder and prove the copy whole; works while Interject is open')
    .option('--out <dir>', 'an empty folder, which then opens with --data')
    .option('--keys', 'take the keys along')
    .action(action((options: Flags & BackupOptions, output) => backupCommand(options, output)));
}

function addRepair(program: Command, action: CommandAction): void {
  withCommon(program.command('repair'))
    .description('save what can be read of a damaged data folder; it is not changed')
    .option('--out <dir>', 'an empty folder for what can be read; the rest is listed')
    .option('--accept-loss', 'go on with a log that reads well but has lost its end, or is an older backup')
    .action(action((options: Flags & RepairOptions, output) => repairCommand(options, output)));
}

function addImport(program: Command, action: CommandAction): void {
  withCommon(program.command('import <path...>'))
    .description('read logs of other tools into the log; the format is recognised by its content')
    .option('--lossy', 'take in episodes of which less than half can be read')
    .option(
      '--strict',
      'exit 1 where text or a label of a file, or a row or value of a trainer’s log, was not read',
    )
    .option('--name <run>', 'the training run that a trainer’s log joins (else the file’s name)')
    .action(
      action((options: Flags & ImportOptions, output, ...paths: string[]) =>
        importCommand(paths, options, output),
      ),
    );
}

function addExport(program: Command, action: CommandAction): void {
  const command = withCommon(program.command('export')).description(
    'write interventions as training data; or the log itself, the files it was imported from, what reviewers said',
  );
  command.addHelpText(
    'after',
    '\n--format events writes the bare log; with --rules, --check, --despite, --kit or a rule about rows it writes the\n' +
      'data set folder that the console writes, with its card.',
  );
  exportFlags(command, { whole: integerFrom, number: parseNumber }).action(
    action((options: Flags & ExportOptions, output) => exportCommand(options, output)),
  );
}

function addReport(program: Command, action: CommandAction): void {
  withCommon(program.command('report'))
    .description(
      'a training run, a bench, a lift or an episode as Markdown, figures (SVG, PNG) and results_summary.json',
    )
    .argument(
      '<run>',
      'name of a run, a bench or a lift, an episode’s id, a trainer’s log, a split, a results_summary.json, or `example`',
    )
    .option('--out <dir>', 'an empty folder, or one of an earlier report')
    .option('--with <runs...>', 'up to five more training runs, in the same figures')
    .option(
      '--phases',
      'of a training run: the share of rollouts that the recipe’s phases would have given an expert',
    )
    .action(
      action((options: Flags & ReportOptions, output, run = '') => reportCommand(run, options, output)),
    );
}

const NO_COMMAND = new Failure('bad_input', 'no command was given', {
  next: 'For the console: `interject serve`. Every command: `interject --help`.',
});

const usageFailure = ({ message }: CommanderError, typed: string): Failure =>
  new Failure('bad_input', message.replace(/^error: /, ''), { next: `See \`${typed} --help\`.` });

/**
 * The first flag that no command knows, with the nearest that there is: said before anything that a flag so mistyped is
 * missed for. Null where all are known.
 */
function unknownFlag(program: Command, argv: readonly string[]): Failure | null {
  const path = typedPath(program, argv);
  const typed = nameOf(path);
  const known = new Map(
    path.flatMap(({ options }) =>
      options.flatMap((option) =>
        [option.long, option.short].flatMap((flag) => (flag ? [[flag, option] as const] : [])),
      ),
    ),
  );
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (word === '--') return null;
    const [flag = ''] = word.split('=');
    if (!/^--[a-z]/i.test(flag) || flag === '--help') continue;
    const option = known.get(flag);
    if (option === undefined) {
      const nearest = nearestOf(flag, [...known.keys()]);
      return new Failure('bad_input', `there is no flag ${flag}`, {
        next:
          nearest === null ? `See \`${typed} --help\`.` : `Did you mean ${nearest}? See \`${typed} --help\`.`,
      });
    }
    // The value of a flag may look like one.
    if (option.required && !word.includes('=')) at += 1;
  }
  return null;
}

/** Not more than a third of its letters apart. */
function nearestOf(flag: string, known: readonly string[]): string | null {
  const [best] = known
    .map((one) => ({ one, apart: editDistance(flag, one) }))
    .filter(({ apart }) => apart <= Math.max(1, Math.floor(flag.length / 3)))
    .toSorted((a, b) => a.apart - b.apart);
  return best?.one ?? null;
}

/** The program, and the command of it that was typed: `interject`, `world`, `check`. */
function typedPath(program: Command, argv: readonly string[]): Command[] {
  const path = [program];
  for (const word of argv) {
    const next = path.at(-1)?.commands.find((one) => one.name() === word);
    if (next !== undefined) path.push(next);
    else if (!word.startsWith('-')) break;
  }
  return path;
}

/** Its whole name: `interject world check`. */
const typedCommand = (program: Command, argv: readonly string[]): string => nameOf(typedPath(program, argv));

const nameOf = (path: readonly Command[]): string => path.map((one) => one.name()).join(' ');

type SetUpProxies = (variables: { https_proxy: string; no_proxy: string }) => () => void;

/** Does nothing without HTTPS_PROXY, and with a Node that cannot (before 24.14). Returns its undo. */
export function setUpProxies(variables: Readonly<Record<string, string | undefined>>): () => void {
  const proxy = proxyVariable(variables, 'HTTPS_PROXY');
  const setGlobal = (http as { setGlobalProxyFromEnv?: SetUpProxies }).setGlobalProxyFromEnv;
  if (proxy === '' || setGlobal === undefined) return () => undefined;
  return setGlobal({ https_proxy: proxy, no_proxy: proxyVariable(variables, 'NO_PROXY') });
}
