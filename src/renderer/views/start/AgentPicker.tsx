// Choosing who acts.
import type { ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { formatRoute } from '../../state/route.ts';
import { cx } from '../../ui/cx.ts';
import { Field, Select } from '../../ui/Field.tsx';
import type { StartChoice } from './choice.ts';
import * as styles from './AgentPicker.module.css';

type Props = {
  choice: StartChoice;
  /** The model the settings have for the agent. */
  ownModel: string | null;
  profiles: Outputs['settings.read']['profiles'];
  onChange: (change: Partial<StartChoice>) => void;
  onLeave: () => void;
};

export function AgentPicker({ choice, ownModel, profiles, onChange, onLeave }: Props): ReactNode {
  const agentModel = profiles.find(({ name }) => name === choice.profile)?.model ?? ownModel;
  const hasModel = agentModel !== null || profiles.length > 0;
  const chooseChat = (): void =>
    onChange({ policy: 'chat', ...(agentModel === null ? { profile: profiles[0]?.name ?? '' } : {}) });
  return (
    <fieldset className={styles.set}>
      <legend className={styles.legend}>Who acts</legend>
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
          onChange={chooseChat}
        />
        <span>
          <span className={styles.label}>
            {agentModel === null ? 'Chat model' : `Chat model ${agentModel}`}
          </span>
          <span className={styles.means}>
            {hasModel ? (
              'Calls the agent model at every turn.'
            ) : (
              <>
                No model is set for the agent.{' '}
                <a href={formatRoute({ view: 'setup', part: 'models' })} onClick={onLeave}>
                  Set one
                </a>
              </>
            )}
          </span>
        </span>
      </label>
      <label className={cx(styles.card, choice.policy === 'human' && styles.isChosen)}>
        <input
          type="radio"
          name="policy"
          checked={choice.policy === 'human'}
          onChange={() => onChange({ policy: 'human' })}
        />
        <span>
          <span className={styles.label}>A person</span>
          <span className={styles.means}>You make every move yourself, from a form. No model is asked.</span>
        </span>
      </label>
      {choice.policy === 'chat' && profiles.length > 0 ? (
        <div className={styles.profile}>
          <Field label="Model profile">
            <Select
              value={choice.profile}
              options={[
                ...(ownModel === null ? [] : [{ value: '', label: `The agent’s own: ${ownModel}` }]),
                ...profiles.map(({ name, model }) => ({ value: name, label: `${name}: ${model}` })),
              ]}
              onChoose={(profile) => onChange({ profile })}
            />
          </Field>
        </div>
      ) : null}
    </fieldset>
  );
}
