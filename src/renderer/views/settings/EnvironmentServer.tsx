// The command that starts an environment's server on this machine: set, started, stopped, and what it printed.
import { useState, type ReactNode } from 'react';
import type { EnvironmentSpec } from '../../../shared/events/lifecycle.ts';
import type { ManagedServer, ServerStatus } from '../../../shared/managedServer.ts';
import { useSession } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input, Textarea } from '../../ui/Field.tsx';
import * as styles from './SettingsView.module.css';

const STATES: Readonly<Record<ServerStatus['state'], string>> = {
  stopped: 'stopped',
  starting: 'starting',
  running: 'running',
  left_over: 'left running by an earlier start',
};
const NONE: ManagedServer = {
  command: '',
  uses_shell: false,
  cwd: null,
  env: {},
  health_url: null,
  idle_minutes: null,
};

export function EnvironmentServer({
  environment: { id, name },
}: {
  environment: EnvironmentSpec;
}): ReactNode {
  const { call } = useSession();
  const { value: known, again } = useAsk('environments.server', { id });
  const [draft, setDraft] = useState<ManagedServer | null>(null);
  const { isBusy, failure, run } = useAct(async (act: () => Promise<unknown>) => {
    await act().finally(again);
    setDraft(null);
  });
  if (known === null) return null;
  const { server, status } = known;
  const shown = draft ?? server ?? NONE;
  const change = (by: Partial<ManagedServer>): void => setDraft({ ...shown, ...by });
  const save = (next: ManagedServer | null) => () => call('environments.set_server', { id, server: next });
  return (
    <details>
      <summary>
        Server on this machine {server === null ? null : <Badge>{STATES[status.state]}</Badge>}
      </summary>
      <ServerFields shown={shown} onChange={change} />
      <div className={styles.environmentLine}>
        <Button
          size="small"
          isBusy={isBusy}
          isDisabled={draft === null || shown.command.trim() === ''}
          onClick={() => void run(save(shown))}
        >
          Save command
        </Button>
        {server === null ? null : (
          <>
            <Button
              size="small"
              isBusy={isBusy}
              onClick={() => void run(() => call('environments.start_server', { id }))}
            >
              Start
            </Button>
            <Button
              size="small"
              isDisabled={status.pid === null && status.left.length === 0}
              onClick={() => void run(() => call('environments.stop_server', { id }))}
            >
              Stop
            </Button>
            <Button size="small" tone="quiet" onClick={again}>
              Refresh
            </Button>
            <Button size="small" tone="quiet" onClick={() => void run(save(null))}>
              Remove command
            </Button>
          </>
        )}
      </div>
      {failure === null ? null : <ErrorNote title={`The server of ${name}`} failure={failure} />}
      <LeftProcesses left={status.left} />
      {status.log === '' ? null : (
        <Field label="What it printed">
          <Textarea isMono readOnly rows={8} value={status.log} />
        </Field>
      )}
    </details>
  );
}

function LeftProcesses({ left }: Pick<ServerStatus, 'left'>): ReactNode {
  if (left.length === 0) return null;
  return (
    <>
      <p role="status">The server has ended, but what it started still runs. Stop ends it:</p>
      <ul>
        {left.map(({ pid, command }) => (
          <li key={pid}>
            Process {pid}: <code>{command}</code>
          </li>
        ))}
      </ul>
    </>
  );
}

type ServerFieldsProps = { shown: ManagedServer; onChange: (change: Partial<ManagedServer>) => void };

function ServerFields({ shown, onChange }: ServerFieldsProps): ReactNode {
  return (
    <>
      <Field
        label="Command that starts it"
        help="Run when an episode or the console needs the server, without a shell; stopped when Interject closes."
      >
        <Input
          isMono
          value={shown.command}
          placeholder="python -m uvicorn my_env.server.app:app --port 8000"
          onChange={({ target }) => onChange({ command: target.value })}
        />
      </Field>
      <Field label="Folder" hint="Empty for Interject’s data folder.">
        <Input
          isMono
          value={shown.cwd ?? ''}
          onChange={({ target }) => onChange({ cwd: target.value === '' ? null : target.value })}
        />
      </Field>
      <Field
        label="Variables"
        help="NAME=value, one a line. They stand in settings.json as they are: no secrets."
      >
        <Textarea
          isMono
          rows={2}
          defaultValue={Object.entries(shown.env)
            .map(([key, value]) => `${key}=${value}`)
            .join('\n')}
          onChange={({ target }) => onChange({ env: variablesIn(target.value) })}
        />
      </Field>
      <Field label="Ready when this address answers" help="Empty for /health of the environment’s address.">
        <Input
          isMono
          value={shown.health_url ?? ''}
          onChange={({ target }) => onChange({ health_url: target.value === '' ? null : target.value })}
        />
      </Field>
      <Field label="Stop after minutes without a session" hint="Empty to keep it running.">
        <Input
          type="number"
          min={1}
          value={shown.idle_minutes ?? ''}
          onChange={({ target }) =>
            onChange({ idle_minutes: target.valueAsNumber > 0 ? target.valueAsNumber : null })
          }
        />
      </Field>
      <label>
        <input
          type="checkbox"
          checked={shown.uses_shell}
          onChange={({ target }) => onChange({ uses_shell: target.checked })}
        />{' '}
        Run through a shell (pipes, variables and wildcards work then)
      </label>
    </>
  );
}

const variablesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const at = line.indexOf('=');
      return at < 1 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1)]];
    }),
  );
