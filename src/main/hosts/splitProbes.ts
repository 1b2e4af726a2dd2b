// The episodes that tell `interject split` of a task. They stand in the log as probes, under runs of their own, so that
// a command that was stopped goes on where it was.
import { isFinished as isOver } from '../../shared/episode/finished.ts';
import { StartEpisode } from '../../shared/contract/areas.ts';
import type { Probe } from '../../shared/events/lifecycle.ts';
import { Failure, type FailureShape } from '../../shared/failure.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { taskLabel, taskRef, type TaskAddress } from '../../shared/episode/taskRef.ts';
import { normalizeScenario } from '../../shared/wire.ts';
import { outcomeTextOf } from '../../shared/taskOutcome.ts';
import type { CommandApp } from './commandApp.ts';
import type { RunSpec } from '../episode/runEpisode.ts';
import type { CommandOutput } from './output.ts';
import { createProgress } from './runProgress.ts';
import { finishedIn } from './runTasks.ts';
import { onStop } from './untilStopped.ts';

type ProbedApp = Pick<CommandApp, 'log' | 'runSpecs' | 'supervisor'>;

type ProbeRequest = {
  probe: Probe;
  run: string;
  environment: string;
  tasks: readonly TaskAddress[];
  agent: StartEpisode['agent'];
  rollouts: number;
  seed: number;
  turns: number | undefined;
  retries: number;
};

const PAGE = 200;

export const taskKey = ({ scenario, task_idx }: TaskAddress): string =>
  JSON.stringify([normalizeScenario(scenario ?? ''), task_idx]);

/** Plays what the run has not finished yet. Throws `cancelled` where a signal stopped it. */
export async function playProbes(
  app: ProbedApp,
  request: ProbeRequest,
  output: CommandOutput,
): Promise<void> {
  const asked = request.tasks.flatMap((task) => specsOf(app, request, task));
  const isFinished = finishedIn(app, request.run);
  const left = asked.filter((spec) => !isFinished(spec));
  const skipped = asked.length - left.length;
  const what = request.probe === 'no_op' ? 'Untouched' : 'Zero-shot';
  if (skipped > 0)
    output.say(`${what}: ${String(skipped)} of ${String(asked.length)} probes are over already.`);
  let isStopping = false;
  const stop = (): void => {
    isStopping = true;
    output.say('Stopping: the same command goes on from here.');
    void app.supervisor.close();
  };
  const leave = onStop(stop, output.gone);
  const progress = createProgress({ total: left.length, skipped }, Date.now, output);
  await Promise.all(
    left.map(async (spec) => {
      const { ended } = await app.supervisor.start(spec, { isStartedAgain: true }).ended;
      // What a signal cut off is played again by the same command: it has nothing to tell yet.
      if (isStopping && !isOver(ended?.outcome)) return;
      const at = progress.ended(ended?.outcome ?? 'interrupted', ended?.reward_type === 'complete');
      const verdict = ended?.failure?.message ?? outcomeTextOf(ended?.reward_type ?? null);
      output.say(`[${at}] ${what}, ${taskLabel(spec)}: ${verdict}`);
    }),
  ).finally(leave);
  if (isStopping) throw new Failure('cancelled', 'the split was stopped', { next: 'Run it again to go on.' });
}

function specsOf(app: ProbedApp, request: ProbeRequest, { scenario, task_idx }: TaskAddress): RunSpec[] {
  const { probe, run, environment, agent, rollouts, seed, turns, retries } = request;
  const start = StartEpisode.parse({
    environment,
    scenario,
    task_idx,
    agent,
    condition: 'none',
    deadline_ms: null,
    fallback: 'proceed',
    seed,
    repeats: 1,
    limits: turns === undefined ? {} : { turns },
    reset: {},
    start_retries: retries,
    run,
  });
  return Array.from({ length: rollouts }, (_, repeat) =>
    app.runSpecs({ ...start, seed: seed + repeat }).map((spec) => ({
      ...spec,
      repeat,
      probe,
      // A verdict of code can be had again; that of a model need not come out the same.
      ...(probe === 'no_op' ? { verifierMode: 'code' as const } : {}),
    })),
  ).flat();
}

/** Each seed of a task once: the last episode of it in the run. */
export function probeResults(app: Pick<CommandApp, 'log'>, run: string): Map<string, EpisodeRecord[]> {
  const found = new Map<string, Map<number, EpisodeRecord>>();
  for (let offset = 0; ; offset += PAGE) {
    const order = { by: 'started_at', is_ascending: true } as const;
    const page = {
      query: '',
      status: 'ended',
      condition: null,
      filter: { run },
      order,
      offset,
      limit: PAGE,
    } as const;
    const { rows } = app.log.projections.episodes(page);
    for (const { id } of rows) {
      const record = app.log.record(id);
      const key = taskKey(taskRef(record));
      const seeds = found.get(key) ?? new Map<number, EpisodeRecord>();
      seeds.set(record.started?.seed ?? 0, record);
      found.set(key, seeds);
    }
    if (rows.length < PAGE) break;
  }
  return new Map([...found].map(([key, seeds]) => [key, [...seeds.values()]]));
}

/** Why nothing at all came through; null where something did. */
export function commonFailure(records: readonly EpisodeRecord[]): FailureShape | null {
  const isAllFailed = records.length > 0 && records.every(({ ended }) => ended?.outcome === 'error');
  return isAllFailed ? (records[0]?.ended?.failure ?? null) : null;
}
