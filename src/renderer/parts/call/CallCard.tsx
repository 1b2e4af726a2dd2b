// A held call in front of a person: why it waits and until when, what the agent proposed, and what to do about it.
// The same card stands beside a timeline and at the desk.
import { useRef, type ReactNode, type RefObject } from 'react';
import type { HoldItem } from '../../../shared/contract/rows.ts';
import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import { useKeys, useNow } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Textarea } from '../../ui/Field.tsx';
import { formatDuration, formatMoment } from '../../ui/time.ts';
import { DataValue } from '../text/DataText.tsx';
import { callActs, type EnterMode } from './callActs.tsx';
import { CallActions } from './CallActions.tsx';
import * as styles from './CallCard.module.css';
import { CallForm } from './CallForm.tsx';
import { heldDeadline, type ClosedCall } from './closedCall.ts';
import type { CallState } from './useCallDecision.ts';
import { firstField, toolField, useFocusNext } from './useFocusNext.ts';
import { writtenWrongs } from './writtenCall.ts';

type CallCardProps = {
  item: HoldItem;
  state: CallState;
  tools: readonly ToolSpec[];
  /** Why it can no longer be decided; null while it waits. */
  closed: ClosedCall | null;
  /** What the call is to be judged by, where no timeline stands beside it: the task, earlier calls. */
  context?: ReactNode;
  /** Opens the episode beside the card; left out where it is there already. */
  onOpenEpisode?: () => void;
  /** What to try before deciding, such as a preview. */
  extra?: ReactNode;
  /** Something stands in front of the card: its keys rest. */
  isCovered?: boolean;
};

export function CallCard(props: CallCardProps): ReactNode {
  const { item, state, tools, closed, context, onOpenEpisode, extra, isCovered = false } = props;
  const body = useRef<HTMLDivElement>(null);
  const isOpen = closed === null && !isCovered;
  const enter = useEntering(state, body);
  useCallKeys(state, isOpen, enter);
  const { call } = item;
  if (call === null) return null;
  const { failure } = state;
  return (
    <section className={styles.card} aria-label="Held call" data-call={call.id} data-fresh={state.isFresh}>
      <CallHead item={item} isClosed={closed !== null} />
      <div
        className={styles.body}
        ref={body}
        tabIndex={-1}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.target === body.current) return;
          event.preventDefault();
          body.current?.focus();
        }}
      >
        {closed === null ? null : <ClosedNotice closed={closed} state={state} />}
        {call.said === '' ? null : <p className={styles.said}>{call.said}</p>}
        <div className={cx(state.draft.mode === 'edit' && styles.struck)}>
          <DataValue
            label={
              state.draft.mode === 'edit'
                ? `Proposed, will not be sent: ${call.tool_name}`
                : `Proposed: ${call.tool_name}`
            }
            value={call.arguments}
          />
        </div>
        <CallWriting state={state} tools={tools} isOff={closed !== null} isTapped={item.is_tapped} />
        {context}
        {extra}
      </div>
      {failure === null ? null : (
        <div className={styles.failed}>
          <ErrorNote
            title={failure.code === 'already_answered' ? 'Not sent' : 'The call is not decided yet'}
            failure={failure}
            action={
              state.canSendUnchecked && state.draft.mode === 'edit' ? (
                <Button size="small" onClick={() => state.edit(true)}>
                  Send unchecked
                </Button>
              ) : null
            }
          />
        </div>
      )}
      {closed === null ? (
        <CallActions
          state={state}
          canSend={writtenWrongs(state.written, tools).length === 0}
          onEnter={enter}
          onOpenEpisode={onOpenEpisode ?? null}
        />
      ) : null}
    </section>
  );
}

function CallHead({ item, isClosed }: { item: HoldItem; isClosed: boolean }): ReactNode {
  const now = useNow();
  const { left, isUrgent, words } = heldDeadline(item, now);
  const { scenario, task_idx: task, turn, turn_limit: limit, since, why } = item;
  return (
    <header className={styles.head}>
      {isClosed ? null : (
        <p className={styles.wait}>
          <strong title={formatMoment(since)}>Waiting {formatDuration(Math.max(1000, now - since))}</strong>
          <span className={cx(isUrgent && styles.urgent)}>{words}</span>
        </p>
      )}
      {isClosed || left === null ? null : (
        <progress className={styles.bar} value={left} max={1} aria-label="Time left" />
      )}
      <p className={styles.why}>{`This call ${why.startsWith('held ') ? `is ${why}` : why}.`}</p>
      <p className={styles.place}>
        {`${scenario ?? 'no scenario'}${task === null ? '' : ` #${String(task)}`} · turn ${String(turn)}${limit === null ? '' : ` of ${String(limit)}`}`}
      </p>
    </header>
  );
}

/** What a mode is for, to be written in. */
function CallWriting({
  state,
  tools,
  isOff,
  isTapped,
}: {
  state: CallState;
  tools: readonly ToolSpec[];
  isOff: boolean;
  isTapped: boolean;
}): ReactNode {
  const { draft, change, written } = state;
  switch (draft.mode) {
    case 'decide':
      return null;
    case 'edit':
      return (
        <>
          <CallForm
            isTried={state.failure !== null}
            tools={tools}
            written={written}
            isReadOnly={isOff}
            onChange={(next) => change({ written: next })}
          />
          <Field
            label={
              isTapped
                ? 'Why? Kept in the log; the client’s agent does not see it.'
                : 'Why? The agent reads this, so it does not repeat the original call.'
            }
          >
            <Textarea
              rows={2}
              value={draft.why}
              readOnly={isOff}
              onChange={({ target }) => change({ why: target.value })}
            />
          </Field>
        </>
      );
    case 'answer':
      return (
        <>
          <Field
            label="The result, in place of the tool’s"
            hint="The environment never sees this call. The result is marked as fabricated and left out of exports by default."
          >
            <Textarea
              isMono
              rows={6}
              value={draft.answer}
              readOnly={isOff}
              onChange={({ target }) => change({ answer: target.value })}
            />
          </Field>
          <label className={styles.check}>
            <input
              type="checkbox"
              checked={draft.isError}
              disabled={isOff}
              onChange={({ target }) => change({ isError: target.checked })}
            />
            Return it as an error
          </label>
        </>
      );
    case 'reject':
      return (
        <Field label="Why not? The agent reads this.">
          <Textarea
            rows={3}
            required
            value={draft.reason}
            readOnly={isOff}
            onChange={({ target }) => change({ reason: target.value })}
          />
        </Field>
      );
  }
}

function ClosedNotice({ closed, state }: { closed: ClosedCall; state: CallState }): ReactNode {
  const { draft, written } = state;
  const words =
    draft.mode === 'edit'
      ? JSON.stringify({ tool: written.tool, arguments: written.args, why: draft.why }, null, 2)
      : draft.mode === 'answer'
        ? draft.answer
        : draft.reason;
  return (
    <div className={styles.closed} role="status">
      <p>
        <strong>{closed.title}</strong>
      </p>
      {closed.detail === '' ? null : <p>{closed.detail}</p>}
      {!state.isWritten || words === '' ? null : (
        <p className={styles.kept}>
          Your text was not sent. It is kept here.
          <CopyButton label="Copy my text" text={words} />
          <Button size="small" onClick={state.forget}>
            Discard it
          </Button>
        </p>
      )}
    </div>
  );
}

/** Going into a mode puts the focus where it is written in. */
function useEntering(state: CallState, body: RefObject<HTMLDivElement | null>): EnterMode {
  const focusNext = useFocusNext(body);
  return (mode, first) => {
    focusNext(mode === 'decide' ? (frame) => frame : first === 'tool' ? toolField : firstField);
    state.enter(mode);
  };
}

function useCallKeys(state: CallState, isOpen: boolean, enter: EnterMode): void {
  const { mode } = state.draft;
  const decide = (run: () => void) => (): void => (state.isFresh ? undefined : run());
  const send = { decide: null, edit: () => state.edit(false), answer: state.answer, reject: state.reject }[
    mode
  ];
  useKeys(
    'call',
    isOpen
      ? {
          ...Object.fromEntries(callActs(state, enter).map(({ chord, run }) => [chord, run])),
          ...(send === null ? {} : { 'call.send': decide(send), 'call.back': () => enter('decide') }),
        }
      : {},
  );
}
