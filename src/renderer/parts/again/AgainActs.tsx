// The buttons of an episode that is over: Resume, Same again, Next task. Nothing for a seat that starts none.
import { FastForward, Play, RotateCw, ScrollText, SkipForward } from 'lucide-react';
import type { ReactNode } from 'react';
import { canResume, driftedAtResume, notRunHere } from '../../../shared/episode/branch.ts';
import type { Outcome, Source } from '../../../shared/events/lifecycle.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { EpisodeRow } from '../../../shared/contract/rows.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import { useKeys } from '../../state/hooks.ts';
import { isViewOf, useRole } from '../../state/role.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import type { ToolbarAct } from '../../ui/Toolbar.tsx';
import * as styles from './AgainActs.module.css';
import { useAgain, type AgainAct } from './useAgain.ts';

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
  resume: 'live.resume',
  resume_anyway: 'live.resume_anyway',
  again: 'live.again',
  briefed: 'live.briefed',
  next_task: 'live.next_task',
} as const;

/** What makes sense now, in the order of the buttons. */
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
  const isOwner = isViewOf('library', useRole());
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
  useKeys('live', Object.fromEntries(acts.map((what) => [AGAIN_KEYS[what], () => void act(what)])));
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
  const isOwner = isViewOf('library', useRole());
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

/** Goes on with an episode that broke off, from a line of the library. */
export function ResumeButton({ episode }: { episode: string }): ReactNode {
  const isOwner = isViewOf('library', useRole());
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
