// A person's ways into a running episode, on its screen: the control bar, its bands and keys, the inspector panels.
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { hasHeldCall } from '../../../shared/episode/calls.ts';
import { actsIn, isPlayedByPerson } from '../../../shared/episode/phase.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { startingOf } from '../../../shared/episode/starting.ts';
import type { ExtraPanel, FrontPanel } from '../../parts/inspector/Inspector.tsx';
import { SHEET } from '../../parts/inspector/usePanelChoice.ts';
import { useKeys, useSession, useToast } from '../../state/hooks.ts';
import { useKeptValue } from '../../state/keptValue.ts';
import type { Bindings } from '../../state/keyboard.ts';
import { useAct } from '../../state/queries.ts';
import { useRole } from '../../state/role.ts';
import { Count } from '../../ui/Badge.tsx';
import { ControlBar, StartingBar } from './ControlBar.tsx';
import { useReturnFocus } from './focus.ts';
import { LabelCard, Labelling, NO_LABELLING, turnsToLabel } from './LabelCard.tsx';
import { StepInPanel } from './StepInPanel.tsx';
import { HandBackBand, NoteBand, StopBand } from './StopBand.tsx';
import { useControl, type Control } from './useControl.ts';

type Band = 'stop' | 'note' | 'hand_back';

export type StepIn = {
  /** What may be done about a running episode. */
  toolbar: ReactNode;
  /** What is open under the toolbar. */
  bands: ReactNode;
  panels: readonly ExtraPanel[];
  front: FrontPanel | null;
  openHandBack: () => void;
  isHandingBack: boolean;
};

export function useStepIn(record: EpisodeRecord): StepIn {
  const { seat } = useSession();
  const isOwner = useRole() !== 'expert';
  const { id, ended, phase } = record;
  const [asked, setBand] = useState<Band | null>(null);
  const [front, setFront] = useState<FrontPanel | null>(null);
  const bring = useCallback(
    (panel: string) => setFront((old) => ({ id: panel, count: (old?.count ?? 0) + 1 })),
    [],
  );
  const plain = useControl(id);
  const control: Control = {
    ...plain,
    // Whoever takes over has their move in front, whatever was beside the steps.
    act: async (act, more) => {
      const isTaken = await plain.act(act, more);
      if (isTaken && act === 'take_over') bring(SHEET);
      return isTaken;
    },
  };
  const openHandBack = useCallback(() => setBand('hand_back'), []);
  const labels = useLabels(record, bring);
  const override = useOverride(record, isOwner);
  const isRunning = ended === null;
  const starting = startingOf(record);
  const cancel = useCancelStart(id);
  const stop = starting === null ? () => setBand('stop') : cancel.run;
  const band = asked === 'hand_back' && phase !== 'correcting' ? null : asked;
  const openBreakpoints = (): void => bring('step_in');
  useEffect(() => {
    if (front?.id !== 'step_in') return undefined;
    // The panel comes with the next frame.
    const frame = requestAnimationFrame(() =>
      document.querySelector<HTMLElement>('[data-first-field="breakpoint"]')?.focus(),
    );
    return () => cancelAnimationFrame(frame);
  }, [front]);
  const held = hasHeldCall(record);
  useKeys(
    isRunning
      ? {
          ...controlKeys(record, control, openHandBack),
          ...(isOwner ? { 'live.stop': stop } : {}),
          ...(isPlayedByPerson(record)
            ? {}
            : {
                'live.note': () => setBand('note'),
                'live.breakpoint': openBreakpoints,
                // While a call is held, the key is the card's own.
                ...(held ? {} : { override: override }),
              }),
        }
      : {},
  );
  const close = (): void => setBand(null);
  useReturnFocus(band, phase);
  return {
    toolbar:
      starting === null ? (
        <ControlBar
          record={record}
          seat={seat}
          control={control}
          onHandBack={openHandBack}
          onNote={() => setBand('note')}
          onBreakpoints={openBreakpoints}
          onOverride={held ? () => bring(SHEET) : override}
          onStop={isOwner ? stop : null}
        />
      ) : (
        <StartingBar starting={starting} onCancel={isOwner ? stop : null} isBusy={cancel.isBusy} />
      ),
    bands: !isRunning ? null : band === 'stop' ? (
      <StopBand episode={id} onClose={close} />
    ) : band === 'note' ? (
      <NoteBand episode={id} isTapped={record.tapped !== null} onClose={close} />
    ) : band === 'hand_back' ? (
      <HandBackBand episode={id} control={control} onClose={close} />
    ) : null,
    panels: labels.panels,
    front,
    openHandBack,
    isHandingBack: isRunning && band === 'hand_back',
  };
}

/** The keys of what may be done in this phase; `t` takes over or hands back, Space pauses or resumes. */
function controlKeys(record: EpisodeRecord, { act }: Control, openHandBack: () => void): Bindings {
  const acts = new Set(actsIn(record));
  const send =
    (...given: Parameters<Control['act']>) =>
    (): void =>
      void act(...given);
  return {
    ...(acts.has('pause') ? { pause: send('pause') } : {}),
    ...(acts.has('pause') ? { 'live.pause_at_once': send('pause', { at_once: true }) } : {}),
    ...(acts.has('resume') ? { pause: send('resume') } : {}),
    ...(acts.has('step') ? { step: send('step') } : {}),
    ...(acts.has('take_over') ? { take_over: send('take_over') } : {}),
    ...(acts.has('hand_back') ? { take_over: openHandBack } : {}),
  };
}

/** Without a held call there is nothing to override: says so, and offers to hold the next ones. */
function useOverride({ id, rules }: EpisodeRecord, isOwner: boolean): () => void {
  const { call } = useSession();
  const toast = useToast();
  const hold = useAct(async () => {
    const all = { glob: '*', argument: null, does: 'ask' as const, count: null };
    await call('policy.set', { episode: id, rules: [all, ...rules.filter(({ glob }) => glob !== '*')] });
    toast({ tone: 'ok', title: 'Every call now waits for you' });
  }, 'Could not change the rules');
  return () =>
    toast({
      tone: 'plain',
      title: 'No call is waiting',
      text: 'A sent call cannot be undone. You can hold calls before they are sent.',
      action: isOwner ? { label: 'Hold every call', run: () => void hold.run() } : null,
    });
}

/** The panels about stepping in: breakpoints and rules, and the turns that wait for a label. */
function useLabels(record: EpisodeRecord, bring: (panel: string) => void): { panels: ExtraPanel[] } {
  const [kept, keep] = useKeptValue(`labelling/${record.id}`, Labelling);
  const labelling = kept ?? NO_LABELLING;
  const waiting = record.ended === null ? turnsToLabel(record, labelling) : [];
  const [turn] = waiting;
  const skip = (number: number) => (): void =>
    keep({ ...labelling, skipped: [...labelling.skipped, number] });
  return {
    panels: [
      // Nobody steps in where a person makes every move.
      ...(isPlayedByPerson(record)
        ? []
        : [
            {
              id: 'step_in',
              label: 'Step in',
              panel: (
                <StepInPanel
                  record={record}
                  labelling={labelling}
                  onLabelling={keep}
                  toLabel={waiting.length}
                  onLabel={() => bring('label')}
                />
              ),
            },
          ]),
      ...(labelling.mode === 'off' || record.ended !== null
        ? []
        : [
            {
              id: 'label',
              label: 'Label',
              mark: <Count count={waiting.length} label="turns to label" />,
              panel:
                turn === undefined ? (
                  <p className="quiet">No turns to label.</p>
                ) : (
                  <LabelCard
                    key={turn.turn}
                    record={record}
                    turn={turn}
                    waiting={waiting.length}
                    beta={labelling.beta}
                    onSkip={skip(turn.turn)}
                  />
                ),
            },
          ]),
    ],
  };
}

export function useCancelStart(episode: string): { isBusy: boolean; run: () => void } {
  const { call } = useSession();
  const { isBusy, run } = useAct(
    () => call('episode.stop', { episode, reason: null }),
    'Could not cancel the start',
  );
  return { isBusy, run: () => void run() };
}
