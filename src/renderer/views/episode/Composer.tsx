// Acting in the agent's place: one move at a time, with the agent's own tools, until the person hands back.
import { Hourglass, Send, Undo2 } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { isPlayedByPerson } from '../../../shared/episode/phase.ts';
import type { EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import { Failure } from '../../../shared/failure.ts';
import { moveLine } from '../../../shared/timeline/turnRow.ts';
import { useHumanTime } from '../../parts/advice/useHumanTime.ts';
import { MoveForm } from '../../parts/call/MoveForm.tsx';
import { canSendUnchecked, emptyMove, failureNow, MoveDraft, moveFromDraft } from '../../parts/call/moves.ts';
import { firstField, toolField, useFocusNext } from '../../parts/call/useCallDecision.ts';
import { ObservationView, useObservation } from '../../parts/observation/ObservationView.tsx';
import { WrittenEffect } from '../../parts/preview/TryFromHere.tsx';
import { DataText } from '../../parts/text/DataText.tsx';
import { isDatabaseWorld } from '../../parts/world/isDatabaseWorld.ts';
import { useKeys, useSession } from '../../state/hooks.ts';
import { useKeptValue } from '../../state/keptValue.ts';
import { useAct } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Textarea } from '../../ui/Field.tsx';
import { useFocusOnce } from './focus.ts';
import { actingSeat } from './phaseLabel.ts';
import * as styles from './Composer.module.css';

type Props = {
  record: EpisodeRecord;
  onHandBack: () => void;
  /** The band that hands back is open: the key that sends is its own. */
  isHandingBack: boolean;
  /** What stands over the move: a question or a call that is still open. */
  over: ReactNode;
};

export function Composer({ record, onHandBack, isHandingBack, over }: Props): ReactNode {
  const { seat } = useSession();
  const { id, tools } = record;
  const [kept, keep] = useKeptValue(`takeover/${id}`, MoveDraft);
  const draft = kept ?? emptyMove(tools);
  const change = (by: Partial<MoveDraft>): void => keep({ ...draft, ...by });
  const body = useRef<HTMLDivElement>(null);
  const focusNext = useFocusNext(body);
  // What is left open asks first.
  useFocusOnce(body, over === null && !isPlayedByPerson(record));
  const underWay = record.turns.findLast(isUnderWay) ?? null;
  const time = useHumanTime(`takeover/${id}`, true);
  const { isBusy, isTried, failure, send } = useMove(record, draft, time, () => keep(null));
  const choose = (type: MoveDraft['type']) => (): void => {
    focusNext(type === 'call_tool' ? toolField : firstField);
    change({ type });
  };
  useKeys({
    ...(isHandingBack ? {} : { send: () => void send(false) }),
    'takeover.call': choose('call_tool'),
    'takeover.list': choose('list_tools'),
    'takeover.final': choose('final'),
  });
  const by = actingSeat(record);
  return (
    <section
      className={styles.composer}
      aria-label="Your move"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.target === body.current) return;
        event.preventDefault();
        body.current?.focus();
      }}
    >
      {over}
      <div className={styles.body} ref={body} tabIndex={-1}>
        {by === null || by === seat ? null : (
          <p
            className="soft small"
            role="status"
          >{`${by} took over. Moves you make are recorded as yours.`}</p>
        )}
        <LastMove record={record} />
        <MoveForm
          draft={draft}
          tools={tools}
          onChange={change}
          isTried={isTried}
          hasKeys
          finalLabel={`Final answer. Ends the episode${isDatabaseWorld(record) ? ', which is then verified' : ''}`}
        />
        {draft.type === 'call_tool' ? (
          <WrittenEffect
            // A try is of the turn it was made in.
            key={record.counts.turns}
            record={record}
            afterTurn={record.counts.turns}
            written={draft.written}
          />
        ) : null}
        {draft.type === 'final' ? null : (
          <Field label="Text to go with the move, as the agent would write">
            <Textarea rows={2} value={draft.say} onChange={({ target }) => change({ say: target.value })} />
          </Field>
        )}
        {underWay === null ? null : (
          <p className={styles.wait} role="status">
            <Hourglass aria-hidden="true" />
            {`Turn ${String(underWay.turn)} is running. Its result appears in the timeline.`}
          </p>
        )}
        {failure === null ? null : (
          <ErrorNote
            title="The move was not made"
            failure={failure}
            action={
              failure.code === 'bad_input' && canSendUnchecked(draft, tools) ? (
                <Button size="small" onClick={() => void send(true)}>
                  Send unchecked
                </Button>
              ) : null
            }
          />
        )}
      </div>
      <footer className={styles.actions}>
        <Button
          tone="primary"
          icon={<Send />}
          {...(isHandingBack ? {} : { chord: 'send' as const })}
          isBusy={isBusy}
          isDisabled={underWay !== null}
          onClick={() => void send(false)}
        >
          {draft.type === 'final' ? 'Give the final answer' : 'Make this move'}
        </Button>
        {isPlayedByPerson(record) ? null : (
          <Button icon={<Undo2 />} chord="take_over" onClick={onHandBack}>
            Hand back
          </Button>
        )}
      </footer>
    </section>
  );
}

const isUnderWay = ({ move, call, actor }: Turn): boolean =>
  actor.type === 'human' &&
  move?.type === 'call_tool' &&
  (call === null || (call.sent !== null && call.returned === null));

/** Sends one move at a time. */
function useMove(
  record: EpisodeRecord,
  draft: MoveDraft,
  time: ReturnType<typeof useHumanTime>,
  onSent: () => void,
) {
  const { call } = useSession();
  const [tried, setTried] = useState<MoveDraft | null>(null);
  const { isBusy, failure, run } = useAct(async (isUnchecked: boolean) => {
    setTried(draft);
    const { move, problem } = moveFromDraft(draft, record.tools, isUnchecked);
    if (move === null) throw new Failure('bad_input', problem ?? '');
    await call('takeover.move', {
      episode: record.id,
      say: draft.say.trim(),
      move,
      is_unchecked: isUnchecked,
      timing: time.read(),
    });
    time.restart();
    onSent();
  });
  return {
    isBusy,
    isTried: failure !== null,
    failure: failureNow(failure, tried, draft, record.tools),
    send: run,
  };
}

/** The last move of this take-over, or before there is one what the episode begins with. */
export function LastMove({ record }: { record: EpisodeRecord }): ReactNode {
  const { turns, reset } = record;
  const since = isPlayedByPerson(record) ? 0 : record.phaseN;
  const last = turns.findLast(({ actor, n }) => actor.type === 'human' && n > since);
  const returned = last?.call?.returned ?? null;
  const parts = useObservation((turns.length === 0 ? reset?.frame : returned?.frame) ?? '');
  if (turns.length === 0 && parts !== null)
    return <ObservationView label="First observation" parts={parts} reward={null} />;
  if (last === undefined || returned === null) return null;
  const text = returned.error ?? returned.text;
  const outcome = returned.error === null ? 'came back' : 'failed';
  const name = last.move === null ? '' : moveLine(last.move);
  return (
    <section aria-label="Your last move">
      <p className="soft small">
        {`Turn ${String(last.turn)}: `}
        <code>{name}</code>
        {` ${outcome}`}
      </p>
      {parts !== null && returned.error === null ? (
        <ObservationView label="Observation" parts={parts} reward={returned.reward} />
      ) : text === null ? null : (
        <DataText label="Result" text={text} />
      )}
    </section>
  );
}

/** Beside the timeline of a game that is over, so that its end is seen. */
export function LastMovePanel({ record }: { record: EpisodeRecord }): ReactNode {
  return (
    <div className={styles.body}>
      <LastMove record={record} />
    </div>
  );
}
