// `interject doctor`: what works on this machine, what does not, and why. Looks, changes nothing.
import { countText } from '../../shared/countText.ts';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { sandboxProblem } from '../../../scripts/parts/chromiumSandbox.mjs';
import { electronBinary } from '../../../scripts/parts/desktop.mjs';
import { failureShape, failureText } from '../../shared/failure.ts';
import type { ModelRole } from '../../shared/modelConfig.ts';
import { checkRuntime } from '../log/runtime.ts';
import { readPrompts } from '../settings/prompts.ts';
import type { SettingsStore } from '../settings/settings.ts';
import { packFolders, readPack } from '../worlds/pack.ts';
import { checkPack, type PackCheck } from '../worlds/check.ts';
import { checkFlights } from '../worlds/thrusters/check.ts';
import { NAME as ACTION_WORLD } from '../worlds/thrusters/tasks.ts';
import { AWM_DATA, awmChecks } from './awmChecks.ts';
import { writeBundle, type BundleCheckLine } from './bundle.ts';
import { environmentChecks, packageChecks, type Place } from './environmentChecks.ts';
import { environmentFlags, type EnvironmentOptions } from './environmentFlags.ts';
import { folderChecks } from './folderChecks.ts';
import { modelChecks } from './modelChecks.ts';
import { GATEWAY_PORT, isPortFree } from './ports.ts';
import { readSettings } from './readSettings.ts';
import { tapPortBeside } from './serve.ts';
import type { CommandOutput } from './output.ts';
import { untilStopped } from './untilStopped.ts';
import { dataFolderPath, fromCaller, packsFolder, productFolder } from './paths.ts';
import { throwIfReaderGone } from './readers.ts';

export type DoctorOptions = EnvironmentOptions & {
  data?: string;
  env?: string;
  envDir?: string;
  awmData?: string;
  bundle?: string;
  model?: ModelRole;
};
type CheckStatus = 'pass' | 'warn' | 'fail';
type DoctorCheck = { name: string; run: () => Promise<{ status: CheckStatus; evidence: string }> };

const passCheck = (evidence: string) => ({ status: 'pass' as const, evidence });
const warnCheck = (evidence: string) => ({ status: 'warn' as const, evidence });

/** Runs every check. Exit code 1 when one failed; warnings are about what is optional. */
export async function doctor(options: DoctorOptions, output: CommandOutput): Promise<number> {
  let hasFailed = false;
  const lines: BundleCheckLine[] = [];
  const report = ({ name, status, evidence }: BundleCheckLine): void => {
    hasFailed ||= status === 'fail';
    // Statements and names of a data set are texts, which a bundle has none of.
    lines.push({ name, status, evidence: name.startsWith(AWM_DATA) ? '' : evidence });
    output.line({ type: 'check', name, status, evidence });
    output.say(`${status}  ${name}: ${evidence}`);
  };
  for (const { name, run } of checksOf(options)) {
    await throwIfReaderGone(output);
    const { status, evidence } = await run().catch((thrown: unknown) => {
      return { status: 'fail' as const, evidence: failureText(failureShape(thrown)) };
    });
    report({ name, status, evidence });
  }
  const { env, envDir } = options;
  const settings = await readSettings(options);
  const place = env === undefined ? null : { url: env, settings, flags: environmentFlags(options) };
  if (envDir !== undefined) for (const line of await packageChecks(fromCaller(envDir), place)) report(line);
  if (place !== null && (await auditUntilStopped(place, report, output))) return CANCELLED;
  if (options.model !== undefined) {
    const config = settings.model(options.model);
    for await (const line of modelChecks(options.model, config, (text) => output.say(text))) report(line);
  }
  for await (const line of awmChecks(awmPlace(settings))) report(line);
  if (options.bundle !== undefined) {
    const file = fromCaller(options.bundle);
    writeBundle(file, dataFolderPath(options.data), lines);
    output.line({ type: 'bundle', file });
    output.say(`what helps to find a fault is in ${file}: counts and codes, no texts, no keys`);
  }
  return hasFailed ? 1 : 0;
}

/** Exit code of a command that Ctrl+C ended, as shells have it. */
const CANCELLED = 130;

/** Whether a person broke it off. */
const auditUntilStopped = (
  place: Place,
  report: (line: BundleCheckLine) => void,
  output: CommandOutput,
): Promise<boolean> =>
  untilStopped(output, async (signal) => {
    for await (const line of environmentChecks(place, { signal, say: (text) => output.say(text) }))
      report(line);
    if (signal.aborted) {
      output.line({ type: 'cancelled' });
      output.say('cancelled: the environment’s other checks were not made');
    }
    return signal.aborted;
  });

function checksOf(options: DoctorOptions): DoctorCheck[] {
  const { data } = options;
  const product = productFolder();
  const folder = dataFolderPath(data);
  return [
    {
      name: 'runtime',
      run: async () => {
        checkRuntime();
        return passCheck(`Node ${process.version}, Node-API ${process.versions['napi'] ?? ''}`);
      },
    },
    {
      name: 'build',
      run: async () =>
        existsSync(join(product, 'out', 'renderer', 'index.html'))
          ? passCheck('the console is built')
          : { status: 'fail', evidence: 'the console is not built; run `npm run build`' },
    },
    ...folderChecks(folder),
    {
      name: 'prompts',
      run: async () =>
        passCheck(`complete, ${readPrompts(join(product, 'resources', 'prompts')).sha256.slice(0, 12)}`),
    },
    ...packFolders(packsFolder()).map((pack): DoctorCheck => ({
      name: `world ${basename(pack)}`,
      run: () => (basename(pack) === PROVEN_WORLD ? proveWorld(pack) : loadWorld(pack)),
    })),
    { name: `world ${ACTION_WORLD}`, run: async () => proven(checkFlights()) },
    ...(['agent', 'expert'] as const).map((role): DoctorCheck => ({
      name: `${role} model`,
      run: async () => model(role, await readSettings(options)),
    })),
    { name: 'gateway ports', run: gatewayPorts },
    { name: 'desktop', run: async () => desktop() },
  ];
}

/** Proving a pack takes seconds, so one is proven, and the others are loaded. */
const PROVEN_WORLD = 'loomline_workflows';

const proveWorld = async (folder: string) => proven((await checkPack(folder)).checks);

function proven(checks: readonly PackCheck[]) {
  const failed = checks.filter(({ status }) => status === 'fail');
  return failed.length === 0
    ? passCheck(countText(checks.length, 'check'))
    : { status: 'fail' as const, evidence: failed.map(({ name }) => name).join(', ') };
}

async function loadWorld(folder: string) {
  const pack = readPack(folder);
  pack.image();
  return passCheck(
    `${countText(pack.tasks.length, 'task')}; \`interject world check ${pack.name}\` proves them`,
  );
}

function model(role: ModelRole, settings: SettingsStore) {
  const config = settings.model(role);
  if (config !== null) return passCheck(`${config.model} (${config.provider})`);
  return warnCheck(
    role === 'agent'
      ? 'none is set: only the rehearsal agent can act'
      : 'none is set: drafts come from the rules of built-in worlds',
  );
}

async function gatewayPorts() {
  const ports = [GATEWAY_PORT, tapPortBeside(GATEWAY_PORT)];
  const free = await Promise.all(ports.map(isPortFree));
  const taken = ports.filter((_, at) => free[at] !== true);
  return taken.length === 0
    ? passCheck(`${ports.join(' and ')} are free`)
    : warnCheck(
        `${taken.join(' and ')} in use, by an Interject that is open or by something else: --port chooses another`,
      );
}

function desktop() {
  const require = createRequire(import.meta.url);
  try {
    const binary = electronBinary(dirname(dirname(dirname(require.resolve('electron/package.json')))));
    if (binary === null)
      return warnCheck('Electron’s binary is not installed: the console opens in a browser');
    const problem = sandboxProblem(binary);
    if (problem === null) return passCheck('Electron is installed');
    return warnCheck(
      `${problem.reason}: the console opens in a browser. For the desktop app, run once: ${problem.remedy.join(' ')}`,
    );
  } catch {
    return warnCheck('Electron is not installed: the console opens in a browser');
  }
}

/** The folder that runs would read, and whether somebody named it. */
function awmPlace(settings: SettingsStore): { folder: string; isNamed: boolean } {
  const { folder, from } = settings.awmData();
  return { folder, isNamed: from !== 'default' };
}
