// Choosing who acts, and in which form it asks for tools.
import type { ReactNode } from 'react';
import { formatRoute } from '../../state/route.ts';
import { cx } from '../../ui/cx.ts';
import { Field, Select } from '../../ui/Field.tsx';
import type { StartChoice } from './choice.ts';
import * as styles from './ConditionPicker.module.css';

type Props = {
  choice: StartChoice;
  agentModel: string | null;
  onChange: (change: Partial<StartChoice>) => void;
  onLeave: () => void;
};

export function AgentPicker({ choice, agentModel, onChange, onLeave }: Props): ReactNode {
  const hasModel = agentModel !== null;
  return (
    <fieldset className={styles.set}>
      <legend className={styles.legend}>Agent</legend>
      <label className={cx(styles.card, choice.policy === 'rehearsal' && styles.isChosen)}>
        <input
          type="radio"
          name="policy"
          checked={choice.policy === 'rehearsal'}
          onChange={() => onChange({ policy: 'rehearsal' })}
        />
        <span>
          <span className={styles.label}>Rehearsal</span>
          <span className={styles.means}>
            No model: follows a script, gets stuck, asks, and does what your advice says.
          </span>
        </span>
      </label>
      <label
        className={cx(
          styles.card,
          choice.policy === 'chat' && styles.isChosen,
          !hasModel && styles.isDisabled,
        )}
      >
        <input
          type="radio"
          name="policy"
          checked={choice.policy === 'chat'}
          disabled={!hasModel}
          onChange={() => onChange({ policy: 'chat' })}
        />
        <span>
          <span className={styles.label}>{hasModel ? `Chat model ${agentModel}` : 'Chat model'}</span>
          <span className={styles.means}>
            {hasModel ? (
              'Calls the agent model at every turn.'
            ) : (
              <>
                No model is set for the agent.{' '}
                <a href={formatRoute({ view: 'settings' })} onClick={onLeave}>
                  Set one
                </a>
              </>
            )}
          </span>
        </span>
      </label>
      <div className={styles.deadline}>
        <Field label="How it calls tools">
          <Select
            value={choice.protocol}
            options={[
              { value: 'native', label: 'Native tool calls' },
              { value: 'xml', label: '<tool_call> in the text' },
            ]}
            onChoose={(protocol) => onChange({ protocol })}
          />
        </Field>
      </div>
    </fieldset>
  );
}
