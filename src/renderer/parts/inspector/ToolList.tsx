// The tools an agent has, each with what it takes.
import { Search } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import { Input } from '../../ui/Field.tsx';
import { JsonTree } from '../text/JsonTree.tsx';
import * as styles from './Inspector.module.css';
import { parametersOf } from './parameters.ts';

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
