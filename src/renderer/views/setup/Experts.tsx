// The roster of experts: who is in it and what each came to, adding and changing one, and which question goes to whom.
import { useState, type ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { countText } from '../../../shared/countText.ts';
import { plainName, SKILLS, type Expert, type Roster } from '../../../shared/experts/roster.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { draftOf, EMPTY_EXPERT, expertOf, figureTexts, type ExpertDraft } from './expertText.ts';
import {
  NamedLine,
  RemoveButton,
  SaveForm,
  SettingsSection,
  type ChangeSettings,
  type FormField,
  type Settings,
} from './form.tsx';
import * as styles from './Setup.module.css';

type Figures = Outputs['experts.figures']['figures'][number];

export const Experts = (): ReactNode => (
  <SettingsSection
    id="experts"
    title="Experts"
    about={
      <p>
        People and models an agent can ask. A question goes to the one it names, or to a skill by its kind:{' '}
        <code>roster.routes</code> under Advanced. A model drafts with its own profile; a person sees their
        questions first.
      </p>
    }
  >
    {(settings, change) => <RosterForms settings={settings} change={change} />}
  </SettingsSection>
);

function RosterForms({ settings, change }: { settings: Settings; change: ChangeSettings }): ReactNode {
  const { roster } = settings;
  const figures = useAsk('experts.figures', {});
  const [changed, setChanged] = useState<Expert | null>(null);
  const save = async (next: Roster): Promise<void> => {
    await change({ roster: next });
    setChanged(null);
    figures.again();
  };
  return (
    <>
      <PeopleSummary />
      <ExpertList
        roster={roster}
        figures={figures.value?.figures ?? []}
        onSave={save}
        onChange={setChanged}
      />
      <ExpertForm
        key={changed?.name ?? ''}
        changed={changed}
        roster={roster}
        profiles={settings.profiles}
        onSave={save}
        onLeave={() => setChanged(null)}
      />
    </>
  );
}

/** The sum of people's time, over all episodes. */
function PeopleSummary(): ReactNode {
  const { value } = useAsk('people.summary', {});
  if (value === null || value.acts === 0) return null;
  const { minutes, minutes_last_hour: lastHour, acts, episodes, reward_per_minute: reward } = value;
  return (
    <p className="quiet">
      {`People gave ${minutesText(minutes)} in ${countText(acts, 'act')} on ${countText(episodes, 'episode')}, ${minutesText(lastHour)} of it in the last hour.`}
      {reward === null ? '' : ` Reward per minute: ${reward.toFixed(2)}.`}
    </p>
  );
}

const minutesText = (minutes: number): string =>
  minutes === 1 ? '1 minute' : `${minutes.toLocaleString('en', { maximumFractionDigits: 1 })} minutes`;

type SaveRoster = (roster: Roster) => Promise<void>;
type ExpertListProps = {
  roster: Roster;
  figures: readonly Figures[];
  onSave: SaveRoster;
  onChange: (expert: Expert) => void;
};

function ExpertList({ roster, figures, onSave, onChange }: ExpertListProps): ReactNode {
  const { run: remove } = useAct(
    (gone: string) => onSave({ ...roster, experts: roster.experts.filter(({ name }) => name !== gone) }),
    'Could not remove the expert',
  );
  const former = figures.filter(({ expert }) => !roster.experts.some(({ name }) => name === expert));
  return (
    <ul className={styles.list} aria-label="Experts">
      {roster.experts.map((expert) => (
        <NamedLine
          key={expert.name}
          name={expert.name}
          detail={
            <>
              <Badge tone={expert.kind === 'model' ? 'model' : 'human'}>
                {expert.kind === 'model' ? expert.profile : 'person'}
              </Badge>
              <span className="one-line shrinks quiet">{expert.skills.join(', ')}</span>
            </>
          }
          acts={
            <>
              <Button
                size="small"
                tone="quiet"
                aria-label={`Change ${expert.name}`}
                onClick={() => onChange(expert)}
              >
                Change
              </Button>
              <RemoveButton label={`Remove ${expert.name}`} onRemove={() => void remove(expert.name)} />
            </>
          }
        >
          <p>{expert.ask_for}</p>
          <FigureLine figures={figures.find((one) => one.expert === expert.name)} />
        </NamedLine>
      ))}
      {former.map((one) => (
        <NamedLine
          key={one.expert}
          name={one.expert}
          detail={<span className="one-line shrinks quiet">no longer in the roster</span>}
        >
          <FigureLine figures={one} />
        </NamedLine>
      ))}
    </ul>
  );
}

const FigureLine = ({ figures }: { figures: Figures | undefined }): ReactNode =>
  figures === undefined ? null : <p className="quiet">{figureTexts(figures).join(' · ')}</p>;

type ExpertFormProps = {
  /** The expert that is changed; null for a new one. */
  changed: Expert | null;
  roster: Roster;
  profiles: Settings['profiles'];
  onSave: SaveRoster;
  onLeave: () => void;
};

function ExpertForm({ changed, roster, profiles, onSave, onLeave }: ExpertFormProps): ReactNode {
  const invites = useAsk('access.list', {}).value?.invites ?? [];
  const [draft, setDraft] = useState(() => (changed === null ? EMPTY_EXPERT : draftOf(changed)));
  const expert = expertOf(draft);
  const isModel = draft.kind === 'model';
  // One of the same name is replaced in its place; a new one comes last.
  const same = plainName(changed?.name ?? draft.name);
  const place = roster.experts.findIndex(({ name }) => plainName(name) === same);
  const replaced = changed === null ? roster.experts[place] : undefined;
  const save = async (): Promise<void> => {
    if (expert === null) return;
    const { experts } = roster;
    await onSave({ ...roster, experts: place === -1 ? [...experts, expert] : experts.with(place, expert) });
    setDraft(EMPTY_EXPERT);
  };
  const fields: FormField<ExpertDraft>[] = [
    {
      name: 'name',
      label: 'Expert name',
      maxLength: 40,
      hint:
        replaced === undefined
          ? 'Needed. The agent may ask by it. A role says more than a person’s name.'
          : `${replaced.name} is in the roster already: saving replaces it.`,
    },
    {
      name: 'kind',
      label: 'Who it is',
      hint: 'A model unless set.',
      options: [
        { value: 'model', label: 'A model' },
        { value: 'person', label: 'A person' },
      ],
    },
    isModel
      ? {
          name: 'profile',
          label: 'Its model profile',
          hint: profiles.length === 0 ? 'Needed. Save a profile first, under Models.' : 'Needed.',
          options: [
            { value: '', label: 'Choose a profile' },
            ...profiles.map(({ name, model }) => ({ value: name, label: `${name} (${model})` })),
          ],
        }
      : {
          name: 'seat',
          label: 'Their invite',
          hint: invites.length === 0 ? 'Needed. Make an invite first, above.' : 'Needed.',
          options: [
            { value: '', label: 'Choose an invite' },
            ...invites.map(({ seat, label }) => ({ value: seat, label })),
          ],
        },
    {
      name: 'skills',
      label: 'Skills',
      hint: `Needed, with commas between: ${SKILLS.join(', ')}, or words of your own.`,
    },
    {
      name: 'askFor',
      label: 'What to ask it for',
      hint: 'Needed: one line that the agent reads.',
      maxLength: 200,
    },
    {
      name: 'prompt',
      label: 'Instructions',
      hint: 'Those of the advisor unless set.',
      kind: 'area',
      maxLength: 8000,
    },
  ];
  return (
    <SaveForm
      label={changed === null ? 'Add an expert' : 'Change an expert'}
      fields={fields.filter(({ name }) => isModel || name !== 'prompt')}
      draft={draft}
      onDraft={setDraft}
      isReady={expert !== null}
      onSave={save}
      saveLabel={replaced === undefined ? 'Save expert' : 'Replace expert'}
      problem="Could not save the expert"
      takesFocus={changed !== null}
      acts={
        changed === null ? null : (
          <Button tone="quiet" onClick={onLeave}>
            Leave as it was
          </Button>
        )
      }
    />
  );
}
