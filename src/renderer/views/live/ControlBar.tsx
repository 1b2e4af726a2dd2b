// The bar over a running episode: who is acting, in words, and what a person may do about it now.
import {
  Bot,
  ChevronDown,
  CircleStop,
  Hand,
  MessageSquarePlus,
  OctagonPause,
  Pause,
  Play,
  Replace,
  StepForward,
  Undo2,
  User,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { actsIn, isPlayedByPerson, type ControlAct } from '../../../shared/episode/phase.ts';
import { spendingOf, spendingText } from '../../../shared/episode/spending.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { Button } from '../../ui/Button.tsx';
import { cx, variantClass } from '../../ui/cx.ts';
import { Menu } from '../../ui/Menu.tsx';
import * as styles from './ControlBar.module.css';
import { phaseLabel } from './phaseLabel.ts';
import type { Control } from './useControl.ts';

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

const PHASE_ICONS = { autonomous: <Bot />, paused: <Pause />, correcting: <User /> } as const;

export function ControlBar(props: ControlBarProps): ReactNode {
  const { record, seat, onNote, onBreakpoints, onOverride, onStop } = props;
  const { label, detail } = phaseLabel(record, seat);
  const acts = actsIn(record);
  const spent = spendingOf(record);
  const mayAct = record.tapped === null || record.tapped.may_act;
  return (
    <section className={styles.bar} aria-label="Control">
      <p
        className={cx(styles.phase, variantClass(styles, record.phase))}
        role="status"
        title={detail === '' ? label : `${label}: ${detail}`}
      >
        {PHASE_ICONS[record.phase]}
        <strong>{label}</strong>
        {detail === '' ? null : <span className={styles.detail}>{detail}</span>}
      </p>
      <div className={styles.acts}>
        {mayAct ? (
          acts.map((act) => <ActButton key={act} act={act} {...props} />)
        ) : (
          <span className={styles.detail}>
            Run by a client: advice and notes only. <code>--tap-act</code> or Settings allows actions.
          </span>
        )}
        <span className={styles.gap} />
        {spent === null ? null : <span className={styles.detail}>{spendingText(spent)}</span>}
        {isPlayedByPerson(record) ? null : (
          <Button size="small" tone="quiet" icon={<MessageSquarePlus />} chord="live.note" onClick={onNote}>
            Note
          </Button>
        )}
        {mayAct ? (
          <FurtherActs
            hasAgent={!isPlayedByPerson(record)}
            onOverride={onOverride}
            onBreakpoints={onBreakpoints}
            onStop={onStop}
          />
        ) : null}
      </div>
    </section>
  );
}

function FurtherActs({
  hasAgent,
  onOverride,
  onBreakpoints,
  onStop,
}: Pick<ControlBarProps, 'onOverride' | 'onBreakpoints' | 'onStop'> & { hasAgent: boolean }): ReactNode {
  return (
    <>
      {hasAgent ? (
        <>
          <Button size="small" tone="quiet" icon={<Replace />} chord="live.override" onClick={onOverride}>
            Override
          </Button>
          <Button
            size="small"
            tone="quiet"
            icon={<OctagonPause />}
            chord="live.breakpoint"
            onClick={onBreakpoints}
          >
            Breakpoints
          </Button>
        </>
      ) : null}
      {onStop === null ? null : (
        <Button size="small" tone="quiet" icon={<CircleStop />} chord="live.stop" onClick={onStop}>
          Stop
        </Button>
      )}
    </>
  );
}

/** `stop_at` is what a breakpoint does, not a person. */
function ActButton({ act, record, control, onHandBack }: ControlBarProps & { act: ControlAct }): ReactNode {
  switch (act) {
    case 'pause':
      return (
        <span className={styles.split}>
          <Button
            size="small"
            icon={<Pause />}
            chord="live.pause"
            isBusy={control.busy === act}
            title="Stops after the current turn"
            onClick={() => void control.act('pause')}
          >
            Pause
          </Button>
          <PauseMenu control={control} />
        </span>
      );
    case 'resume':
      return (
        <Button
          size="small"
          tone="primary"
          icon={<Play />}
          chord="live.pause"
          isBusy={control.busy === act}
          title={record.breakpoints.length === 0 ? undefined : 'Continues to the next breakpoint'}
          onClick={() => void control.act('resume')}
        >
          Resume
        </Button>
      );
    case 'step':
      return (
        <Button
          size="small"
          icon={<StepForward />}
          chord="live.step"
          isBusy={control.busy === act}
          onClick={() => void control.act('step')}
        >
          One step
        </Button>
      );
    case 'take_over':
      return (
        <Button
          size="small"
          icon={<Hand />}
          chord="live.take_over"
          isBusy={control.busy === act}
          onClick={() => void control.act('take_over')}
        >
          Take over
        </Button>
      );
    case 'hand_back':
      return (
        <Button size="small" tone="primary" icon={<Undo2 />} chord="live.take_over" onClick={onHandBack}>
          Hand back
        </Button>
      );
    case 'stop_at':
      return null;
  }
}

function PauseMenu({ control }: { control: Control }): ReactNode {
  return (
    <Menu
      trigger={
        <button type="button" className={styles.more} aria-label="How to pause">
          <ChevronDown aria-hidden="true" />
        </button>
      }
      items={[
        {
          label: 'After this turn',
          chord: 'live.pause',
          onChoose: () => void control.act('pause'),
        },
        {
          label: 'Now, discarding the reply in progress',
          chord: 'live.pause_at_once',
          onChoose: () => void control.act('pause', { at_once: true }),
        },
      ]}
    />
  );
}
