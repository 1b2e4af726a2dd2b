// Choosing a tool by what it does: typed words find it, arrows move, Enter takes it.
import { Search } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { descriptionLine, phraseOf, titleOf, wordsOf } from '../../../shared/sentences/words.ts';
import { cx } from '../../ui/cx.ts';
import { Input } from '../../ui/Field.tsx';
import type { KnownTool } from '../advice/planCheck.ts';
import { VisibleText } from '../text/VisibleText.tsx';
import * as styles from './Plan.module.css';

type ToolChooserProps = {
  label: string;
  tools: readonly KnownTool[];
  onChoose: (tool: string) => void;
  onLeave: () => void;
};

export function ToolChooser({ label, tools, onChoose, onLeave }: ToolChooserProps): ReactNode {
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const listId = useId();
  const found = useMemo(() => searchTools(tools, query), [tools, query]);
  const at = Math.min(active, found.length - 1);
  useLayoutEffect(() => field.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    const isMove = key === 'ArrowDown' || key === 'ArrowUp';
    if (!isMove && key !== 'Enter' && key !== 'Escape') return;
    if (event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (isMove) setActive(Math.max(0, Math.min(found.length - 1, at + (key === 'ArrowDown' ? 1 : -1))));
    else if (key === 'Escape') onLeave();
    else if (found[at] !== undefined) onChoose(found[at].name);
  };
  return (
    <div className={styles.chooser}>
      <Input
        ref={field}
        role="combobox"
        aria-label={label}
        aria-expanded
        aria-controls={listId}
        aria-autocomplete="list"
        {...(found[at] === undefined ? {} : { 'aria-activedescendant': `${listId}${String(at)}` })}
        icon={<Search />}
        placeholder="What should the agent do?"
        value={query}
        onChange={({ target }) => {
          setQuery(target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
        onBlur={onLeave}
      />
      <ul id={listId} role="listbox" aria-label="Tools" className={styles.tools}>
        {found.map(({ name, title, detail }, index) => (
          <li
            key={name}
            id={`${listId}${String(index)}`}
            role="option"
            aria-selected={index === at}
            className={cx(styles.tool, index === at && styles.isActive)}
            ref={index === at ? (node) => node?.scrollIntoView({ block: 'nearest' }) : undefined}
            // A press must not take the focus away first: leaving the field closes the list.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onChoose(name)}
          >
            <span>
              <VisibleText text={title} /> <code>{name}</code>
            </span>
            {detail === '' ? null : (
              <span className="quiet small breaks">
                <VisibleText text={detail} />
              </span>
            )}
          </li>
        ))}
      </ul>
      {found.length === 0 ? <p className="quiet small breaks">No tool fits these words.</p> : null}
    </div>
  );
}

type ToolChoice = { name: string; title: string; detail: string };

/** A tool in words: its heading or its name, and what its description says first. */
function toolChoice({ name, description = '' }: KnownTool): ToolChoice {
  const words = phraseOf(wordsOf(name));
  const title = titleOf(description) ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  const detail = descriptionLine(description);
  return { name, title, detail: detail === title ? '' : detail };
}

/** The tools in which every word of the query stands; those that have it in name or heading come first. */
function searchTools(tools: readonly KnownTool[], query: string): ToolChoice[] {
  const words = query
    .toLowerCase()
    .split(/[\s_]+/)
    .filter((word) => word !== '');
  return tools
    .map(toolChoice)
    .map((choice) => {
      const heading = `${choice.name} ${choice.title}`.toLowerCase();
      const all = `${heading} ${choice.detail}`.toLowerCase();
      const rank = words.every((word) => heading.includes(word))
        ? 0
        : words.every((word) => all.includes(word))
          ? 1
          : 2;
      return { choice, rank };
    })
    .filter(({ rank }) => rank < 2)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ choice }) => choice);
}
