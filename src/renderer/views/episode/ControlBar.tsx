// The toolbar over an episode on screen: what a person may do about it now, and why it is paused or who acts.
import {
  CircleStop,
  Hand,
  History,
  LoaderCircle,
  MessageSquarePlus,
  OctagonPause,
  Pause,
  Play,
  Replace,
  RotateCcw,
  StepForward,
  Undo2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { actsIn, isPlayedByPerson, type ControlAct } from '../../../shared/episode/phase.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import {
  brokeOffText,
  cameWithFolder,
  isBrokenOff,
  openDoubt,
  restartText,
} from '../../../shared/episode/restarts.ts';
import { spendingOf, spendingText } from '../../../shared/episode/spending.ts';
import { startingText, type Starting } from '../../../shared/episode/starting.ts';
import { useAgainActs } from '../../parts/again/AgainActs.tsx';
import { useKeys, useNow, useSession } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { isViewOf, useRole } from '../../state/role.ts';
import { episodeRoute, formatRoute, navigate } from '../../state/route.ts';
import { cx, variantClass } from '../../ui/cx.ts';
import { Toolbar, type ToolbarAct } from '../../ui/Toolbar.tsx';
import { phaseLabel } from './phaseLabel.ts';
import type { Control } from './useControl.ts';
import * as styles from './ControlBar.module.css';

type ControlBarProps = {
  record: EpisodeRecord;
  seat: string;
  control: Control;
  onHandBack: () => void;
  onNote: () => void;
  onBreakpoints: () => void;
  onOverride: () => void;
  /** Null for a seat that may not end an episode. */
  onStop: (() => void) | null;
};

export function ControlBar(props: ControlBarProps): ReactNode {
  const { record } = props;
  const spent = spendingOf(record);
  return (
    <Toolbar label="Control" menu="Control" acts={controlActs(props)}>
      <PhaseText {...props} />
      <RestartNote record={record} />
      {openDoubt(record) === null ? null : (
        <a href={formatRoute({ view: 'desk' })}>A call is in doubt: decide at the desk</a>
      )}
      {spent === null ? null : <span>{spendingText(spent)}</span>}
    </Toolbar>
  );
}

/** That it is the same episode as before, and how far it was made again. */
function RestartNote({ record: { restarts, ended } }: Pick<ControlBarProps, 'record'>): ReactNode {
  const last = restarts.at(-1);
  if (last === undefined || last.wentOn === null || ended !== null) return null;
  return (
    <span className={styles.restarted} title={`Went on after a restart: ${restartText(last)}`}>
      <RotateCcw aria-hidden="true" />
      Restarted
    </span>
  );
}

/** The reason for the pause, or the actor in the agent's place; nothing for an agent that acts or waits. */
function PhaseText({ record, seat }: ControlBarProps): ReactNode {
  const { label, detail } = phaseLabel(record, seat);
  const isPaused = record.phase === 'paused';
  if (record.phase === 'autonomous' && record.phaseCause !== 'step') return null;
  const words = isPaused && !isPlayedByPerson(record) ? detail : [label, detail].filter(Boolean).join(': ');
  return (
    <span className={cx(styles.phase, variantClass(styles, record.phase))} role="status" title={words}>
      {words}
    </span>
  );
}

const TAPPED = 'Run by a client: advice and notes only. Start with --tap-act, or allow actions in Setup.';

function controlActs(props: ControlBarProps): ToolbarAct[] {
  const { record, onNote, onBreakpoints, onOverride, onStop } = props;
  const isPlayed = isPlayedByPerson(record);
  const reason = record.tapped === null || record.tapped.may_act ? null : TAPPED;
  const stop: ToolbarAct[] =
    onStop === null
      ? []
      : [{ id: 'stop', label: 'Stop', icon: <CircleStop />, chord: 'live.stop', reason, run: onStop }];
  if (isPlayed) return [...phaseActs(props, reason), ...stop];
  return [
    ...phaseActs(props, reason),
    { id: 'note', label: 'Note', icon: <MessageSquarePlus />, chord: 'live.note', run: onNote },
    ...stop,
    {
      id: 'override',
      label: 'Override the proposed call',
      icon: <Replace />,
      isRare: true,
      chord: 'override',
      reason,
      run: onOverride,
    },
    {
      id: 'breakpoints',
      label: 'Breakpoints, rules and labels',
      icon: <OctagonPause />,
      isRare: true,
      chord: 'live.breakpoint',
      reason,
      run: onBreakpoints,
    },
  ];
}

/** Changes of the actor. */
function phaseActs({ record, control, onHandBack }: ControlBarProps, refused: string | null): ToolbarAct[] {
  const may = new Set(actsIn(record));
  const act = (id: ControlAct): Pick<ToolbarAct, 'isBusy' | 'run'> => ({
    isBusy: control.busy === id,
    run: () => void control.act(id as Exclude<ControlAct, 'stop_at'>),
  });
  const take: ToolbarAct = may.has('hand_back')
    ? {
        id: 'take_over',
        label: 'Hand back',
        icon: <Undo2 />,
        chord: 'take_over',
        tone: 'primary',
        showsKey: true,
        reason: refused,
        run: onHandBack,
      }
    : {
        id: 'take_over',
        label: 'Take over',
        icon: <Hand />,
        chord: 'take_over',
        tone: 'plain',
        showsKey: true,
        reason: refused,
        title: 'Act in the agent’s place, with its own tools',
        ...act('take_over'),
      };
  if (isPlayedByPerson(record)) return may.has('take_over') || may.has('hand_back') ? [take] : [];
  const isPaused = may.has('resume');
  const isActing = may.has('hand_back');
  return [
    ...(isActing ? [take] : []),
    isPaused
      ? {
          id: 'pause',
          label: 'Resume',
          icon: <Play />,
          chord: 'pause',
          tone: 'primary',
          showsKey: true,
          reason: refused,
          title: record.breakpoints.length === 0 ? undefined : 'Continues to the next breakpoint',
          ...act('resume'),
        }
      : {
          id: 'pause',
          label: 'Pause',
          icon: <Pause />,
          chord: 'pause',
          tone: 'plain',
          showsKey: true,
          reason: refused,
          title: 'Stops after the current turn',
          ...act('pause'),
        },
    {
      id: 'step',
      label: 'One step',
      icon: <StepForward />,
      isRare: true,
      chord: 'step',
      reason:
        refused ?? (may.has('step') ? null : 'Pause first: then one step runs one turn and pauses again'),
      ...act('step'),
    },
    ...(isActing ? [] : [take]),
    {
      id: 'pause_now',
      label: 'Pause now, discarding the reply in progress',
      icon: <Pause />,
      chord: 'live.pause_at_once',
      isRare: true,
      reason: refused ?? (may.has('pause') ? null : 'It is paused'),
      run: () => void control.act('pause', { at_once: true }),
    },
  ];
}

/** The acts on an episode that is over, in the place of those while it ran. */
export function EndedBar({ record }: { record: EpisodeRecord }): ReactNode {
  const role = useRole();
  const again = useAgainActs(record);
  const replay: ToolbarAct = {
    id: 'replay',
    label: 'Replay',
    icon: <History />,
    tone: 'plain',
    run: () => navigate(episodeRoute(record.id, record.n)),
  };
  return <Toolbar label="Control" acts={isViewOf('episodes', role) ? [replay, ...again] : []} />;
}

type StartingBarProps = {
  starting: Starting;
  /** Null for a seat that may not end an episode. */
  onCancel: (() => void) | null;
  isBusy: boolean;
};

export function StartingBar({ starting, onCancel, isBusy }: StartingBarProps): ReactNode {
  const now = useNow();
  const { label, detail } = startingText(starting, now);
  const { since, limitMs, isStopping } = starting;
  return (
    <Toolbar
      label="Control"
      acts={
        onCancel === null
          ? []
          : [
              {
                id: 'stop',
                label: 'Cancel',
                icon: <CircleStop />,
                chord: 'live.stop',
                tone: 'plain',
                showsKey: true,
                isBusy: isBusy || isStopping,
                title: 'Ends the episode now; the session on the server is closed',
                run: onCancel,
              },
            ]
      }
    >
      <LoaderCircle className={styles.turning} />
      <strong role="status">{isStopping ? 'Cancelling the start' : label}</strong>
      <span className={styles.elapsed}>{detail}</span>
      {limitMs === null ? null : (
        <progress className={styles.progress} aria-label={label} max={limitMs} value={now - since} />
      )}
    </Toolbar>
  );
}

export function BrokenOffBar({ record }: { record: EpisodeRecord }): ReactNode {
  const { call } = useSession();
  const isExpert = useRole() === 'expert';
  const { id: episode } = record;
  const continuing = useAct(() => call('episode.settle', { episode, act: 'go_on' }), 'Could not go on');
  const ending = useAct(() => call('episode.settle', { episode, act: 'end' }), 'Could not do that');
  useKeys(isExpert ? {} : { go_on: () => void continuing.run() });
  const why = isBrokenOff(record) ? brokeOffText(record) : '';
  const hasCome = record.brokeOff !== null && cameWithFolder(record.brokeOff);
  return (
    <Toolbar
      label="Control"
      acts={
        isExpert
          ? []
          : [
              {
                id: 'go_on',
                label: 'Go on',
                icon: <Play />,
                chord: 'go_on',
                tone: 'primary',
                showsKey: true,
                title: why,
                isBusy: continuing.isBusy,
                run: () => void continuing.run(),
              },
              {
                id: 'let_be',
                label: 'Let it be',
                icon: <CircleStop />,
                title: 'Ends it as interrupted; it can be resumed as a new episode',
                isBusy: ending.isBusy,
                run: () => void ending.run(),
              },
            ]
      }
    >
      <span title={why}>{hasCome ? 'Stopped' : 'Stopped when Interject closed'}</span>
    </Toolbar>
  );
}
