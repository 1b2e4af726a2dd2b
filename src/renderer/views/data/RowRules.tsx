// The rules about outcomes, authors, which rows and how they are written.
import * as styles from './Rules.module.css';
import { type ReactNode, useState, useRef, type DragEvent } from 'react';
import type { Doubtful, ExportFormat } from '../../../shared/contract/export.ts';
import { Condition } from '../../../shared/events/lifecycle.ts';
import { ROW_CONDITION_LABELS } from '../../parts/episode/episodeRowText.ts';
import {
  ChoiceRule,
  NumberRule,
  SetRule,
  SwitchRule,
  type RulesProps,
  RuleFrame,
  RuleNumberField,
} from './RuleField.tsx';
import { FORMATS } from '../../../shared/export/formats.ts';
import { SlidersHorizontal, FileUp } from 'lucide-react';
import { FilterChips } from '../../parts/episode/FilterChips.tsx';
import { FilterFields } from '../../parts/episode/FilterDialog.tsx';
import { formatCount } from '../../parts/text/size.ts';
import { formatRoute } from '../../state/route.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { formatMoment } from '../../ui/time.ts';
import type { PastExport } from './exportJobs.ts';
import { cx } from '../../ui/cx.ts';
import { Field, Textarea } from '../../ui/Field.tsx';
import { readHeldOut } from './rulesModel.ts';

export function EndRules(form: RulesProps): ReactNode {
  const { rules, onRules } = form;
  return (
    <>
      <ChoiceRule
        {...form}
        name="verdict"
        label="What the verifier said"
        hint="For the whole episode. The format’s description says what it takes by default."
        value={rules.verdict ?? 'format'}
        options={[
          { value: 'format', label: 'Format default' },
          { value: 'completed', label: 'Complete' },
          { value: 'verified', label: 'Any verdict' },
          { value: 'any', label: 'Any verdict or none' },
        ]}
        onChoose={(verdict) => onRules({ ...rules, verdict: verdict === 'format' ? null : verdict })}
      />
      <SetRule
        {...form}
        name="conditions"
        label="Condition"
        hint="Who could advise in the episode."
        values={rules.conditions}
        options={Condition.options.map((value) => ({ value, label: ROW_CONDITION_LABELS[value] }))}
        onValues={(conditions) => onRules({ ...rules, conditions })}
      />
    </>
  );
}

const AUTHORS = [
  { value: 'human', label: 'A person' },
  { value: 'model', label: 'A model' },
  { value: 'scripted', label: 'A rule or an answers file' },
  { value: 'agent', label: 'The agent itself' },
  { value: 'unknown', label: 'Not recorded' },
] as const;

export function AdviceRules(form: RulesProps): ReactNode {
  const { rules, onRules } = form;
  return (
    <>
      <SetRule
        {...form}
        name="actors"
        label="Author"
        hint="Who gave the advice or made the choice that a row teaches."
        values={rules.actors}
        options={AUTHORS}
        onValues={(actors) => onRules({ ...rules, actors })}
      />
      <ChoiceRule
        {...form}
        name="privilege"
        label="Authors who saw the answer"
        hint="Such advice teaches what the agent could not have known. Every row records what its author had seen."
        value={rules.privilege}
        options={[
          { value: 'flag', label: 'Keep their rows, marked' },
          { value: 'leak_free', label: 'Leave their rows out' },
          { value: 'strip', label: 'Remove the expert’s turns' },
        ]}
        onChoose={(privilege) => onRules({ ...rules, privilege })}
      />
    </>
  );
}

const DOUBTFUL: readonly { value: Doubtful; label: string }[] = [
  { value: 'timeouts', label: 'Rows where no one answered in time' },
  { value: 'late', label: 'Late advice, which the agent never read' },
  { value: 'fabricated', label: 'Results that a person wrote and the environment never returned' },
  { value: 'contrary', label: 'Rows that the outcome or another row contradicts' },
  { value: 'duplicates', label: 'Duplicates: of identical rows, not only the first' },
];

export function ChosenRows(form: RulesProps): ReactNode {
  const { rules, onRules } = form;
  return (
    <>
      <SetRule
        {...form}
        name="include"
        label="Include"
        hint="All of these are left out by default."
        values={rules.include}
        options={DOUBTFUL}
        onValues={(include) => onRules({ ...rules, include: include ?? [] })}
      />
      <SwitchRule
        {...form}
        name="failed_calls"
        label="Train calls that the environment refused"
        hint="Calls of tools that are not there, or with wrong arguments. Otherwise they are read but never trained."
        isOn={rules.failed_calls === 'keep'}
        onTurn={(isOn) => onRules({ ...rules, failed_calls: isOn ? 'keep' : 'skip' })}
      />
      <NumberRule
        {...form}
        name="cap_per_task"
        label="Maximum rows per task"
        hint="Prevents frequently played tasks from dominating."
        value={rules.cap_per_task}
        range={{ min: 1, max: 1e9, isWhole: true, says: 'A whole number from 1' }}
        onValue={(cap) => onRules({ ...rules, cap_per_task: cap })}
      />
    </>
  );
}

export function FormRules({ format, ...form }: RulesProps & { format: ExportFormat }): ReactNode {
  const { rules, onRules } = form;
  const isChosen = FORMATS[format].hasStyle === true;
  const hint = (words: string): string =>
    isChosen ? words : 'This format has only one form, or no place for it.';
  return (
    <>
      <ChoiceRule
        {...form}
        name="arguments"
        label="Arguments of a tool call"
        hint={hint('Most chat templates expect an object; DeepSeek V3’s expects a string.')}
        value={rules.arguments}
        options={[
          { value: 'object', label: 'As an object' },
          { value: 'string', label: 'As a string of JSON' },
        ]}
        isDisabled={!isChosen}
        onChoose={(form_) => onRules({ ...rules, arguments: form_ })}
      />
      <SwitchRule
        {...form}
        name="reasoning"
        label="Include the agent’s reasoning"
        hint={hint(
          'As reasoning_content. Without it, templates of reasoning models train an empty think block.',
        )}
        isOn={rules.reasoning}
        isDisabled={!isChosen}
        onTurn={(reasoning) => onRules({ ...rules, reasoning })}
      />
      <ChoiceRule
        {...form}
        name="words"
        label="Words beside a person’s call, and both calls of a pair"
        hint={hint('The same on both sides, so that a pair teaches the call alone.')}
        value={rules.words}
        options={[
          { value: 'none', label: 'None' },
          { value: 'reason', label: 'The person’s reason' },
          { value: 'agent', label: 'What the agent had said' },
        ]}
        isDisabled={!isChosen}
        onChoose={(words) => onRules({ ...rules, words })}
      />
    </>
  );
}

export function EpisodeRules({
  history,
  ...form
}: RulesProps & { history: readonly PastExport[] }): ReactNode {
  const { rules, onRules } = form;
  return (
    <>
      {rules.episodes === null ? null : (
        <RuleFrame {...form} name="episodes" label="Selected episodes">
          <p>
            <strong>{`${formatCount(rules.episodes.length, 'episode')} selected in Episodes`}</strong>
          </p>
          <p className={styles.hint}>Only these are read, and only if they match the filter.</p>
          <Button size="small" onClick={() => onRules({ ...rules, episodes: null })}>
            Include all episodes
          </Button>
        </RuleFrame>
      )}
      <FilterRule {...form} />
      <SinceRule {...form} history={history} />
    </>
  );
}

function FilterRule(form: RulesProps): ReactNode {
  const { rules, onRules } = form;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <RuleFrame {...form} name="filter" label="Filter">
      <p className={styles.legend}>Filter</p>
      {Object.keys(rules.filter).length === 0 ? <p>All ended episodes</p> : null}
      <FilterChips filter={rules.filter} onFilter={(filter) => onRules({ ...rules, filter })} />
      <Button size="small" icon={<SlidersHorizontal />} onClick={() => setIsOpen(true)}>
        Filter…
      </Button>
      <p className={styles.hint}>
        As <a href={formatRoute({ view: 'episodes' })}>Episodes</a> filters its list. Running episodes are
        left out.
      </p>
      {isOpen ? (
        <Dialog
          isOpen
          onClose={() => setIsOpen(false)}
          title="Which episodes"
          description="All conditions must match."
          footer={
            <>
              <Button tone="quiet" onClick={() => onRules({ ...rules, filter: {} })}>
                Clear all
              </Button>
              <Button tone="primary" onClick={() => setIsOpen(false)}>
                Done
              </Button>
            </>
          }
        >
          <div className={styles.fields}>
            <FilterFields filter={rules.filter} onFilter={(filter) => onRules({ ...rules, filter })} />
          </div>
        </Dialog>
      ) : null}
    </RuleFrame>
  );
}

/** Each export ends somewhere in the log; what ended after that is new. */
function SinceRule({ history, ...form }: RulesProps & { history: readonly PastExport[] }): ReactNode {
  const { rules, onRules } = form;
  const earlier = history.flatMap(({ at, format, log_to: to }) =>
    to === null ? [] : [{ value: String(to), label: `after ${format}, ${formatMoment(at)}` }],
  );
  const value = rules.after_seq === null ? 'all' : String(rules.after_seq);
  const isKnown = value === 'all' || earlier.some((one) => one.value === value);
  const options = [
    { value: 'all', label: 'Everything' },
    ...new Map(earlier.map((one) => [one.value, one])).values(),
    ...(isKnown ? [] : [{ value, label: `after event ${value}` }]),
  ];
  return (
    <ChoiceRule
      {...form}
      name="after_seq"
      label="Only what is new"
      hint="Leaves out episodes that an earlier export already covered."
      value={value}
      options={options}
      onChoose={(chosen) => onRules({ ...rules, after_seq: chosen === 'all' ? null : Number(chosen) })}
    />
  );
}

/** A tenth, the same tasks each time. */
const USUAL_SPLIT = { share: 0.1, seed: 0 } as const;

export function SplitRules(form: RulesProps): ReactNode {
  return (
    <>
      <ValidationRule {...form} />
      <HeldOutRule {...form} />
    </>
  );
}

function ValidationRule(form: RulesProps): ReactNode {
  const {
    rules,
    rules: { validation },
    onRules,
  } = form;
  return (
    <RuleFrame {...form} name="validation" label="Validation">
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={validation !== null}
          aria-describedby="validation-hint"
          onChange={({ target }) =>
            onRules({ ...rules, validation: target.checked ? { ...USUAL_SPLIT } : null })
          }
        />
        Hold out tasks for validation
      </label>
      <p className={styles.hint} id="validation-hint">
        Whole tasks, never single rows. The same seed always selects the same tasks.
      </p>
      {validation === null ? null : (
        <div className={styles.pair}>
          <RuleNumberField
            label="Share of tasks, %"
            value={Number((validation.share * 100).toFixed(4))}
            range={{ min: 0.1, max: 90, isWhole: false, says: 'From 0.1 to 90' }}
            onValue={(percent) =>
              onRules({
                ...rules,
                validation: { ...validation, share: percent === null ? USUAL_SPLIT.share : percent / 100 },
              })
            }
          />
          <RuleNumberField
            label="Seed"
            value={validation.seed}
            range={{
              min: Number.MIN_SAFE_INTEGER,
              max: Number.MAX_SAFE_INTEGER,
              isWhole: true,
              says: 'A whole number',
            }}
            onValue={(seed) =>
              onRules({ ...rules, validation: { ...validation, seed: seed ?? USUAL_SPLIT.seed } })
            }
          />
        </div>
      )}
    </RuleFrame>
  );
}

function HeldOutRule(form: RulesProps): ReactNode {
  const { rules, onRules } = form;
  const [pasted, setPasted] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isOver, setIsOver] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const take = (text: string): void => {
    const read = text.trim() === '' ? null : readHeldOut(text);
    setProblem(read?.ok === false ? read.why : null);
    setPasted(read?.ok === false ? text.slice(0, TASKS_SHOWN_MAX) : '');
    if (read?.ok === true) onRules({ ...rules, held_out: read.value });
  };
  const takeFile = (given: File | undefined): void => {
    if (given === undefined) return;
    given.text().then(take, () => setProblem(`${given.name} could not be read`));
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    setIsOver(false);
    takeFile(event.dataTransfer.files[0]);
  };
  return (
    <RuleFrame {...form} name="held_out" label="Held-out tasks">
      <div
        className={cx(styles.drop, isOver && styles.isOver)}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        <Field
          label="Held-out tasks"
          error={problem}
          hint="Paste or drop a split manifest. Tasks on its “val” list are kept for evaluation and never exported."
        >
          <Textarea
            isMono
            rows={2}
            value={pasted}
            placeholder={'{"train": […], "val": [["scenario", 0], …]}'}
            onChange={({ target }) => take(target.value)}
          />
        </Field>
        <div className={styles.acts}>
          <Button size="small" icon={<FileUp />} onClick={() => file.current?.click()}>
            Choose a file…
          </Button>
          <span role="status">
            {rules.held_out.length === 0
              ? 'None held out'
              : `${formatCount(rules.held_out.length, 'task')} held out`}
          </span>
        </div>
        <input
          ref={file}
          type="file"
          accept=".json,application/json"
          hidden
          aria-label="Split manifest"
          onChange={({ target }) => {
            takeFile(target.files?.[0]);
            target.value = '';
          }}
        />
      </div>
    </RuleFrame>
  );
}

/** Of what could not be read, enough to see what it is. */
const TASKS_SHOWN_MAX = 2000;
