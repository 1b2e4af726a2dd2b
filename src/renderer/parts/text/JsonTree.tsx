// A JSON value as a tree to open, search and copy from.
import { ChevronDown, ChevronRight, Search } from 'lucide-react';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { cx } from '../../ui/cx.ts';
import { Input } from '../../ui/Field.tsx';
import {
  countFound,
  EMPTY_TREE,
  jsonLines,
  MEMBERS_PER_PAGE,
  type JsonLine,
  type TreeState,
} from './jsonTree.ts';
import * as styles from './JsonTree.module.css';
import { formatBytes, formatCount } from './size.ts';
import { VisibleText } from './VisibleText.tsx';

/** A tree with fewer lines than this is read faster than it is searched. */
const SEARCH_FROM = 30;
const VALUE_FOLD = 400;

export function JsonTree({ value, label }: { value: unknown; label: string }): ReactNode {
  const [state, setState] = useState<TreeState>(EMPTY_TREE);
  const lines = useMemo(() => jsonLines(value, state), [value, state]);
  const found = useMemo(() => countFound(value, state.query), [value, state.query]);
  const [active, setActive] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const [isSearchable] = useState(() => jsonLines(value, EMPTY_TREE).length >= SEARCH_FROM);
  const toggle = (path: string): void =>
    setState((old) => {
      const toggled = new Set(old.toggled);
      if (!toggled.delete(path)) toggled.add(path);
      return { ...old, toggled };
    });
  const listMore = (path: string, shown: number): void =>
    setState((old) => ({ ...old, listed: new Map(old.listed).set(path, shown + MEMBERS_PER_PAGE) }));
  return (
    <div className={styles.tree}>
      {isSearchable ? (
        <div className={styles.search}>
          <Input
            type="search"
            aria-label={`Find in ${label}`}
            placeholder="Find in this value"
            icon={<Search />}
            value={state.query}
            onChange={({ target }) =>
              setState((old) => ({ ...old, query: target.value, toggled: new Set<string>() }))
            }
          />
          <span className={styles.found} role="status">
            {state.query.trim() === '' ? '' : `${String(found)} found`}
          </span>
        </div>
      ) : null}
      <ul
        ref={list}
        className={styles.lines}
        role="tree"
        aria-label={label}
        onKeyDown={(event) => {
          const move = treeMove(event.key, lines, active);
          if (move === null) return;
          event.preventDefault();
          if (move.toggle !== null) toggle(move.toggle);
          list.current?.querySelectorAll<HTMLElement>(':scope > li')[move.index]?.focus();
        }}
      >
        {lines.map((line, index) =>
          line.type === 'more' ? (
            <li key={`${line.path}/more`} role="none" style={{ paddingLeft: indent(line.depth) }}>
              <Button size="small" tone="quiet" onClick={() => listMore(line.path, line.shown)}>
                {`Show ${String(Math.min(MEMBERS_PER_PAGE, line.size - line.shown))} more of ${formatCount(line.size, 'member')}`}
              </Button>
            </li>
          ) : (
            <TreeLine
              key={line.path}
              line={line}
              isReachable={index === Math.min(active, lines.length - 1)}
              onReach={() => setActive(index)}
              onToggle={toggle}
            />
          ),
        )}
      </ul>
    </div>
  );
}

const indent = (depth: number): string => `${String(depth * 14)}px`;

/** The target of an arrow key, and what it opens or closes. */
export function treeMove(
  key: string,
  lines: readonly JsonLine[],
  active: number,
): { index: number; toggle: string | null } | null {
  const line = lines[active];
  const clamp = (index: number): number => Math.max(0, Math.min(lines.length - 1, index));
  if (key === 'ArrowDown' || key === 'ArrowUp')
    return { index: clamp(active + (key === 'ArrowDown' ? 1 : -1)), toggle: null };
  if (line?.type !== 'value') return null;
  if (key === 'ArrowRight') {
    return line.size > 0 && !line.isOpen
      ? { index: active, toggle: line.path }
      : { index: clamp(active + (line.isOpen ? 1 : 0)), toggle: null };
  }
  if (key !== 'ArrowLeft') return null;
  if (line.isOpen) return { index: active, toggle: line.path };
  const parent = lines.findLastIndex((other, index) => index < active && other.depth < line.depth);
  return { index: Math.max(0, parent), toggle: null };
}

type ValueLine = Extract<JsonLine, { type: 'value' }>;
type TreeLineProps = {
  line: ValueLine;
  /** The one line that Tab reaches; arrow keys lead to the others. */
  isReachable: boolean;
  onReach: () => void;
  onToggle: (path: string) => void;
};

function TreeLine({ line, isReachable, onReach, onToggle }: TreeLineProps): ReactNode {
  const [isHot, setIsHot] = useState(false);
  const isBranch = line.size > 0;
  return (
    <li
      className={cx(styles.line, line.isFound && styles.isFound)}
      style={{ paddingLeft: indent(line.depth) }}
      role="treeitem"
      aria-level={line.depth + 1}
      aria-selected={false}
      {...(isBranch ? { 'aria-expanded': line.isOpen } : {})}
      tabIndex={isReachable ? 0 : -1}
      onFocus={() => {
        setIsHot(true);
        onReach();
      }}
      onBlur={() => setIsHot(false)}
      onPointerEnter={() => setIsHot(true)}
      onPointerLeave={() => setIsHot(false)}
    >
      {isBranch ? (
        <span className={styles.toggle} onClick={() => onToggle(line.path)}>
          {line.isOpen ? <ChevronDown aria-hidden="true" /> : <ChevronRight aria-hidden="true" />}
          <LineName line={line} />
          <span className={styles.size}>{branchLabel(line)}</span>
        </span>
      ) : (
        <span className={styles.leaf}>
          <LineName line={line} />
          <LineValue line={line} />
        </span>
      )}
      {isHot ? (
        <span className={styles.actions}>
          <CopyButton label="Copy the value" text={() => copyOf(line.value)} />
          <CopyButton label={`Copy the path ${line.path}`} text={line.path} />
        </span>
      ) : null}
    </li>
  );
}

const copyOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'null');

const branchLabel = ({ kind, size }: ValueLine): string =>
  kind === 'array' ? `[${formatCount(size, 'item')}]` : `{${formatCount(size, 'member')}}`;

function LineName({ line }: { line: ValueLine }): ReactNode {
  if (line.name === null) return null;
  return (
    <span className={styles.name}>
      <VisibleText text={String(line.name)} />:
    </span>
  );
}

function LineValue({ line: { kind, value } }: { line: ValueLine }): ReactNode {
  const [isWhole, setIsWhole] = useState(false);
  if (kind === 'object' || kind === 'array') return <span>{kind === 'array' ? '[]' : '{}'}</span>;
  if (typeof value !== 'string')
    return <span className={styles[`value_${kind}`]}>{JSON.stringify(value) ?? 'null'}</span>;
  const isFolded = value.length > VALUE_FOLD && !isWhole;
  return (
    <span className={styles.value_string}>
      <VisibleText text={isFolded ? `"${value.slice(0, VALUE_FOLD)}…` : `"${value}"`} />
      {isFolded ? (
        <button type="button" className={styles.unfold} onClick={() => setIsWhole(true)}>
          show all, {formatBytes(new TextEncoder().encode(value).length)}
        </button>
      ) : null}
    </span>
  );
}
