// `interject verify`: an episode of the log, or the folder a run left behind, judged again offline.
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Failure } from '../../shared/failure.ts';
import { readSessionFolder } from '../state/sessionFolder.ts';
import { verdictAgreement } from '../verifier/agreement.ts';
import { createAwmData } from '../environments/awmData.ts';
import { runVerifier } from '../verifier/verdict.ts';
import { openCommandApp } from './commandApp.ts';
import { checkFolderExists } from './commandLog.ts';
import { nodeEdges } from './edges.ts';
import { installPackages } from './installPackages.ts';
import type { CommandOutput } from './output.ts';
import { dataFolderPath, fromCaller, productFolder } from './paths.ts';
import { probeCommand } from './probeCommand.ts';
import { readSettings } from './readSettings.ts';
import { verdictLines } from './verdictLines.ts';

export type VerifyOptions = {
  awmData?: string;
  data?: string;
  scenario?: string;
  task?: number;
  probe?: boolean;
  installPackages?: boolean;
};

/** Resolves with the exit code: 0 when the verifier gave a verdict that the log does not contradict, else 1. */
export async function verifyCommand(
  options: VerifyOptions,
  output: CommandOutput,
  what: string,
): Promise<number> {
  if (options.installPackages === true) {
    installPackages(output);
    if (what === '' && options.probe !== true) return 0;
  }
  const { data, awmData: named } = options;
  const settings = await readSettings({
    ...(data === undefined ? {} : { data }),
    ...(named === undefined ? {} : { awmData: named }),
  });
  const { folder: awmData } = settings.awmData();
  if (options.probe === true) return probeCommand(awmData, options, output);
  if (what === '') throw new Failure('bad_input', 'name an episode or a folder, or use --probe');
  const folder = fromCaller(what);
  const isFolder = existsSync(folder) && lstatSync(folder).isDirectory();
  const found = isFolder
    ? await ofFolder(folder, awmData, options, output)
    : await ofEpisode(what, awmData, options, output);
  for (const line of verdictLines(found)) output.say(line);
  output.line({ type: 'verify', ...found });
  return found.result === null || found.agreement === 'contradicts' ? 1 : 0;
}

async function ofEpisode(episode: string, awmData: string, { data }: VerifyOptions, output: CommandOutput) {
  checkFolderExists(dataFolderPath(data));
  const app = await openCommandApp({ data, places: 1, roles: [] }, output);
  try {
    const verified = await app.call('episode.verify', { episode, awm_data: awmData });
    return { episode, ...verified };
  } finally {
    await app.close();
  }
}

/** What a run's trajectory says of its task and its answer, in either dialect. */
const Trajectory = z.looseObject({
  scenario: z.string().nullish(),
  task_idx: z.number().int().nullish(),
  task_id: z.number().int().nullish(),
  trajectory: z.array(z.looseObject({})).default([]),
});

async function ofFolder(folder: string, awmData: string, options: VerifyOptions, output: CommandOutput) {
  const trajectory = readTrajectory(join(folder, 'trajectory.json'));
  const scenario = options.scenario ?? trajectory?.scenario ?? null;
  const task_idx = options.task ?? trajectory?.task_idx ?? trajectory?.task_id ?? null;
  if (scenario === null || task_idx === null) {
    throw new Failure('bad_input', `${folder} does not say which task it was`, {
      next: 'Name it with --scenario NAME --task N.',
    });
  }
  const images = readSessionFolder(folder, scenario);
  const [verifier] = await createAwmData(awmData).find(scenario, task_idx);
  if (verifier === undefined) {
    throw new Failure('not_found', `${awmData} has no verifier for task ${String(task_idx)} of ${scenario}`, {
      next: 'Give another folder with --awm-data DIR.',
    });
  }
  const { sandbox: open } = nodeEdges((text) => output.say(text));
  const sandbox = open(join(productFolder(), 'resources'));
  try {
    const final_answer = trajectory === null ? null : finalAnswerIn(trajectory.trajectory);
    const logged = loggedOf(trajectory);
    // Nothing in the folder says when it was judged: a copied file has a date of its own.
    const input = { ...images, final_answer, at: null };
    const { form, ...verdict } = await runVerifier(sandbox.get(), verifier.code, input);
    const agreement = verdictAgreement(verdict, logged);
    const task = { scenario, task_idx };
    return { ...task, ...verdict, verifier: form, logged, agreement, clock_at: null };
  } finally {
    sandbox.close();
  }
}

function readTrajectory(file: string): z.infer<typeof Trajectory> | null {
  if (!existsSync(file)) return null;
  try {
    return Trajectory.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new Failure('bad_input', `${file} is no trajectory that can be read`, { cause });
  }
}

const VerifyStep = z.looseObject({
  action: z.literal('verify'),
  arguments: z.looseObject({ final_answer: z.string().nullish() }).nullish(),
  reward_type: z.string().nullish(),
});
const Final = z.looseObject({ is_final: z.literal(true), content: z.string() });

/** The answer the verifier was given then, or the agent's last word. */
function finalAnswerIn(items: readonly unknown[]): string | null {
  const verified = items.findLast((item) => VerifyStep.safeParse(item).success);
  if (verified !== undefined) return VerifyStep.parse(verified).arguments?.final_answer ?? null;
  const final = items.findLast((item) => Final.safeParse(item).success);
  return final === undefined ? null : Final.parse(final).content;
}

function loggedOf(trajectory: z.infer<typeof Trajectory> | null): string | null {
  const verified = trajectory?.trajectory.findLast((item) => VerifyStep.safeParse(item).success);
  return verified === undefined ? null : (VerifyStep.parse(verified).reward_type ?? null);
}
