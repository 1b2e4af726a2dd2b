// Owns: `interject verify --probe`: whether the verifiers of a data folder are worth asking, task by task.
import { join } from 'node:path';
import { failureShape } from '../../shared/failure.ts';
import { normalizeScenario } from '../../shared/wire.ts';
import { seedDatabase, type Seeded } from '../state/seed.ts';
import { createAwmData, type AwmData } from '../verifier/awmData.ts';
import { probe } from '../verifier/verdict.ts';
import type { Sandbox } from '../verifier/sandbox.ts';
import { nodeEdges } from './edges.ts';
import type { Output } from './output.ts';
import { productFolder } from './paths.ts';

/** One line a task. Resolves with 1 when a task could not be probed; a poor verifier is a finding, not a failure. */
export async function probeCommand(
  awmData: string,
  { scenario, task }: { scenario?: string; task?: number },
  output: Output,
): Promise<number> {
  const data = createAwmData(awmData);
  const { get, close } = nodeEdges(() => undefined).sandbox(join(productFolder(), 'resources'));
  const wanted = (await data.tasks()).filter(
    (one) =>
      (scenario === undefined || normalizeScenario(one.scenario) === normalizeScenario(scenario)) &&
      (task === undefined || one.taskIdx === task),
  );
  let unprobed = 0;
  let untouched = 0;
  try {
    const empty = seedDatabase({ schema: [], inserts: [] }).image;
    // Tasks of a scenario follow each other: its first database is made once for all of them.
    let scenario = '';
    let seeded: Seeded | null = null;
    for (const [done, one] of wanted.entries()) {
      output.gone.throwIfAborted();
      if (one.scenario !== scenario) {
        scenario = one.scenario;
        seeded = await seededOf(data, scenario);
      }
      const found = await probed(data, get(), one, seeded, empty);
      if ('problem' in found) unprobed += 1;
      else if (found.passes_untouched) untouched += 1;
      output.line({ type: 'probe', scenario: one.scenario, task_idx: one.taskIdx, ...found });
      if ((done + 1) % 10 === 0) output.say(`${String(done + 1)} of ${String(wanted.length)} tasks`);
    }
  } finally {
    close();
  }
  const rest = unprobed === 0 ? '' : `, ${String(unprobed)} could not be probed`;
  output.say(`${String(wanted.length)} tasks: ${String(untouched)} pass when nothing was done${rest}`);
  return unprobed === 0 ? 0 : 1;
}

async function seededOf(data: AwmData, scenario: string): Promise<Seeded | null> {
  const statements = await data.seed(scenario);
  return statements === null ? null : seedDatabase(statements);
}

async function probed(
  data: AwmData,
  sandbox: Sandbox,
  { scenario, taskIdx }: { scenario: string; taskIdx: number },
  seeded: Seeded | null,
  empty: Uint8Array,
) {
  try {
    const [verifier] = await data.find(scenario, taskIdx);
    if (verifier === undefined || seeded === null) {
      return { problem: 'the data does not hold its verifier and its database' };
    }
    const found = await probe(sandbox, verifier.code, seeded.image, empty);
    return {
      form: verifier.form,
      passes_untouched: found.passesUntouched,
      passes_empty: found.passesEmpty,
      breaks: found.breaks,
      rows_repaired: seeded.repaired,
      rows_lost: seeded.failed.length,
    };
  } catch (thrown) {
    return { problem: failureShape(thrown).message };
  }
}
