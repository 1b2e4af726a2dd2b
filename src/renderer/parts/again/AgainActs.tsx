// The buttons of an episode that is over: Resume, Same again, Next task. Nothing for a seat that starts none.
import { FastForward, Play, RotateCw, ScrollText, SkipForward } from 'lucide-react';
import type { ReactNode } from 'react';
import type { EpisodeRow } from '../../../shared/episode/rowShapes.ts';
import { canResume, driftedAtResume, notRunHere } from '../../../shared/episode/branch.ts';
import { foldAll } from '../../../shared/episode/fold.ts';
import { checkSecrets } from '../../../shared/episode/lostSecrets.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { Outcome, Source } from '../../../shared/events/lifecycle.ts';
import { Failure, type FailureShape } from '../../../shared/failure.ts';
import { useKeys, useSession } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { isViewOf, useRole } from '../../state/role.ts';
import { episodeRoute, navigate } from '../../state/route.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import type { ToolbarAct } from '../../ui/Toolbar.tsx';
import { nextTask, startAgain, startBriefed } from './startAgain.ts';
import * as styles from './AgainActs.module.css';

type OverEpisode = {
  /** Null while it runs. */
  outcome: Outcome | null;
  /** Null where it did not fail. */
  failure: FailureShape | null;
  turns: number;
  hasTask: boolean;
  /** One that was read from a file has no environment to run it in. */
  source: Source | null;
  /** Null before it is known. Where a person plays there is nobody to brief. */
  policy: EpisodeRow['policy'] | null;
};

const AGAIN_ICONS = {
  resume: <Play />,
  resume_anyway: <FastForward />,
  again: <RotateCw />,
  briefed: <ScrollText />,
  next_task: <SkipForward />,
} as const;
const AGAIN_LABELS: Readonly<Record<AgainAct, string>> = {
  resume: 'Resume',
  resume_anyway: 'Resume anyway',
  again: 'Run again',
  briefed: 'Run again with a brief',
  next_task: 'Next task',
};
const AGAIN_KEYS = {
  resume: 'go_on',
  resume_anyway: 'live.resume_anyway',
  again: 'live.again',
  briefed: 'live.briefed',
  next_task: 'live.next_task',
} as const;

/** Acts that make sense now, in the order of the buttons. */
export const againActs = ({ outcome, failure, turns, hasTask, source, policy }: OverEpisode): AgainAct[] =>
  outcome === null || notRunHere(source) !== null
    ? []
    : [
        ...(canResume({ outcome, failure, source, turns }) ? (['resume'] as const) : []),
        ...(driftedAtResume({ outcome, failure }) ? (['resume_anyway'] as const) : []),
        'again',
        ...(policy === 'human' ? [] : (['briefed'] as const)),
        ...(hasTask ? (['next_task'] as const) : []),
      ];

/** The same acts for the toolbar of an episode, with their keys. */
export function useAgainActs({ id, started, reset, counts, ended }: EpisodeRecord): ToolbarAct[] {
  const isOwner = isViewOf('episodes', useRole());
  const { busy, act } = useAgain(id);
  const over = {
    outcome: ended?.outcome ?? null,
    failure: ended?.failure ?? null,
    turns: counts.turns,
    hasTask: (reset?.task_idx ?? null) !== null,
    source: started?.source ?? null,
    policy: started?.agent.policy ?? null,
  };
  const acts = isOwner ? againActs(over) : [];
  useKeys(Object.fromEntries(acts.map((what) => [AGAIN_KEYS[what], () => void act(what)])));
  return acts.map((what) => ({
    id: what,
    label: AGAIN_LABELS[what],
    icon: AGAIN_ICONS[what],
    chord: AGAIN_KEYS[what],
    tone: what === 'resume' ? 'primary' : 'quiet',
    showsKey: what === 'resume' || what === 'resume_anyway',
    isBusy: busy === what,
    run: () => void act(what),
  }));
}

/** On a line of a list: icons that stay out of the way. */
export function AgainActs({ row }: { row: EpisodeRow }): ReactNode {
  const isOwner = isViewOf('episodes', useRole());
  const { busy, act } = useAgain(row.id);
  // To go on knowingly, the person sees both answers first: not from a line of a list.
  const acts = (isOwner ? againActs({ ...row, hasTask: row.task_idx !== null }) : []).filter(
    (what) => what !== 'resume_anyway',
  );
  if (acts.length === 0) return null;
  return (
    <span className={styles.acts} onClick={(event) => event.stopPropagation()}>
      {acts.map((what) =>
        what !== 'resume' ? (
          <IconButton
            key={what}
            label={AGAIN_LABELS[what]}
            icon={AGAIN_ICONS[what]}
            isDisabled={busy !== null}
            onClick={() => void act(what)}
          />
        ) : (
          <Button
            key={what}
            size="small"
            icon={AGAIN_ICONS[what]}
            tone="primary"
            isBusy={busy === what}
            onClick={() => void act(what)}
          >
            {AGAIN_LABELS[what]}
          </Button>
        ),
      )}
    </span>
  );
}

/** Goes on with an episode that broke off, from a line of the list. */
export function ResumeButton({ episode }: { episode: string }): ReactNode {
  const isOwner = isViewOf('episodes', useRole());
  const { busy, act } = useAgain(episode);
  return isOwner ? (
    <Button
      size="small"
      icon={AGAIN_ICONS.resume}
      isBusy={busy === 'resume'}
      onClick={(event) => {
        event.stopPropagation();
        void act('resume');
      }}
    >
      Resume
    </Button>
  ) : null;
}

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
    async (act: AgainAct) => navigate(episodeRoute(await begin(act))),
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
