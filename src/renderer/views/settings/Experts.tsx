// The roster of experts: who is in it and what each came to, adding and changing one, and which question goes to whom.
import { useState, type ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { plainName, QuestionKind, SKILLS, type Expert, type Roster } from '../../../shared/experts/roster.ts';
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
} from './SettingsForm.tsx';
import * as styles from './SettingsView.module.css';

type Figures = Outputs['experts.figures']['figures'][number];

export const Experts = (): ReactNode => (
  <SettingsSection
    id="experts"
    title="Experts"
    about="People and models an agent can ask. A question goes to the one it names, or by the table below. A model drafts with its own profile; a person sees their questions first."
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
      <ExpertRoutes key={JSON.stringify(roster.routes)} roster={roster} onSave={save} />
    </>
  );
}

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
    <ul className={styles.environments} aria-label="Experts">
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
          ? 'The agent may ask by it. A role says more than a person’s name.'
          : `${replaced.name} is in the roster already: saving replaces it.`,
    },
    {
      name: 'kind',
      label: 'Who it is',
      options: [
        { value: 'model', label: 'A model' },
        { value: 'person', label: 'A person' },
      ],
    },
    isModel
      ? {
          name: 'profile',
          label: 'Its model profile',
          hint: profiles.length === 0 ? 'Save a model profile first, above.' : undefined,
          options: [
            { value: '', label: 'Choose a profile' },
            ...profiles.map(({ name, model }) => ({ value: name, label: `${name} (${model})` })),
          ],
        }
      : {
          name: 'seat',
          label: 'Their invite',
          hint: invites.length === 0 ? 'Make an invite first, below.' : undefined,
          options: [
            { value: '', label: 'Choose an invite' },
            ...invites.map(({ seat, label }) => ({ value: seat, label })),
          ],
        },
    {
      name: 'skills',
      label: 'Skills',
      help: `With commas between: ${SKILLS.join(', ')}, or words of your own.`,
    },
    {
      name: 'askFor',
      label: 'What to ask it for',
      help: 'One line that the agent reads.',
      maxLength: 200,
    },
    {
      name: 'prompt',
      label: 'Instructions',
      help: 'Empty: those of the advisor.',
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

const QUESTION_LABELS: Readonly<Record<QuestionKind, string>> = {
  format_error: 'After a format error',
  tool_errors: 'After repeated tool errors',
  start: 'At the start',
  other: 'Any other question',
};
type RouteDraft = Readonly<Record<QuestionKind | 'seconds', string>>;
const ROUTE_FIELDS: readonly FormField<RouteDraft>[] = [
  ...QuestionKind.options.map((name) => ({ name, label: QUESTION_LABELS[name], maxLength: 40 })),
  {
    name: 'seconds',
    label: 'A person sees it first for (seconds)',
    help: 'At most half of the time a question may wait.',
    kind: 'number',
  },
];

/** Which skill a kind of question goes to, and how long a person sees theirs first. */
function ExpertRoutes({ roster, onSave }: { roster: Roster; onSave: SaveRoster }): ReactNode {
  const [draft, setDraft] = useState<RouteDraft>({ ...roster.routes, seconds: String(roster.seat_first_s) });
  const { seconds, ...routes } = draft;
  const first = Number(seconds);
  const isReady =
    Object.values(draft).every((text) => text.trim() !== '') &&
    Number.isInteger(first) &&
    first >= 0 &&
    first <= 3600;
  return (
    <SaveForm
      label="Which question goes to whom"
      fields={ROUTE_FIELDS}
      draft={draft}
      onDraft={setDraft}
      isReady={isReady}
      onSave={() => onSave({ ...roster, routes, seat_first_s: first })}
      saveLabel="Save table"
      problem="Could not save the table"
    />
  );
}
