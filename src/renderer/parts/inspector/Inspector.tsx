// The pane beside a timeline: the tools, the answer key, and what the view puts there.
import { Search } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { rewardsOf, type RewardPoint } from '../../../shared/episode/summary.ts';
import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import { isRecord } from '../../../shared/json.ts';
import type { Schema } from '../../../shared/schema/checkValue.ts';
import { Input } from '../../ui/Field.tsx';
import { Tabs, type Tab } from '../../ui/Tabs.tsx';
import { NumberTable } from '../figure/FigureView.tsx';
import { JsonTree } from '../text/JsonTree.tsx';
import { AnswerKey } from './AnswerKey.tsx';
import type { AnswerKeyState } from './useAnswerKey.ts';
import * as styles from './Inspector.module.css';

type Panel = 'tools' | 'key' | (string & {});

/** A panel of the view the inspector stands in. */
export type ExtraPanel = { id: string; label: string; mark?: ReactNode; panel: ReactNode };
/** A panel that was asked for; `count` tells one asking from the next. */
export type FrontPanel = { id: string; count: number };

type InspectorProps = {
  record: EpisodeRecord;
  answerKey: AnswerKeyState;
  seat: string;
  panels?: readonly ExtraPanel[];
  current: string;
  onChoose: (panel: string) => void;
};

export function Inspector(props: InspectorProps): ReactNode {
  const { record, answerKey, seat, panels = [], current, onChoose } = props;
  const rewards = useMemo(() => rewardsOf(record), [record]);
  const tabs: Tab<Panel>[] = [
    {
      id: 'tools',
      label: 'Tools',
      panel: <ToolList tools={record.tools.length > 0 ? record.tools : record.offered} />,
    },
    {
      id: 'key',
      label: 'Answer key',
      panel: <AnswerKey record={record} seat={seat} state={answerKey} />,
    },
    ...(rewards.some(({ reward }) => reward !== 0)
      ? [{ id: 'rewards', label: 'Rewards', panel: <RewardTable points={rewards} /> }]
      : []),
    ...panels,
  ];
  const shown = tabs.some(({ id }) => id === current) ? current : 'tools';
  return <Tabs label="Inspector" tabs={tabs} current={shown} onChoose={onChoose} />;
}

function RewardTable({ points }: { points: readonly RewardPoint[] }): ReactNode {
  const rows = points.map(({ turn, reward, total }) => [turn, reward, total]);
  return <NumberTable caption="Reward by turn" table={{ columns: ['Turn', 'Reward', 'So far'], rows }} />;
}

export function ToolList({ tools }: { tools: readonly ToolSpec[] }): ReactNode {
  const [query, setQuery] = useState('');
  const needle = query.trim().toLowerCase();
  const shown = tools.filter(({ name, description }) =>
    `${name} ${description}`.toLowerCase().includes(needle),
  );
  if (tools.length === 0) return <p className={styles.none}>No tools listed yet.</p>;
  return (
    <div className={styles.panel}>
      <Input
        type="search"
        aria-label="Search tools"
        placeholder={`Search ${String(tools.length)} tools`}
        icon={<Search />}
        value={query}
        onChange={({ target }) => setQuery(target.value)}
      />
      {shown.length === 0 ? <p className={styles.none}>No tool has that name.</p> : null}
      <ul className={styles.tools}>
        {shown.map((tool) => (
          <li key={tool.name}>
            <details className={styles.tool}>
              <summary>
                <code className={styles.toolName}>{tool.name}</code>
                <span className={styles.toolText}>{tool.description.trim().split('\n', 1)[0]}</span>
              </summary>
              <p className={styles.toolWhole}>{tool.description}</p>
              <Parameters tool={tool} />
            </details>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Parameters({ tool }: { tool: ToolSpec }): ReactNode {
  const parameters = parametersOf(tool.input_schema);
  return (
    <div className={styles.parameters}>
      {parameters.length === 0 ? <p className={styles.none}>Takes no arguments.</p> : null}
      <dl>
        {parameters.map(({ name, type, isRequired, description }) => (
          <div key={name} className={styles.parameter}>
            <dt>
              <code>{name}</code> <span className="quiet">{type}</span>{' '}
              {isRequired ? <span className="soft strong">required</span> : null}
            </dt>
            {description === '' ? null : <dd>{description}</dd>}
          </div>
        ))}
      </dl>
      <details>
        <summary className="quiet">Schema</summary>
        <JsonTree value={tool.input_schema} label={`Schema of ${tool.name}`} />
      </details>
    </div>
  );
}

type Parameter = { name: string; type: string; isRequired: boolean; description: string };

/** The arguments of a schema, required ones first. */
function parametersOf(schema: Schema): Parameter[] {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  return Object.entries(properties)
    .map(([name, property]) => ({
      name,
      type: isRecord(property) ? parameterType(property, 0) : 'any',
      isRequired: required.has(name),
      description:
        isRecord(property) && typeof property['description'] === 'string' ? property['description'] : '',
    }))
    .toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));
}

const PARAMETER_DEPTH_MAX = 3;

function parameterType(schema: Schema, depth: number): string {
  if (depth > PARAMETER_DEPTH_MAX) return 'any';
  const options = schema['enum'];
  if (Array.isArray(options)) return options.map((option) => JSON.stringify(option)).join(' | ');
  const any = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(any))
    return any
      .filter(isRecord)
      .map((one) => parameterType(one, depth + 1))
      .join(' | ');
  const { type, items } = schema;
  if (type === 'array') return `${isRecord(items) ? parameterType(items, depth + 1) : 'any'}[]`;
  if (Array.isArray(type)) return type.join(' | ');
  return typeof type === 'string' ? type : 'any';
}
