// With how much help a run goes on and why: its phase, the tasks that the expert left, hints, and each decision with what
// it was taken from.
import { useState, type ReactNode } from 'react';
import { formatPercent } from '../../../figures/text.ts';
import type { CurriculumDecision, CurriculumOverview } from '../../../shared/curriculum/overview.ts';
import type { TaskPlan } from '../../../shared/curriculum/plan.ts';
import { taskKey, type TaskName as Task } from '../../../shared/curriculum/rollout.ts';
import { SettingsChange, type CurriculumSteering } from '../../../shared/curriculum/settings.ts';
import { changeText, hintLabel, signalText, taskLabel } from '../../../shared/curriculum/words.ts';
import { tryJson } from '../../../shared/json.ts';
import { cutText, oneLine } from '../../parts/episode/taskTitle.ts';
import { TaskName } from '../../parts/episode/TaskTitle.tsx';
import { useTaskNames } from '../../parts/episode/useTaskNames.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAct, useAsk, type Answer } from '../../state/queries.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Select, Textarea } from '../../ui/Field.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import * as styles from './Training.module.css';

type Asked = Pick<
  Answer<{ overview: CurriculumOverview | null; key: string | null; revision: number }>,
  'value' | 'failure' | 'again'
> & { run: string };

export function CurriculumPanel({ run, value, failure, again }: Asked): ReactNode {
  return (
    <section className={styles.curriculum} aria-label="Curriculum">
      <h2>Curriculum</h2>
      {failure !== null ? (
        <ErrorNote title="Could not read the curriculum" failure={failure} again={again} />
      ) : value === null ? (
        <Skeleton rows={2} height={32} label="Loading the curriculum" />
      ) : value.overview === null ? (
        <p className="quiet">
          No decisions yet. A trainer that asks <code>POST /curriculum/next</code> before each step is told
          here with how much help to go on; the training kit does.
        </p>
      ) : (
        <Overview run={run} overview={value.overview} again={again} />
      )}
      {value === null ? null : <SteeringForm run={run} keyName={value.key} done={again} />}
    </section>
  );
}

type NameOf = (task: Task) => string | null;

/** The words of the run's tasks, and of those that its decisions were about. */
function useCurriculumNames({ plan, decisions }: CurriculumOverview): NameOf {
  const changed = decisions.flatMap(({ changes }) =>
    changes.flatMap((change) => (change.what === 'difficulty' ? [] : [change])),
  );
  return useTaskNames({ tasks: [...plan.tasks, ...changed] }).ofTask;
}

type OverviewProps = { run: string; overview: CurriculumOverview; again: () => void };

function Overview({ run, overview, again }: OverviewProps): ReactNode {
  const { plan, settings } = overview;
  const nameOf = useCurriculumNames(overview);
  const gone = plan.tasks.filter(({ has_expert: has }) => !has);
  const hinted = plan.tasks.filter(({ hint }) => hint !== 'none');
  const closed = plan.tasks.filter(({ is_open: isOpen }) => !isOpen);
  const { fixed_share: fixed } = settings.phases;
  return (
    <>
      <p className={styles.standing}>
        <span>Step {plan.step}</span>
        <Badge tone="accent">{fixed === null ? plan.phase : `fixed share ${formatPercent(fixed)}`}</Badge>
        <span>
          {plan.split.expert} of {plan.group} with an expert
        </span>
        {plan.level === null ? null : <Badge>{plan.level} at most</Badge>}
      </p>
      <dl className={styles.facts}>
        <TaskList
          name="Without the expert"
          tasks={gone}
          total={plan.tasks.length}
          nameOf={nameOf}
          text={(task) => `${String(task.solved)} of ${String(task.of)} alone`}
        />
        <TaskList
          name="With a hint"
          tasks={hinted}
          total={plan.tasks.length}
          nameOf={nameOf}
          text={(task) => hintLabel(task.hint)}
        />
        {closed.length === 0 ? null : (
          <TaskList
            name="Not played yet"
            tasks={closed}
            total={plan.tasks.length}
            nameOf={nameOf}
            text={(task) => task.difficulty ?? ''}
          />
        )}
      </dl>
      <h3>Decisions</h3>
      <ol className={styles.decisions}>
        {overview.decisions.map((decision) => (
          <Decision key={decision.step} run={run} decision={decision} nameOf={nameOf} again={again} />
        ))}
      </ol>
      {overview.earlier === 0 ? null : (
        <p className="quiet">
          {overview.earlier.toLocaleString()} earlier: <code>interject report NAME --out DIR</code> lists them
          all.
        </p>
      )}
    </>
  );
}

const TASKS_SHOWN = 12;

function TaskList({
  name,
  tasks,
  total,
  nameOf,
  text,
}: {
  name: string;
  tasks: readonly TaskPlan[];
  total: number;
  nameOf: NameOf;
  text: (task: TaskPlan) => string;
}): ReactNode {
  const shown = tasks.slice(0, TASKS_SHOWN);
  const more = tasks.length - shown.length;
  return (
    <div>
      <dt>
        {name}: {tasks.length} of {total} {total === 1 ? 'task' : 'tasks'}
      </dt>
      <dd>
        <ul className={styles.tasks}>
          {shown.map((task) => (
            <li key={taskKey(task)}>
              <TaskName words={nameOf(task)} place={taskLabel(task)} />
              <span className="quiet">{text(task)}</span>
            </li>
          ))}
        </ul>
        {more > 0 ? <p className="quiet">{`${String(more)} more`}</p> : null}
      </dd>
    </div>
  );
}

const SENTENCE_WORDS_MAX = 60;

/** `“Pause the weekly supplier digest…” (loomline_workflows #1)` in a sentence; its place alone where it has no words. */
function quotedName(task: Task, nameOf: NameOf): string {
  const words = nameOf(task);
  return words === null
    ? taskLabel(task)
    : `“${cutText(oneLine(words), SENTENCE_WORDS_MAX)}” (${taskLabel(task)})`;
}

type DecisionProps = { run: string; decision: CurriculumDecision; nameOf: NameOf; again: () => void };

function Decision({ run, decision, nameOf, again }: DecisionProps): ReactNode {
  const act = useSteering(run, again);
  const { step, phase, split, signals, changes, rollouts, at } = decision;
  const moved = signals.filter(({ reason }) => reason === 'changes');
  const news = moved.length + changes.length;
  return (
    <li>
      <details>
        <summary>
          Step {step}: {phase}, {split.expert} : {split.solo}
          {news === 0 ? '' : `, ${String(news)} ${news === 1 ? 'change' : 'changes'}`}
          <span className="quiet">
            {' '}
            · <RelativeTime at={at} />
          </span>
        </summary>
        <ul>
          {signals.map((signal) => (
            <li key={signal.signal}>{signalText(signal)}</li>
          ))}
          {changes.map((change) => (
            <li key={JSON.stringify(change)}>{changeText(change, (task) => quotedName(task, nameOf))}</li>
          ))}
          <li className="quiet">
            Taken from {rollouts.toLocaleString()} {rollouts === 1 ? 'rollout' : 'rollouts'}
          </li>
        </ul>
        <Button
          size="small"
          isBusy={act.isBusy}
          title="This decision and all later ones are taken back, with what was reported since. The log keeps them."
          onClick={() => void act.run({ what: 'set_back', step }, `Set back to before step ${String(step)}`)}
        >
          Set back to before step {step}
        </Button>
      </details>
    </li>
  );
}

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
        hint="As JSON, by section; they hold from the next decision on. docs/runs.md#curriculum shows every one."
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
