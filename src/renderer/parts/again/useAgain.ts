// What can be done with an episode that is over: go on with it, run it again, run its next task.
import { foldAll } from '../../../shared/episode/fold.ts';
import { checkSecrets } from '../../../shared/episode/lostSecrets.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { Failure } from '../../../shared/failure.ts';
import { useSession } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { navigate } from '../../state/route.ts';
import { nextTask, startAgain, startBriefed } from './startAgain.ts';

export type AgainAct = 'resume' | 'resume_anyway' | 'again' | 'briefed' | 'next_task';

const AGAIN_FAILURES: Readonly<Record<AgainAct, string>> = {
  resume: 'Could not continue the episode',
  resume_anyway: 'Could not continue the episode',
  again: 'Could not restart the episode',
  briefed: 'Could not start with a brief',
  next_task: 'Could not start the next task',
};

/** Events read to learn how an episode was started: far more than come before its first turn. */
const START_EVENTS = 50;

/** One act at a time; the new episode then stands on screen. */
export function useAgain(episode: string): {
  busy: AgainAct | null;
  act: (act: AgainAct) => Promise<boolean>;
} {
  const { call } = useSession();
  const begin = async (act: AgainAct): Promise<string> => {
    if (act === 'resume') return (await call('episode.resume', { episode })).episode;
    if (act === 'resume_anyway')
      return (await call('episode.resume', { episode, accepts_drift: true })).episode;
    const { events } = await call('episode.read', { episode, after: 0, limit: START_EVENTS });
    // What people changed about the rules on the way is not how it was started.
    const record = foldAll(
      episode,
      events.filter(({ event, actor }) => event.kind !== 'policy.changed' || actor.type === 'system'),
    );
    // Without the secret it would be another task.
    checkSecrets(record, {
      next: 'Start the task with the secret under “Start an episode”.',
      upToTurn: 0,
    });
    const input =
      act === 'briefed'
        ? startBriefed(record)
        : startAgain(record, act === 'again' ? undefined : await taskAfter(record, call));
    if (input === null) throw new Failure('not_found', 'the log does not record how it was started');
    return (await call('episode.start', input)).episodes[0] ?? episode;
  };
  const { run, busyWith } = useAct(
    async (act: AgainAct) => navigate({ view: 'live', episode: await begin(act) }),
    (act) => AGAIN_FAILURES[act],
  );
  return { busy: busyWith?.[0] ?? null, act: run };
}

/** Throws `task_out_of_range` when there is none. */
async function taskAfter(
  { started, reset }: EpisodeRecord,
  call: ReturnType<typeof useSession>['call'],
): Promise<number> {
  const scenario = reset?.scenario ?? started?.scenario ?? null;
  const task_idx = reset?.task_idx ?? started?.task_idx ?? null;
  const listed =
    started === null || scenario === null
      ? { tasks: [] }
      : await call('tasks.list', { environment: started.environment.id, scenario });
  const next = nextTask(listed.tasks, task_idx);
  if (next !== null) return next;
  throw new Failure('task_out_of_range', 'this is the last task of the scenario', {
    next: 'Choose another scenario under "Start an episode".',
  });
}
