// Planning a bench: everything is chosen here, looked at as a plan, and fixed once it starts.
import { useEffect, useEffectEvent, useId, useRef, useState, type ReactNode } from 'react';
import { type BenchPlan, planDifferences } from '../../../shared/bench/plan.ts';
import { hasPerson } from '../../../shared/conditions.ts';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { countText } from '../../../shared/countText.ts';
import { kindOf } from '../../../shared/environmentKinds.ts';
import { TaskLists } from '../../../shared/split.ts';
import { jsonErrorAt } from '../../parts/advice/planCheck.ts';
import type { Session } from '../../state/session.ts';
import { useKeys, useSession } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { navigate } from '../../state/route.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input, Select } from '../../ui/Field.tsx';
import { OpenPane } from '../../ui/ListPage.tsx';
import { Segments } from '../../ui/Segments.tsx';
import {
  EMPTY_FORM,
  planInput,
  problemsOf,
  splitToBegin,
  ArmFields,
  BudgetFields,
  type BenchForm,
  type FormProblems,
} from './BenchFields.tsx';
import { PlanFacts } from './BenchResult.tsx';
import * as styles from './Bench.module.css';

/** Waits so long after the last key before main makes a plan. */
const TYPED_MS = 250;

/** `known`: the names of the benches there are. */
export function NewBench({ known }: { known: readonly string[] }): ReactNode {
  const { call } = useSession();
  const { form, change, discard } = useBenchDraft();
  const input = planInput(form);
  const plan = useAsk('bench.plan', input, { delayMs: TYPED_MS, keepsPrevious: false });
  const nameCheck = useNameCheck(plan.value?.plan ?? null, known);
  const problems = {
    ...problemsOf(form),
    ...(nameCheck.problem === null ? {} : { name: nameCheck.problem }),
  };
  const start = useAct(async () => {
    if (plan.value === null) return;
    const { name } = await call('bench.start', {
      plan: plan.value.plan,
      concurrency: Number(form.concurrency),
    });
    discard();
    navigate({ view: 'bench', bench: name, isNew: false });
  });
  const edit = (by: Partial<BenchForm>): void => {
    start.forget();
    change(by);
  };
  const isReady = plan.value !== null && !plan.isLoading && nameCheck.isFree;
  const root = useRef<HTMLDivElement>(null);
  const verdict = useRef<HTMLDivElement>(null);
  const failure = input === null ? null : (start.failure ?? plan.failure);
  // A refusal is below the fields: whoever pressed Start is led to it.
  const isRefused = start.failure !== null;
  useEffect(() => {
    if (isRefused) verdict.current?.focus();
  }, [isRefused]);
  const press = (): void => {
    if (isReady) return void start.run();
    const wrong = root.current?.querySelector<HTMLElement>('[aria-invalid]') ?? verdict.current;
    wrong?.focus();
    wrong?.scrollIntoView({ block: 'center' });
  };
  useKeys({ send: press }, 'overlay');
  return (
    <OpenPane
      label="New bench"
      title="New bench"
      head={
        <p className="quiet">
          Everything here is fixed once it starts: tasks, arms, runs, budgets, and the one comparison it is
          made for.
        </p>
      }
    >
      <div ref={root} className={styles.form}>
        <TaskFields form={form} problems={problems} onChange={edit} />
        <ArmFields form={form} problems={problems} onChange={edit} />
        <BudgetFields form={form} problems={problems} onChange={edit} />
      </div>
      <section className={styles.plan} aria-label="Plan">
        <h2 className={styles.sub}>Plan</h2>
        <div ref={verdict} tabIndex={-1}>
          {failure !== null ? (
            <ErrorNote
              title={isRefused ? 'Could not start the bench' : 'This cannot be run'}
              failure={failure}
            />
          ) : input === null ? (
            <p className="quiet">{missingText(form, Object.values(problems)[0])}</p>
          ) : plan.value === null ? (
            <p className="quiet">Checking …</p>
          ) : null}
        </div>
        {nameCheck.problem === null ? null : <p className="bad">{nameCheck.problem}</p>}
        {nameCheck.isSame ? <p>There is a bench of this name and plan: Start goes on with it.</p> : null}
        {plan.value === null ? null : <PlanPreview planned={plan.value} />}
        <div className={styles.buttons}>
          <Button
            tone="primary"
            chord="send"
            isBusy={start.isBusy}
            isDisabled={!isReady}
            onClick={() => void start.run()}
          >
            Start
          </Button>
          <Button
            onClick={() => {
              discard();
              navigate({ view: 'runs', run: null });
            }}
          >
            Cancel
          </Button>
        </div>
      </section>
    </OpenPane>
  );
}

function missingText(form: BenchForm, problem: string | undefined): string {
  if (problem !== undefined) return problem;
  if (form.split === '' && form.file === null) return 'Choose a split first.';
  return 'Choose a model profile for each checkpoint.';
}

function PlanPreview({ planned: { plan, episodes } }: { planned: Outputs['bench.plan'] }): ReactNode {
  const isAsking = plan.arms.some(({ condition }) => hasPerson(condition));
  return (
    <>
      <p>
        <b>{plan.name}</b>: {countText(episodes, 'episode')}, {countText(plan.tasks.length, 'task')} in{' '}
        {plan.arms.map(({ arm }) => arm).join(', ')}, {countText(plan.seeds.length, 'run')} of each.
      </p>
      {isAsking ? <p>Questions of people’s arms come to the desk.</p> : null}
      <PlanFacts plan={plan} />
    </>
  );
}

type FieldsProps = {
  form: BenchForm;
  problems: FormProblems;
  onChange: (by: Partial<BenchForm>) => void;
};

const SECTIONS = [
  { value: 'val', label: 'Held out (val)' },
  { value: 'train', label: 'Training (train)' },
] as const;

function TaskFields({ form, problems, onChange }: FieldsProps): ReactNode {
  const environments = useAsk('environments.list', {}).value?.environments ?? [];
  const splits = useAsk('bench.splits', {});
  const known = splits.value?.splits ?? [];
  const [hasChosen, setHasChosen] = useState(false);
  const root = useRef<HTMLFieldSetElement>(null);
  const isKnown = splits.value !== null || splits.failure !== null;
  const first = hasChosen ? null : splitToBegin(form, known);
  const choose = useEffectEvent(onChange);
  useEffect(() => {
    if (first !== null) choose({ split: first });
  }, [first]);
  // The form begins at its first field, which is there once the splits are known.
  useEffect(() => {
    if (isKnown) root.current?.querySelector<HTMLElement>('select, button')?.focus();
  }, [isKnown]);
  return (
    <fieldset ref={root} className={styles.set}>
      <legend className={styles.legend}>Tasks</legend>
      {splits.failure === null ? null : (
        <ErrorNote title="Could not read the splits" failure={splits.failure} />
      )}
      {known.length === 0 ? (
        <p className="quiet">
          No split is pinned in this data folder: <code>interject bench split</code> makes one, or pick a
          file.
        </p>
      ) : (
        <Field label="Split">
          <Select
            value={form.split}
            options={[
              { value: '', label: form.file === null ? 'A file …' : `File ${form.file.name}` },
              ...known.map(({ name, train, val }) => ({
                value: name,
                label: `${name}: ${String(train)} train, ${String(val)} val`,
              })),
            ]}
            onChoose={(split) => {
              setHasChosen(true);
              onChange({ split });
            }}
          />
        </Field>
      )}
      {form.split === '' ? (
        <SplitFile form={form} problem={problems.file ?? null} onChange={onChange} />
      ) : null}
      <div>
        <span className={styles.legend}>List</span>
        <Segments
          label="List of the split"
          options={SECTIONS}
          value={form.section}
          onChoose={(section) => onChange({ section })}
        />
      </div>
      <Field label="Environment">
        <Select
          value={form.environment}
          options={environments.map((spec) => ({
            value: spec.id,
            label: kindOf(spec).isPartOfProduct ? spec.name : `${spec.name}, ${spec.url}`,
          }))}
          onChoose={(environment) => onChange({ environment })}
        />
      </Field>
      <Field
        label="Tasks at most"
        hint="Drawn from the list. Empty: all (20 for two checkpoints)."
        error={problems.maxTasks ?? null}
      >
        <Input
          inputMode="numeric"
          value={form.maxTasks}
          onChange={({ target }) => onChange({ maxTasks: target.value })}
        />
      </Field>
    </fieldset>
  );
}

type SplitFileProps = Pick<FieldsProps, 'form' | 'onChange'> & { problem: string | null };

function SplitFile({ form, problem, onChange }: SplitFileProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const problemId = useId();
  return (
    <div className={styles.buttons}>
      <Button
        size="small"
        aria-invalid={problem === null ? undefined : true}
        aria-describedby={problem === null ? undefined : problemId}
        onClick={() => input.current?.click()}
      >
        Pick a split file
      </Button>
      <span className="quiet">{form.file?.name ?? 'JSON with train and val lists'}</span>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="A split file"
        accept=".json,application/json"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          target.value = '';
          if (file !== undefined)
            void file.text().then((text) => {
              const found = splitFileProblem(text);
              onChange({ split: '', file: { name: file.name, text, problem: found } });
            });
        }}
      />
      {problem === null ? null : (
        <p id={problemId} className="bad" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

const CHARACTERS_MAX = 4_000_000;
const EXCERPT_MAX = 40;

/** Names the place and what should stand there; null for a file that lists tasks. */
export function splitFileProblem(text: string): string | null {
  if (text.length > CHARACTERS_MAX) return 'The file is larger than 4 MB.';
  const at = jsonErrorAt(text);
  if (at !== null) return `Not JSON: line ${placeText(text, at)}.`;
  const value: unknown = JSON.parse(text);
  const { success, error } = TaskLists.safeParse(value);
  if (success) {
    const hasList = (value as TaskLists).train !== undefined || (value as TaskLists).val !== undefined;
    return hasList ? null : 'The file has neither a train nor a val list.';
  }
  const [list, index] = error.issues[0]?.path ?? [];
  if (list === undefined)
    return `The file holds ${kindText(value)}: it has to be an object with train and val.`;
  const found = (value as Record<string, unknown>)[String(list)];
  if (typeof index !== 'number' || !Array.isArray(found))
    return `${String(list)} is ${kindText(found)}: it has to be a list of ["scenario", task number].`;
  return `${String(list)}, entry ${String(index + 1)} is ${excerptOf(found[index])}: it has to be ["scenario", task number].`;
}

function placeText(text: string, at: number): string {
  const before = text.slice(0, at).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  const found = text.slice(at).trimStart() === '' ? 'the file ends' : `${excerptOf(text[at])} cannot stand`;
  return `${String(before.length)}, column ${String(column)}: ${found} here`;
}

function kindText(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function excerptOf(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > EXCERPT_MAX ? `${text.slice(0, EXCERPT_MAX)}…` : text;
}

/** In memory alone, until the page is closed. */
const drafts = new WeakMap<Session, BenchForm>();

type BenchDraft = {
  form: BenchForm;
  change: (by: Partial<BenchForm>) => void;
  /** The next form is an empty one. */
  discard: () => void;
};

export function useBenchDraft(): BenchDraft {
  const session = useSession();
  const [form, setForm] = useState(() => drafts.get(session) ?? EMPTY_FORM);
  return {
    form,
    change: (by) => {
      const next = { ...(drafts.get(session) ?? EMPTY_FORM), ...by };
      drafts.set(session, next);
      setForm(next);
    },
    discard: () => void drafts.delete(session),
  };
}

type NameCheck = {
  /** Names what the bench of this name was planned with otherwise. */
  problem: string | null;
  /** A bench of this name has the same plan. */
  isSame: boolean;
  isFree: boolean;
};

/** The problem with a name that a bench has already; null for one of the same plan. */
function nameProblem(planned: BenchPlan, wanted: BenchPlan): string | null {
  const differing = planDifferences(planned, wanted);
  if (differing.length === 0) return null;
  return `${planned.name} is taken by a bench with other ${differing.join(', ')}. Choose another name.`;
}

export function useNameCheck(plan: BenchPlan | null, known: readonly string[]): NameCheck {
  const isTaken = plan !== null && known.includes(plan.name);
  const { value, failure } = useAsk('bench.show', isTaken ? { name: plan.name } : null, {
    keepsPrevious: false,
  });
  const problem = isTaken && value !== null ? nameProblem(value.plan, plan) : null;
  return {
    problem,
    isSame: isTaken && value !== null && problem === null,
    // Start checks it again: where it cannot be read now, nobody is kept from it.
    isFree: !isTaken || failure !== null || (value !== null && problem === null),
  };
}
