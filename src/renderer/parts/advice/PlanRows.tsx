// A plan as rows to fill in: tool, arguments, purpose, in order, with the free text around it.
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { isRecord, tryJson } from '../../../shared/json.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Field, Input, Select, Textarea } from '../../ui/Field.tsx';
import { argumentProblems, type ArgumentProblem } from './argumentProblems.ts';
import { nearest } from './nearest.ts';
import type { KnownTool } from './planCheck.ts';
import * as styles from './PlanRows.module.css';
import { sheetOf, withAdded, withAround, withMoved, withoutRow, withRow, type PlanRow } from './planRows.ts';

type PlanRowsProps = {
  text: string;
  tools: readonly KnownTool[];
  isReadOnly: boolean;
  onChange: (text: string) => void;
};

export function PlanRows({ text, tools, isReadOnly, onChange }: PlanRowsProps): ReactNode {
  const { rows, before, after, form } = sheetOf(text);
  const around = (label: string, value: string, change: (next: string) => string): ReactNode => (
    <Field label={label}>
      <Textarea
        rows={Math.min(6, value.split('\n').length)}
        value={value}
        readOnly={isReadOnly}
        onChange={({ target }) => onChange(change(target.value))}
      />
    </Field>
  );
  return (
    <section className={styles.plan} aria-label="Plan">
      {before.trim() === '' && form !== 'none'
        ? null
        : around('Text before the plan', before, (next) => withAround(text, { before: next }))}
      <ol className={styles.rows}>
        {rows.map((row, index) => (
          <PlanRowEditor
            // Rows have no name of their own: their place is all there is.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            row={row}
            index={index}
            count={rows.length}
            tools={tools}
            hasPurpose={form === 'json'}
            isReadOnly={isReadOnly}
            onRow={(change) => onChange(withRow(text, index, change))}
            onMove={(by) => onChange(withMoved(text, index, by))}
            onRemove={() => onChange(withoutRow(text, index))}
          />
        ))}
      </ol>
      {isReadOnly ? null : (
        <Button
          size="small"
          icon={<Plus />}
          onClick={() => onChange(withAdded(text, tools[0]?.name ?? 'tool_name'))}
        >
          Add a call
        </Button>
      )}
      {after.trim() === ''
        ? null
        : around('Text after the plan', after, (next) => withAround(text, { after: next }))}
    </section>
  );
}

type RowProps = {
  row: PlanRow;
  index: number;
  count: number;
  tools: readonly KnownTool[];
  hasPurpose: boolean;
  isReadOnly: boolean;
  onRow: (change: Partial<PlanRow>) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
};

function PlanRowEditor(props: RowProps): ReactNode {
  const { row, index, count, tools, hasPurpose, isReadOnly, onRow, onMove, onRemove } = props;
  const number = String(index + 1);
  const names = tools.map(({ name }) => name);
  const isKnown = names.includes(row.tool) || names.length === 0;
  const instead = isKnown ? null : nearest(row.tool, names);
  const options = [...(names.includes(row.tool) ? [] : [row.tool]), ...names];
  return (
    <li className={styles.row}>
      <div className={styles.line}>
        <Field
          label={`${number}. Tool`}
          error={isKnown ? null : `There is no tool named "${row.tool}".`}
          className={styles.tool}
        >
          <Select
            value={row.tool}
            disabled={isReadOnly}
            options={options.map((value) => ({ value, label: value === '' ? 'Choose a tool' : value }))}
            onChoose={(tool) => onRow({ tool })}
          />
        </Field>
        {instead === null ? null : (
          <Button size="small" onClick={() => onRow({ tool: instead })}>{`Use ${instead}`}</Button>
        )}
        {isReadOnly ? null : (
          <span className={styles.acts}>
            <IconButton
              label={`Move call ${number} up`}
              icon={<ArrowUp />}
              isDisabled={index === 0}
              onClick={() => onMove(-1)}
            />
            <IconButton
              label={`Move call ${number} down`}
              icon={<ArrowDown />}
              isDisabled={index === count - 1}
              onClick={() => onMove(1)}
            />
            <IconButton label={`Remove call ${number}`} icon={<X />} onClick={onRemove} />
          </span>
        )}
      </div>
      <Arguments {...props} schema={tools.find(({ name }) => name === row.tool)?.input_schema ?? {}} />
      {hasPurpose ? (
        <Field label={`${number}. Purpose`}>
          <Input
            value={row.purpose ?? ''}
            readOnly={isReadOnly}
            onChange={({ target }) => onRow({ purpose: target.value === '' ? null : target.value })}
          />
        </Field>
      ) : null}
    </li>
  );
}

/** What is typed stands until it can be read; the plan has the last that could. */
function Arguments({
  row,
  index,
  schema,
  isReadOnly,
  onRow,
}: RowProps & { schema: Record<string, unknown> }): ReactNode {
  const kept = JSON.stringify(row.args);
  const [typed, setTyped] = useState({ text: kept, of: kept });
  if (typed.of !== kept) setTyped({ text: kept, of: kept });
  const parsed = readObject(typed.text);
  const problems =
    parsed === null
      ? ['Not a valid JSON object yet. The plan keeps the last valid one.']
      : argumentProblems(schema, parsed).map(problemText);
  const type = (text: string): void => {
    const next = readObject(text);
    setTyped({ text, of: next === null ? kept : JSON.stringify(next) });
    if (next !== null) onRow({ args: next });
  };
  return (
    <Field
      label={`${String(index + 1)}. Arguments`}
      error={problems.length === 0 ? null : problems.join(' ')}
    >
      <Textarea
        isMono
        rows={Math.min(8, typed.text.split('\n').length)}
        value={typed.text}
        readOnly={isReadOnly}
        onChange={({ target }) => type(target.value)}
      />
    </Field>
  );
}

function problemText({ kind, path, message, instead }: ArgumentProblem): string {
  switch (kind) {
    case 'missing':
      return `It needs "${path}".`;
    case 'unknown':
      return `It takes no "${path}"${instead === null ? '' : `; it takes "${instead}"`}.`;
    case 'unfit':
      return `${path === '' ? 'It' : `"${path}"`} ${message}.`;
  }
}

function readObject(text: string): Record<string, unknown> | null {
  const value = tryJson(text);
  return isRecord(value) ? value : null;
}
