// The offer to an owner while there is no episode: four ways to begin, each a key away.
import { FileInput, FlaskConical, Plug, Server } from 'lucide-react';
import type { ReactNode } from 'react';
import { BUILT_IN } from '../../../shared/environmentKinds.ts';
import type { StartEpisode } from '../../../shared/contract/areas.ts';
import { optionKeys } from '../../state/keyboard.ts';
import { useKeys, useSession } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { navigate } from '../../state/route.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Kbd } from '../../ui/Kbd.tsx';
import * as styles from './Begin.module.css';

/** A scripted agent that fails and asks, with a person at the desk who gets a draft. */
const REHEARSAL: StartEpisode = {
  environment: BUILT_IN,
  scenario: 'loomline_workflows',
  task_idx: 0,
  agent: { policy: 'rehearsal', protocol: 'native', model: null },
  condition: 'human+draft',
  deadline_ms: null,
  fallback: 'wait',
  seed: 0,
  repeats: 1,
  limits: {},
  reset: {},
};

export function Begin({ level }: { level: 'h1' | 'h2' }): ReactNode {
  const { call } = useSession();
  const Title = level;
  const trying = useAct(async () => {
    await call('episode.start', REHEARSAL);
    // Its question comes to the desk.
    navigate({ view: 'desk' });
  });
  const tryIt = (): void => void trying.run();
  const connectEnvironment = (): void =>
    navigate({ view: 'setup', part: 'connect', section: 'environments' });
  const connectTrainer = (): void => navigate({ view: 'setup', part: 'connect', section: 'connect' });
  const openLogs = (): void => navigate({ view: 'episodes', isImporting: true });
  useKeys(optionKeys([tryIt, connectEnvironment, connectTrainer, openLogs]));
  return (
    <div className={styles.page}>
      <div className={styles.column}>
        <Title className={styles.title}>How do you want to begin?</Title>
        <p className={styles.lead}>Agents ask, you answer, and what you teach them becomes training data.</p>
        <ul className={styles.ways}>
          <Way
            chord="1"
            icon={<FlaskConical />}
            label={trying.isBusy ? 'Starting…' : 'Try it now'}
            isBusy={trying.isBusy}
            isFirst
            onChoose={tryIt}
          >
            A scripted agent gets stuck and asks you. No key, no network.
          </Way>
          <Way chord="2" icon={<Server />} label="Connect an environment" onChoose={connectEnvironment}>
            An OpenEnv server of yours, where an agent will work and ask.
          </Way>
          <Way chord="3" icon={<Plug />} label="Connect a trainer" onChoose={connectTrainer}>
            Change the addresses in a rollout script; it asks you here.
          </Way>
          <Way chord="4" icon={<FileInput />} label="Open logs" onChoose={openLogs}>
            Runs of other tools; their format is told by the content.
          </Way>
        </ul>
        {trying.failure === null ? null : (
          <ErrorNote title="Could not start the episode" failure={trying.failure} />
        )}
        <p className="quiet">
          <Kbd chord="episode.start" /> starts any task with any agent, <Kbd chord="keys.show" /> shows every
          key.
        </p>
      </div>
    </div>
  );
}

type WayProps = {
  chord: string;
  icon: ReactNode;
  label: string;
  isBusy?: boolean;
  isFirst?: boolean;
  onChoose: () => void;
  children: ReactNode;
};

function Way({
  chord,
  icon,
  label,
  isBusy = false,
  isFirst = false,
  onChoose,
  children,
}: WayProps): ReactNode {
  return (
    <li>
      <button
        type="button"
        className={styles.way}
        aria-busy={isBusy}
        data-primary={isFirst ? '' : undefined}
        disabled={isBusy}
        onClick={onChoose}
      >
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
        <span className={styles.words}>
          <strong>{label}</strong>
          <span className="soft">{children}</span>
        </span>
        <span aria-hidden="true">
          <Kbd chord={chord} />
        </span>
      </button>
    </li>
  );
}
