// A split of Agent World Model data without its server: verifiers are run here, on each scenario's first database.
import { join } from 'node:path';
import { Failure } from '../../shared/failure.ts';
import { normalizeScenario } from '../../shared/wire.ts';
import { makeManifest, type DroppedTask, type Manifest } from '../dataset/split/makeManifest.ts';
import type { DropCause, ProbedTask } from '../dataset/split/probed.ts';
import { seedDatabase, type SeededDatabase } from '../state/seed.ts';
import { createAwmData } from '../environments/awmData.ts';
import { nodeEdges } from './edges.ts';
import type { CommandOutput } from './output.ts';
import { productFolder } from './paths.ts';
import { probed, seededOf } from './probeCommand.ts';
import type { ProbeFinding } from './probeLines.ts';
import { createProgress } from './runProgress.ts';
import { readRange } from './runTasks.ts';
import { AWM_SOURCE } from './splitCandidates.ts';
import type { SplitOptions } from './splitCommand.ts';
import type { Hold } from './splitHold.ts';

export async function splitByData(
  options: SplitOptions & { awmData: string },
  hold: Hold,
  output: CommandOutput,
): Promise<Manifest> {
  const data = createAwmData(options.awmData);
  const wanted = (await data.tasks()).filter(isWanted(options));
  if (wanted.length === 0) throw new Failure('unknown_scenario', 'the data holds no such task');
  const asked = {
    by: options.by ?? null,
    fraction: options.valFraction,
    seed: options.seed,
    environment: null,
    probe: null,
  };
  hold.checkAsked({ ...asked, candidates: wanted });
  output.say('Without --env no rollouts are played: difficulties are not known.');
  const { get, close } = nodeEdges((text) => output.say(text)).sandbox(join(productFolder(), 'resources'));
  const progress = createProgress({ total: wanted.length, skipped: 0 }, Date.now, output);
  const tasks: ProbedTask[] = [];
  const dropped: DroppedTask[] = [];
  try {
    const empty = seedDatabase([]).image;
    let [scenario, database]: [string | null, SeededDatabase | null] = [null, null];
    for (const task of wanted) {
      output.gone.throwIfAborted();
      if (task.scenario !== scenario) {
        scenario = task.scenario;
        database = await seededOf(data, scenario);
      }
      const cause = causeOfFinding(await probed(data, get(), task, database, empty));
      if (cause === null) tasks.push({ ...task, stated: null, rollouts: 0, completed: 0 });
      else dropped.push({ ...task, cause });
      const at = progress.ended(cause ?? 'kept', false);
      if ((tasks.length + dropped.length) % 10 === 0) output.say(`[${at}]`);
    }
  } finally {
    close();
  }
  return makeManifest({ ...asked, tasks, dropped, data: AWM_SOURCE });
}

function isWanted({ scenario, task }: Pick<SplitOptions, 'scenario' | 'task'>) {
  const names =
    scenario === undefined || scenario === 'all'
      ? null
      : new Set(scenario.split(',').map((name) => normalizeScenario(name.trim())));
  const range = readRange(task);
  return (one: { scenario: string; task_idx: number }): boolean =>
    (names === null || names.has(normalizeScenario(one.scenario))) &&
    (range === null || range === 'all' || range.includes(one.task_idx));
}

function causeOfFinding(found: ProbeFinding): DropCause | null {
  if (found.form === 'sql') return 'judged_by_model';
  if ('problem' in found) return found.code === 'not_found' ? 'not_reset' : 'not_probed';
  if (found.passes_untouched) return 'passes_untouched';
  return found.breaks === null ? null : 'verifier_broken';
}
