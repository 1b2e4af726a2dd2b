// The roster of experts: who is in it and what each came to, adding and changing one, and which question goes to whom.
import { Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { plainName, type Expert, type Roster } from '../../../shared/experts/roster.ts';
import { useSession } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { ExpertForm } from './ExpertForm.tsx';
import { ExpertRoutes } from './ExpertRoutes.tsx';
import { figureTexts } from './expertText.ts';
import * as styles from './SettingsView.module.css';

type Figures = Outputs['experts.figures']['figures'][number];

export function Experts(): ReactNode {
  const { call } = useSession();
  const { value, failure, again } = useAsk('settings.read', {});
  const figures = useAsk('experts.figures', {});
  const [changed, setChanged] = useState<Expert | null>(null);
  const save = async (roster: Roster): Promise<void> => {
    await call('settings.change', { roster });
    setChanged(null);
    again();
    figures.again();
  };
  return (
    <section className={styles.section} aria-labelledby="experts-title">
      <div className={styles.about}>
        <h2 id="experts-title" className={styles.title}>
          Experts
        </h2>
        <p>
          People and models an agent can ask. A question goes to the one it names, or by the table below. A
          model drafts with its own profile; a person sees their questions first.
        </p>
      </div>
      <div className={styles.fields}>
        {failure === null ? null : <ErrorNote title="Could not read the experts" failure={failure} />}
        {value === null && failure === null ? <Skeleton rows={2} label="Reading the experts" /> : null}
        {value === null ? null : (
          <>
            <ExpertList
              roster={value.roster}
              figures={figures.value?.figures ?? []}
              onSave={save}
              onChange={setChanged}
            />
            <ExpertForm
              key={changed?.name ?? ''}
              changed={changed}
              names={value.roster.experts.map(({ name }) => name)}
              onSave={(expert) => save(withExpert(value.roster, expert, changed))}
              onLeave={() => setChanged(null)}
            />
            <ExpertRoutes key={JSON.stringify(value.roster.routes)} roster={value.roster} onSave={save} />
          </>
        )}
      </div>
    </section>
  );
}

/** In the place of the one that is changed; else one of the same name is replaced, and a new one comes last. */
function withExpert(roster: Roster, expert: Expert, changed: Expert | null): Roster {
  const replaced = changed?.name ?? expert.name;
  const at = roster.experts.findIndex(({ name }) => plainName(name) === plainName(replaced));
  const experts = at === -1 ? [...roster.experts, expert] : roster.experts.with(at, expert);
  return { ...roster, experts };
}

type ExpertListProps = {
  roster: Roster;
  figures: readonly Figures[];
  onSave: (roster: Roster) => Promise<void>;
  /** Null where nothing can be changed. */
  onChange: ((expert: Expert) => void) | null;
};

function ExpertList({ roster, figures, onSave, onChange }: ExpertListProps): ReactNode {
  const remove = useAct(
    (gone: string) => onSave({ ...roster, experts: roster.experts.filter(({ name }) => name !== gone) }),
    'Could not remove the expert',
  );
  const former = figures.filter(({ expert }) => !roster.experts.some(({ name }) => name === expert));
  return (
    <ul className={styles.environments} aria-label="Experts">
      {roster.experts.map((expert) => (
        <li key={expert.name} className={styles.environment}>
          <div className={styles.environmentLine}>
            <span className={styles.environmentName}>{expert.name}</span>
            <Badge tone={expert.kind === 'model' ? 'model' : 'human'}>
              {expert.kind === 'model' ? expert.profile : 'person'}
            </Badge>
            <span className={styles.url}>{expert.skills.join(', ')}</span>
            <span className={styles.gap} />
            {onChange === null ? null : (
              <>
                <Button
                  size="small"
                  tone="quiet"
                  aria-label={`Change ${expert.name}`}
                  onClick={() => onChange(expert)}
                >
                  Change
                </Button>
                <IconButton
                  label={`Remove ${expert.name}`}
                  icon={<Trash2 />}
                  onClick={() => void remove.run(expert.name)}
                />
              </>
            )}
          </div>
          <p>{expert.ask_for}</p>
          <FigureLine figures={figures.find((one) => one.expert === expert.name)} />
        </li>
      ))}
      {former.map((one) => (
        <li key={one.expert} className={styles.environment}>
          <div className={styles.environmentLine}>
            <span className={styles.environmentName}>{one.expert}</span>
            <span className={styles.url}>no longer in the roster</span>
          </div>
          <FigureLine figures={one} />
        </li>
      ))}
    </ul>
  );
}

const FigureLine = ({ figures }: { figures: Figures | undefined }): ReactNode =>
  figures === undefined ? null : <p className={styles.cost}>{figureTexts(figures).join(' · ')}</p>;
