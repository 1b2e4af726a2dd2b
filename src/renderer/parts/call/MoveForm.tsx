// Writing a move in the agent's own vocabulary: call a tool, list the tools, final answer.
import type { ReactNode } from 'react';
import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import { CallForm } from './CallForm.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field, Textarea } from '../../ui/Field.tsx';
import * as styles from './MoveForm.module.css';
import type { MoveDraft } from './moves.ts';

const MOVE_TYPES = [
  { type: 'call_tool', label: 'Call a tool', chord: 'takeover.call' },
  { type: 'list_tools', label: 'List the tools', chord: 'takeover.list' },
  { type: 'final', label: 'Final answer', chord: 'takeover.final' },
] as const;

type MoveFormProps = {
  draft: MoveDraft;
  tools: readonly ToolSpec[];
  onChange: (by: Partial<MoveDraft>) => void;
  isReadOnly?: boolean;
  isTried?: boolean;
  /** The keys that choose the kind of move act here. */
  hasKeys?: boolean;
  /** What becomes of a final answer. */
  finalLabel: string;
};

export function MoveForm({
  draft,
  tools,
  onChange,
  isReadOnly = false,
  isTried = false,
  hasKeys = false,
  finalLabel,
}: MoveFormProps): ReactNode {
  return (
    <>
      <div className={styles.types} role="group" aria-label="Kind of move">
        {MOVE_TYPES.map(({ type, label, chord }) => (
          <Button
            key={type}
            size="small"
            aria-pressed={draft.type === type}
            {...(hasKeys ? { chord } : {})}
            onClick={() => onChange({ type })}
          >
            {label}
          </Button>
        ))}
      </div>
      {draft.type === 'call_tool' ? (
        <CallForm
          tools={tools}
          written={draft.written}
          isReadOnly={isReadOnly}
          isTried={isTried}
          onChange={(written) => onChange({ written })}
        />
      ) : null}
      {draft.type === 'list_tools' ? (
        <p className="soft small">Lists the environment’s tools again, as the agent can.</p>
      ) : null}
      {draft.type === 'final' ? (
        <Field label={finalLabel}>
          <Textarea
            rows={4}
            value={draft.final}
            readOnly={isReadOnly}
            onChange={({ target }) => onChange({ final: target.value })}
          />
        </Field>
      ) : null}
    </>
  );
}
