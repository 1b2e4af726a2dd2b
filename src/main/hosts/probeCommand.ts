// `interject verify --probe`: whether the verifiers of a data folder are worth asking, task by task.
import { join } from 'node:path';
import { failureShape } from '../../shared/failure.ts';
import { normalizeScenario } from '../../shared/wire.ts';
import { seedDatabase, type SeededDatabase } from '../state/seed.ts';
import { createAwmData, type AwmData } from '../environments/awmData.ts';
import { probe } from '../verifier/verdict.ts';
import type { Sandbox } from '../verifier/sandbox.ts';
import { nodeEdges } from './edges.ts';
import type { CommandOutput } from './output.ts';
import { productFolder } from './paths.ts';
import { probeLines, type ProbedTask, type ProbeFinding } from './probeLines.ts';

/**
 * One JSON line a task; for people, the tasks by what was found of them. Resolves with 1 when a task could not be
 * probed; a poor verifier is a finding, not a failure.
 */
export async function probeCommand(
  awmData: string,
  { scenario, task }: { scenario?: string; task?: number },
  output: CommandOutput,
): Promise<number> {
  const data = createAwmData(awmData);
  const { get, close } = nodeEdges((text) => output.say(text)).sandbox(join(productFolder(), 'resources'));
  const wanted = (await data.tasks()).filter(
    (one) =>
      (scenario === undefined || normalizeScenario(one.scenario) === normalizeScenario(scenario)) &&
      (task === undefined || one.task_idx === task),
  );
  const findings: ProbedTask[] = [];
  try {
    const empty = seedDatabase([]).image;
    // Tasks of a scenario follow each other: its first database is made once for all of them.
    let scenario = '';
    let seeded: SeededDatabase | null = null;
    for (const [done, one] of wanted.entries()) {
      output.gone.throwIfAborted();
      if (one.scenario !== scenario) {
        scenario = one.scenario;
        seeded = await seededOf(data, scenario);
      }
      const found = await probed(data, get(), one, seeded, empty);
      findings.push({ task: `${one.scenario} ${String(one.task_idx)}`, ...found });
      output.line({ type: 'probe', scenario: one.scenario, task_idx: one.task_idx, ...found });
      if ((done + 1) % 10 === 0) output.say(`${String(done + 1)} of ${String(wanted.length)} tasks`);
    }
  } finally {
    close();
  }
  for (const line of probeLines(findings)) output.say(line);
  for (const problem of await data.problems()) output.say(`not read: ${problem}`);
  return findings.some((found) => 'problem' in found) ? 1 : 0;
}

/** A scenario's first database; null where the data does not hold it. */
export async function seededOf(data: AwmData, scenario: string): Promise<SeededDatabase | null> {
  const statements = await data.seed(scenario);
  return statements === null ? null : seedDatabase(statements);
}

/** What is found of a task's verifier without any server. */
export async function probed(
  data: AwmData,
  sandbox: Sandbox,
  { scenario, task_idx }: { scenario: string; task_idx: number },
  seeded: SeededDatabase | null,
  empty: Uint8Array,
): Promise<ProbeFinding> {
  try {
    const [verifier] = await data.find(scenario, task_idx);
    if (verifier === undefined || seeded === null) {
      return { problem: 'the data does not hold its verifier and its database', code: 'not_found' };
    }
    const found = await probe(sandbox, verifier.code, seeded.image, empty);
    if (found.untold !== null) return { form: verifier.form, ...found.untold };
    return {
      form: verifier.form,
      passes_untouched: found.passesUntouched,
      passes_empty: found.passesEmpty,
      breaks: found.breaks,
      rows_repaired: seeded.problems.filter(({ is_repaired: isRepaired }) => isRepaired).length,
      rows_lost: seeded.problems.filter(({ is_repaired: isRepaired }) => !isRepaired).length,
    };
  } catch (thrown) {
    const { code, message } = failureShape(thrown);
    return { problem: message, code };
  }
}
