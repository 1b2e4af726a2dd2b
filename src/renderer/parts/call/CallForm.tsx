// Writing a call in the agent's own vocabulary: which tool, and its arguments as a form or as JSON.
import { Wrench } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import { Button } from '../../ui/Button.tsx';
import { Combobox } from '../../ui/Combobox.tsx';
import { Field, Input, Textarea } from '../../ui/Field.tsx';
import { ArgumentForm } from './ArgumentForm.tsx';
import * as styles from './CallForm.module.css';
import {
  CHECKED_BY_OWN_FORM,
  formDifferences,
  ownForm,
  type ProposedCall,
} from '../../../shared/schema/ownForm.ts';
import { type Wrong, wrongText } from '../../../shared/schema/checkValue.ts';
import { schemaFields } from './schemaForm.ts';
import { writtenArguments, asForm, asJson, forTool, writtenWrongs, type WrittenCall } from './writtenCall.ts';

type CallFormProps = {
  tools: readonly ToolSpec[];
  written: WrittenCall;
  onChange: (written: WrittenCall) => void;
  /** The call as the agent made it: its own form is all there is where no tools are listed. */
  proposed?: ProposedCall;
  isReadOnly?: boolean;
  /** Someone tried to send it: what is missing is said only from then on. */
  isTried?: boolean;
};

export function CallForm(props: CallFormProps): ReactNode {
  const { tools, written, onChange, proposed, isReadOnly = false, isTried = false } = props;
  const own = useMemo(
    () => (tools.length === 0 && proposed !== undefined ? ownForm(proposed) : undefined),
    [tools, proposed],
  );
  const tool = own ?? tools.find(({ name }) => name === written.tool);
  const fields = useMemo(() => (tool === undefined ? null : schemaFields(tool.input_schema)), [tool]);
  const all = useMemo(() => writtenWrongs(written, tools), [written, tools]);
  const wrongs = isTried ? all : all.filter(({ kind }) => kind !== 'missing');
  const isJson = written.raw !== null || fields === null;
  const { fault } = writtenArguments(written);
  return (
    <div className="stack-3 shrinks">
      {tools.length === 0 ? (
        <Field label="Tool">
          <Input
            value={written.tool}
            readOnly={isReadOnly}
            onChange={({ target }) => onChange({ ...written, tool: target.value })}
          />
        </Field>
      ) : (
        <ToolPicker tools={tools} written={written} onChange={onChange} isReadOnly={isReadOnly} />
      )}
      {tool === undefined || tool.description === '' ? null : (
        <details className={styles.about}>
          <summary>{tool.description.trim().split('\n', 1)[0]}</summary>
          <p>{tool.description}</p>
        </details>
      )}
      <div className={styles.modes} role="group" aria-label="Arguments as">
        <Button
          size="small"
          aria-pressed={!isJson}
          isDisabled={fields === null || fault !== null}
          onClick={() => onChange(asForm(written))}
        >
          Form
        </Button>
        <Button size="small" aria-pressed={isJson} onClick={() => onChange(asJson(written))}>
          JSON
        </Button>
      </div>
      {isJson || fields === null ? (
        <RawArguments
          written={written}
          wrongs={wrongs}
          hasForm={fields !== null}
          isReadOnly={isReadOnly}
          onChange={onChange}
        />
      ) : (
        <ArgumentForm
          fields={fields}
          value={written.args}
          wrongs={wrongs}
          isReadOnly={isReadOnly}
          onChange={(args) => onChange({ ...written, args: { ...args } })}
        />
      )}
      {isJson || fields === null ? null : (
        <Elsewhere wrongs={wrongs} names={fields.map(({ name }) => name)} />
      )}
      {proposed === undefined || own === undefined ? null : <ByOwnForm {...{ proposed, written }} />}
    </div>
  );
}

/** That nothing but the call itself says what its tool takes, and what was written otherwise than it had it. */
function ByOwnForm({ proposed, written }: { proposed: ProposedCall; written: WrittenCall }): ReactNode {
  const { args } = writtenArguments(written);
  const different =
    args === null ? [] : formDifferences(proposed, { tool_name: written.tool, arguments: args });
  return (
    <p className={styles.about} role="status">
      {CHECKED_BY_OWN_FORM}
      {different.length === 0 ? null : (
        <strong>{` Different from the proposed call: ${different.join('; ')}.`}</strong>
      )}
    </p>
  );
}

const OPTIONS_MAX = 200;

function ToolPicker({
  tools,
  written,
  onChange,
  isReadOnly,
}: Required<Omit<CallFormProps, 'isTried' | 'proposed'>>): ReactNode {
  const [query, setQuery] = useState('');
  const options = useMemo(() => {
    const needle = query.trim().toLowerCase();
    return tools
      .filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(needle))
      .toSorted((a, b) => Number(b.name.includes(needle)) - Number(a.name.includes(needle)))
      .slice(0, OPTIONS_MAX)
      .map(({ name, description }) => ({
        value: name,
        label: name,
        detail: description.trim().split('\n', 1)[0] ?? '',
      }));
  }, [tools, query]);
  return (
    <Field label="Tool">
      <Combobox
        value={written.tool}
        options={isReadOnly ? [] : options}
        onQuery={(text) => {
          setQuery(text);
          if (!isReadOnly && text !== written.sought) onChange({ ...written, sought: text });
        }}
        onLeave={() => {
          if (written.sought !== '') onChange({ ...written, sought: '' });
        }}
        onChoose={(name) => {
          const chosen = tools.find((tool) => tool.name === name);
          if (chosen === undefined || isReadOnly) return;
          onChange(name === written.tool ? { ...written, sought: '' } : forTool(written, chosen));
        }}
        placeholder="Choose a tool"
        emptyText="No tool has that name."
        icon={<Wrench />}
      />
    </Field>
  );
}

function RawArguments({
  written,
  wrongs,
  hasForm,
  isReadOnly,
  onChange,
}: {
  written: WrittenCall;
  wrongs: readonly Wrong[];
  hasForm: boolean;
  isReadOnly: boolean;
  onChange: (written: WrittenCall) => void;
}): ReactNode {
  const text = asJson(written).raw ?? '';
  return (
    <Field
      label="Arguments as JSON"
      error={wrongs.length === 0 ? null : wrongText(wrongs)}
      {...(hasForm ? {} : { hint: 'This tool’s schema cannot be shown as a form. Edit the JSON instead.' })}
    >
      <Textarea
        isMono
        rows={Math.min(20, Math.max(5, text.split('\n').length + 1))}
        value={text}
        readOnly={isReadOnly}
        onChange={({ target }) => onChange({ ...written, raw: target.value })}
      />
    </Field>
  );
}

/** Problems with arguments the form has no field for. */
function Elsewhere({ wrongs, names }: { wrongs: readonly Wrong[]; names: readonly string[] }): ReactNode {
  const known = new Set(names);
  const rest = wrongs.filter(({ path }) => !known.has(path.split('.', 1)[0] ?? ''));
  if (rest.length === 0) return null;
  return (
    <p className="bad small" role="alert">
      {wrongText(rest)}
    </p>
  );
}
