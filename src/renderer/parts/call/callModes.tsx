// The acts on a held call that need something written first, one entry each: what leads to it, what is written, and
// how it is sent.
import { Ban, PencilLine, Replace, Send, Wrench } from 'lucide-react';
import type { ReactNode } from 'react';
import type { HoldItem } from '../../../shared/contract/rows.ts';
import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import { Field, Textarea } from '../../ui/Field.tsx';
import type { CardAct } from '../card/DecisionCard.tsx';
import * as styles from './CallCard.module.css';
import { CallForm } from './CallForm.tsx';
import type { CallState, Mode } from './useCallDecision.ts';

type WritingMode = Exclude<Mode, 'decide'>;
type WritingProps = {
  state: CallState;
  call: NonNullable<HoldItem['call']>;
  tools: readonly ToolSpec[];
  isOff: boolean;
  isTapped: boolean;
};

type CallMode = {
  /** What leads to it; `first` is where the focus goes, else to the first field; a rare one stands behind "More". */
  ways: readonly (Omit<CardAct, 'run'> & { first?: 'tool'; isRare?: true })[];
  Writing: (props: WritingProps) => ReactNode;
  /** Sending what is written. */
  send: (state: CallState, canSend: boolean) => Omit<CardAct, 'chord'>;
  /** What is written, to be copied. */
  text: (state: CallState) => string;
};

export const CALL_MODES: Readonly<Record<WritingMode, CallMode>> = {
  edit: {
    ways: [
      { chord: 'call.edit', label: 'Edit', icon: <PencilLine /> },
      { chord: 'call.override', label: 'Use another tool', icon: <Replace />, first: 'tool', isRare: true },
    ],
    Writing: EditWriting,
    send: ({ busy, edit }, canSend) => ({
      label: 'Send edited call',
      icon: <Send />,
      isBusy: busy === 'edited',
      title: canSend ? undefined : 'The arguments do not fit the tool’s schema.',
      run: () => edit(false),
    }),
    text: ({ written, draft }) =>
      JSON.stringify({ tool: written.tool, arguments: written.args, why: draft.why }, null, 2),
  },
  answer: {
    ways: [{ chord: 'call.answer', label: 'Write the result', icon: <Wrench />, isRare: true }],
    Writing: AnswerWriting,
    send: ({ busy, draft, answer }) => ({
      label: 'Send as the result',
      icon: <Send />,
      isBusy: busy === 'answered',
      isDisabled: draft.answer.trim() === '',
      run: answer,
    }),
    text: ({ draft }) => draft.answer,
  },
  reject: {
    ways: [{ chord: 'call.reject', label: 'Reject', icon: <Ban />, tone: 'quiet' }],
    Writing: RejectWriting,
    send: ({ busy, draft, reject }) => ({
      label: 'Reject',
      icon: <Ban />,
      tone: 'danger',
      isBusy: busy === 'rejected',
      isDisabled: draft.reason.trim() === '',
      run: reject,
    }),
    text: ({ draft }) => draft.reason,
  },
};

/** The mode a person is in; null while nothing is to be written. */
export const callModeOf = ({ draft: { mode } }: CallState): CallMode | null =>
  mode === 'decide' ? null : CALL_MODES[mode];

function EditWriting({ state, call, tools, isOff, isTapped }: WritingProps): ReactNode {
  const { draft, change, written, failure } = state;
  return (
    <>
      <CallForm
        isTried={failure !== null}
        tools={tools}
        proposed={call}
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
}

function AnswerWriting({ state: { draft, change }, isOff }: WritingProps): ReactNode {
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
}

function RejectWriting({ state: { draft, change }, isOff }: WritingProps): ReactNode {
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
