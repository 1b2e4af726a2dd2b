// What the owner may want otherwise of a run's curriculum: its settings, and which key steers it.
import { useState, type ReactNode } from 'react';
import { SettingsChange, type CurriculumSteering } from '../../../shared/curriculum/settings.ts';
import { tryJson } from '../../../shared/json.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Field, Select, Textarea } from '../../ui/Field.tsx';

/** One act of the owner on a run: carried out, then said. */
export function useSteering(run: string, done: () => void) {
  const { call } = useSession();
  const toast = useToast();
  return useAct(async (steering: CurriculumSteering, title: string) => {
    await call('training.steer', { run, steering });
    toast({ tone: 'ok', title, text: null });
    done();
  }, 'Could not change the curriculum');
}

type SteeringProps = { run: string; keyName: string | null; done: () => void };

export function SteeringForm({ run, keyName, done }: SteeringProps): ReactNode {
  const act = useSteering(run, done);
  const [text, setText] = useState('');
  const change = text.trim() === '' ? null : (SettingsChange.safeParse(tryJson(text)).data ?? null);
  return (
    <details>
      <summary>Change settings</summary>
      <Field
        label="Settings"
        hint="As JSON, by section; they hold from the next decision on. docs/curriculum.md shows every one."
        error={text.trim() !== '' && change === null ? 'This is no JSON with sections of settings.' : null}
      >
        <Textarea
          isMono
          rows={4}
          value={text}
          placeholder={'{"phases": {"fixed_share": 0.5}}'}
          onChange={({ target }) => setText(target.value)}
        />
      </Field>
      <Button
        size="small"
        isBusy={act.isBusy}
        isDisabled={change === null}
        onClick={() =>
          change === null
            ? undefined
            : void act.run({ what: 'settings', settings: change }, 'Settings changed')
        }
      >
        Change settings
      </Button>
      {keyName === null ? null : <OtherKey run={run} keyName={keyName} done={done} />}
    </details>
  );
}

function OtherKey({ run, keyName, done }: SteeringProps & { keyName: string }): ReactNode {
  const act = useSteering(run, done);
  const keys = useAsk('access.list', {}).value?.keys ?? [];
  const others = keys.filter((key) => key.revoked_at === null && key.scopes.includes('tap'));
  const [chosen, setChosen] = useState('');
  return (
    <>
      <Field label="Key" hint={`The run belongs to the key “${keyName}”: no other one may steer it.`}>
        <Select
          value={chosen}
          options={[
            { value: '', label: 'Choose another key' },
            ...others.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChoose={setChosen}
        />
      </Field>
      <Button
        size="small"
        isBusy={act.isBusy}
        isDisabled={chosen === ''}
        onClick={() => void act.run({ what: 'key', key: chosen }, 'The run goes on with another key')}
      >
        Give to another key
      </Button>
    </>
  );
}
