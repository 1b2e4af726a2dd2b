// `interject doctor`: what works on this machine, what does not, and why. Looks, changes nothing.
import { countText } from '../../shared/countText.ts';
import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { sandboxProblem } from '../../../scripts/parts/chromiumSandbox.mjs';
import { electronBinary } from '../../../scripts/parts/desktop.mjs';
import { failureShape, failureText, Failure } from '../../shared/failure.ts';
import type { ModelRole, ModelConfig } from '../../shared/modelConfig.ts';
import { checkRuntime } from '../log/runtime.ts';
import { readPrompts } from '../settings/prompts.ts';
import type { SettingsStore } from '../settings/settings.ts';
import { packFolders, readPack } from '../worlds/pack.ts';
import { checkPack, type PackCheck } from '../worlds/check.ts';
import { checkFlights } from '../worlds/thrusters/check.ts';
import { NAME as ACTION_WORLD } from '../worlds/thrusters/tasks.ts';
import { environmentFlags, type EnvironmentOptions, connectionText } from './commandFlags.ts';
import { folderChecks, passFinding, warnFinding } from './folderChecks.ts';
import { GATEWAY_PORT, isPortFree } from './ports.ts';
import { readSettings } from './readSettings.ts';
import { tapPortBeside } from './serve.ts';
import { type CommandOutput, throwIfReaderGone } from './output.ts';
import { untilStopped } from './playRun.ts';
import { dataFolderPath, fromCaller, packsFolder, productFolder } from './paths.ts';
import { serverSpec } from '../../shared/environmentKinds.ts';
import type { ServerConnection } from '../../shared/serverConnection.ts';
import { auditEnvironment } from '../environments/audit.ts';
import { askServers, openEnvServer } from '../environments/openenv.ts';
import { readAddress, type Address } from '../openenv/address.ts';
import { checkPackageFolder } from '../openenv/packageFolder.ts';
import { describeServer } from '../openenv/serverDescription.ts';
import { typedAddress } from '../settings/environments.ts';
import { ModelProbe, PROBE_COST } from '../../shared/contract/models.ts';
import { probeModel } from '../llm/probes.ts';
import { createTokens } from '../llm/tokenCommand.ts';
import { seedProblemText } from '../../shared/seed.ts';
import { seedDatabase } from '../state/seed.ts';
import { createAwmData, type AwmData } from '../environments/awmData.ts';
import { homedir } from 'node:os';
import { redactMessage } from '../../shared/redact/redact.ts';
import { logFacts } from '../log/logFacts.ts';
import { VERSION } from './version.ts';

export type DoctorOptions = EnvironmentOptions & {
  data?: string;
  env?: string;
  envDir?: string;
  awmData?: string;
  bundle?: string;
  model?: ModelRole;
};
type DoctorCheck = ReturnType<typeof folderChecks>[number];

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
  const { folder, from } = settings.awmData();
  for await (const line of awmChecks({ folder, isNamed: from !== 'default' })) report(line);
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

/** True if a person broke it off. */
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
        return passFinding(`Node ${process.version}, Node-API ${process.versions['napi'] ?? ''}`);
      },
    },
    {
      name: 'build',
      run: async () =>
        existsSync(join(product, 'out', 'renderer', 'index.html'))
          ? passFinding('the console is built')
          : { status: 'fail', evidence: 'the console is not built; run `npm run build`' },
    },
    ...folderChecks(folder),
    {
      name: 'prompts',
      run: async () =>
        passFinding(`complete, ${readPrompts(join(product, 'resources', 'prompts')).sha256.slice(0, 12)}`),
    },
    ...packFolders(packsFolder()).map((pack): DoctorCheck => ({
      name: `world ${basename(pack)}`,
      run: async () =>
        basename(pack) === PROVEN_WORLD ? proven((await checkPack(pack)).checks) : loadWorld(pack),
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

function proven(checks: readonly PackCheck[]) {
  const failed = checks.filter(({ status }) => status === 'fail');
  return failed.length === 0
    ? passFinding(countText(checks.length, 'check'))
    : { status: 'fail' as const, evidence: failed.map(({ name }) => name).join(', ') };
}

async function loadWorld(folder: string) {
  const pack = readPack(folder);
  pack.image();
  return passFinding(
    `${countText(pack.tasks.length, 'task')}; \`interject world check ${pack.name}\` proves them`,
  );
}

function model(role: ModelRole, settings: SettingsStore) {
  const config = settings.model(role);
  if (config !== null) return passFinding(`${config.model} (${config.provider})`);
  return warnFinding(
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
    ? passFinding(`${ports.join(' and ')} are free`)
    : warnFinding(
        `${taken.join(' and ')} in use, by an Interject that is open or by something else: --port chooses another`,
      );
}

function desktop() {
  const require = createRequire(import.meta.url);
  try {
    const binary = electronBinary(dirname(dirname(dirname(require.resolve('electron/package.json')))));
    if (binary === null)
      return warnFinding('Electron’s binary is not installed: the console opens in a browser');
    const problem = sandboxProblem(binary);
    if (problem === null) return passFinding('Electron is installed');
    return warnFinding(
      `${problem.reason}: the console opens in a browser. For the desktop app, run once: ${problem.remedy.join(' ')}`,
    );
  } catch {
    return warnFinding('Electron is not installed: the console opens in a browser');
  }
}

/** Told of a check that is still going on, first after this long and then every time it has passed again. */
const STILL_MS = 5_000;

/** Its address, and how it is reached. */
export type Place = { url: string; settings: SettingsStore; flags: Partial<ServerConnection> };

/** The address to show; from now on the settings know how it is reached. */
function shownPlace({ url, settings, flags }: Place): string {
  const shown = settings.useAddress(typedAddress(url));
  settings.useConnection(shown, flags);
  return shown;
}

function addressOf(place: Place): Address {
  const shown = shownPlace(place);
  return readAddress(place.settings.workingAddress(shown), place.settings.connectionOf(shown));
}

/** Checks the folder of an environment; with an address, also that its server says the same. */
async function packageChecks(folder: string, place: Place | null): Promise<BundleCheckLine[]> {
  const schema = place === null ? null : (await describeServer(addressOf(place))).schema;
  return checkPackageFolder(folder, schema).map(({ name, ...found }) => ({
    name: `environment folder, ${name}`,
    ...found,
  }));
}

/** Checks an address as `run` would; each part a line of its own. Ends early if the signal is aborted. */
async function* environmentChecks(
  place: Place,
  { signal, say }: { signal: AbortSignal; say: (text: string) => void },
): AsyncGenerator<BundleCheckLine> {
  const { settings } = place;
  const shown = shownPlace(place);
  const reached = connectionText(settings.connectionOf(shown));
  if (reached !== null)
    yield { name: `environment ${shown}, reached with`, status: 'pass', evidence: reached };
  const environment = openEnvServer(serverSpec('doctor', shown, shown), {
    workingAddress: settings.workingAddress,
    connectionOf: settings.connectionOf,
    ...askServers(),
    seed: () => Promise.resolve(null),
    taskSecrets: () => Promise.resolve({ secrets: null, missing: { message: '', next: null } }),
  });
  let running = { name: '', since: 0 };
  const still = setInterval(() => {
    const seconds = String(Math.round((performance.now() - running.since) / 1000));
    say(`…     environment ${shown}, ${running.name}: going on for ${seconds} s (Ctrl+C cancels)`);
  }, STILL_MS);
  const onBegin = (name: string): void => {
    running = { name, since: performance.now() };
    still.refresh();
  };
  try {
    for await (const { name, ...found } of auditEnvironment(environment, signal, { onBegin })) {
      yield { name: `environment ${shown}, ${name}`, ...found };
    }
  } finally {
    clearInterval(still);
  }
}

async function* modelChecks(
  role: ModelRole,
  config: ModelConfig | null,
  say: (text: string) => void,
): AsyncGenerator<BundleCheckLine> {
  const name = (probe: ModelProbe): string => `${role} model, ${probe.replaceAll('_', ' ')}`;
  if (config === null) {
    yield {
      name: name('answer'),
      status: 'fail',
      evidence: 'no model is set: see docs/models.md#naming-a-model',
    };
    return;
  }
  const { requests, input_tokens: input, output_tokens: out } = PROBE_COST;
  say(
    `Asking ${config.model} ${String(requests)} small questions: at most ${String(input)} tokens in and ${String(out)} out.`,
  );
  const stop = new AbortController();
  const cancel = (): void => stop.abort();
  process.once('SIGINT', cancel);
  const tokens = createTokens({ clock: Date.now });
  try {
    for (const probe of ModelProbe.options) {
      const { finding, evidence, failure } = await probeModel(probe, { config, tokens, signal: stop.signal });
      // One that does not answer cannot act; the rest is good to know.
      const isBroken = failure !== null || (finding !== 'yes' && probe === 'answer');
      yield { name: name(probe), status: isBroken ? 'fail' : finding === 'yes' ? 'pass' : 'warn', evidence };
      // What does not answer the first question answers none.
      if (failure !== null && probe === 'answer') return;
    }
  } finally {
    process.off('SIGINT', cancel);
  }
}

/** The start of the checks' names. */
const AWM_DATA = 'Agent World Model data';

/** Lines about single statements; the rest is counted. */
const LISTED_MAX = 20;

/** Nothing where no folder was named and none is at the usual place. */
export async function* awmChecks({
  folder,
  isNamed,
}: {
  folder: string;
  isNamed: boolean;
}): AsyncGenerator<BundleCheckLine> {
  if (!isNamed && !existsSync(folder)) return;
  const data = createAwmData(folder);
  const name = AWM_DATA;
  const read = await readAll(data);
  if ('failure' in read) {
    const { message, next } = read.failure;
    return yield { name, status: 'fail', evidence: `${message}. ${next ?? ''}` };
  }
  const { tasks, unread } = read;
  const found = `${countText(tasks.length, 'task')} with a verifier in ${folder}`;
  yield unread.length === 0
    ? { name, status: 'pass', evidence: found }
    : { name, status: 'warn', evidence: `${found}; not read: ${unread.slice(0, LISTED_MAX).join('; ')}` };
  const problems: string[] = [];
  const scenarios = await data.seeded();
  for (const scenario of scenarios) {
    const statements = await data.seed(scenario);
    if (statements === null) problems.push(`${scenario}: it has no sample rows`);
    else
      problems.push(
        ...seedDatabase(statements).problems.map((one) => `${scenario}, ${seedProblemText(one)}`),
      );
  }
  const made = `${String(scenarios.length)} first databases`;
  if (problems.length === 0) yield { name: `${name}, seeds`, status: 'pass', evidence: made };
  for (const evidence of problems.slice(0, LISTED_MAX)) {
    yield { name: `${name}, seeds`, status: 'warn', evidence };
  }
  const more = problems.length - LISTED_MAX;
  if (more > 0) {
    yield {
      name: `${name}, seeds`,
      status: 'warn',
      evidence: `${made}: ${String(more)} more statements like these`,
    };
  }
}

async function readAll(data: AwmData) {
  try {
    return { tasks: await data.tasks(), unread: await data.problems() };
  } catch (thrown) {
    return { failure: failureShape(thrown) };
  }
}

type BundleCheckLine = { name: string; status: string; evidence: string };

/** Contents of a bundle. Reads the log without taking the data folder. */
export const diagnosticsOf = (dataFolder: string, checks: readonly BundleCheckLine[]) => ({
  type: 'interject.diagnostics',
  version: VERSION,
  runtime: {
    node: process.version,
    napi: process.versions['napi'] ?? null,
    electron: process.versions['electron'] ?? null,
    platform: process.platform,
    arch: process.arch,
    memory_mb: Math.round(process.memoryUsage.rss() / 1024 / 1024),
  },
  checks: checks.map((check) => ({
    ...check,
    name: redacted(check.name, dataFolder),
    evidence: redacted(check.evidence, dataFolder),
  })),
  log: logFacts(join(dataFolder, 'interject.db')),
});

/** Writes the bundle as one JSON file. Throws `data_unwritable`. */
export function writeBundle(file: string, dataFolder: string, checks: readonly BundleCheckLine[]): void {
  const bundle = diagnosticsOf(dataFolder, checks);
  try {
    writeFileSync(file, `${JSON.stringify(bundle, null, 2)}\n`, { mode: 0o600 });
  } catch (cause) {
    throw new Failure('data_unwritable', `cannot write ${file}`, { cause, next: 'Choose another file.' });
  }
}

/** Folders, addresses, keys and long numbers out of a sentence of ours. */
export function redacted(text: string, dataFolder: string): string {
  return redactMessage(text)
    .replaceAll(dataFolder, '[data folder]')
    .replaceAll(homedir(), '[home]')
    .replaceAll(/\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s,;)]+/gi, '[address]')
    .replaceAll(/(?:\/[\w.@-]+){2,}|[A-Z]:\\[\w.\\@-]+/g, '[path]')
    .replaceAll(/\b(?:sk|pk|key|token|ghp|hf)[-_][\w-]{6,}/gi, '[key]')
    .replaceAll(/\b[\w-]{32,}\b/g, '[long word]')
    .replaceAll(/[\w.+-]{1,64}@[\w-]{1,63}\.[\w.]+/g, '[e-mail]');
}
