// The library's list: what of each episode it is narrowed and ordered by, in a table slim enough to be read through
// at 100,000 episodes, and the tags people gave. Written in the event's own transaction; rebuildable from the log
// alone.
import type { EpisodeFilter, EpisodeOrder, OrderBy } from '../../shared/contract/library.ts';
import { NEWEST_FIRST } from '../../shared/contract/library.ts';
import { EpisodeRow } from '../../shared/episode/rowShapes.ts';
import { InterventionLift } from '../../shared/lift/intervention.ts';
import { Spending, sumSpending } from '../../shared/episode/spending.ts';
import type { EventOf } from '../../shared/events/vocabulary.ts';
import type { Database } from './database.ts';
import { GROUP } from './groups.ts';
import { IS_JUDGED, IS_JUDGED_BY } from './judgementCounts.ts';

type EpisodeQuery = {
  query: string;
  status: string | null;
  condition: string | null;
  filter?: EpisodeFilter | undefined;
  order?: EpisodeOrder | undefined;
  /** Leaves out what measures the advice of other episodes. */
  hidesContinuations?: boolean;
  offset: number;
  limit: number;
};

type EpisodeFacets = {
  environments: string[];
  scenarios: string[];
  runs: string[];
  tags: string[];
  reward_types: string[];
  reviewers: string[];
};

/** `help_unknown` counts what a filter for no advice leaves out because nobody knows; absent where none is asked for. */
type EpisodePage = {
  total: number;
  rows: EpisodeRow[];
  help_unknown?: number;
  /** What they spent on models, where a run was asked for. */
  spent?: Spending;
};

/** A row, and what the words of a query are looked for in. */
export type ListLine = { row: EpisodeRow; haystack: string };

export type EpisodeList = {
  /** `before`: as the list has it, if that is known. `index`: where it stood in the file it was imported from. */
  write: (line: ListLine, before: ListLine | null, index: number) => void;
  writeTags: (event: EventOf<'tags.changed'>) => void;
  page: (query: EpisodeQuery) => EpisodePage;
  /** The row with its tags. `known`: the row itself, where it need not be read. */
  one: (id: string, known?: EpisodeRow | null) => EpisodeRow | null;
  facets: () => EpisodeFacets;
};

/** In the order of the table's columns; what does not change is not written again. */
const LIST_COLUMNS = [
  'id',
  'started_at',
  'status',
  'source',
  'environment',
  'scenario',
  'task_idx',
  'condition',
  'outcome',
  'reward_type',
  'reward',
  'advised',
  'help_unknown',
  'human_acts',
  'labels',
  'leaked',
  'turns',
  'consultations',
  'tool_errors',
  'run',
  'haystack',
  'place',
] as const;
const CHANGING = LIST_COLUMNS.slice(2, -1);
const TURNS_AT = LIST_COLUMNS.indexOf('turns');
/** As many names as a person can choose from. */
const FACET_MAX = 500;

/** `judgements` of an episode count as labels, beside those that were given while it ran. */
export function createEpisodeList(db: Database, judgements: (episode: string) => number): EpisodeList {
  const upsert = db.prepare(
    `INSERT INTO episode_list (${LIST_COLUMNS.join(', ')}) VALUES (${LIST_COLUMNS.map(() => '?').join(', ')})
     ON CONFLICT (id) DO UPDATE SET ${CHANGING.map((name) => `${name} = excluded.${name}`).join(', ')}
     WHERE (${CHANGING.map((name) => `episode_list.${name}`).join(', ')})
       IS NOT (${CHANGING.map((name) => `excluded.${name}`).join(', ')})`,
  );
  // SQLite rewrites the index of every column that a statement names: a turn more is to cost one, not all of them.
  const count = db.prepare('UPDATE episode_list SET turns = ? WHERE id = ?');
  const addTag = db.prepare('INSERT OR IGNORE INTO tags (episode, tag) VALUES (?, ?)');
  const removeTag = db.prepare('DELETE FROM tags WHERE episode = ? AND tag = ?');
  const one = db.prepare<[string], { row: string }>('SELECT row FROM episodes WHERE id = ?');
  const tagsOf = db.prepare<[string], { tag: string }>('SELECT tag FROM tags WHERE episode = ? ORDER BY tag');
  const liftOf = db.prepare<[string], { measured: string }>(
    `SELECT json_extract(body, '$.measured') AS measured FROM events WHERE ${IS_LIFT('?')}
     ORDER BY json_extract(body, '$.measured.kind') = 'causal' DESC, n DESC LIMIT 1`,
  );
  const readRow = (id: string): EpisodeRow | null => {
    const found = one.get(id);
    return found === undefined ? null : EpisodeRow.parse(JSON.parse(found.row));
  };
  const read = (id: string, known: EpisodeRow | null = null): EpisodeRow | null => {
    const row = known ?? readRow(id);
    if (row === null) return null;
    const tags = tagsOf.all(id).map(({ tag }) => tag);
    const lift = liftOf.get(id)?.measured;
    return {
      ...row,
      labels: (row.labels ?? 0) + judgements(id),
      tags,
      ...(lift === undefined ? {} : { lift: InterventionLift.parse(JSON.parse(lift)) }),
    };
  };
  return {
    write: (line, before, index) => {
      const values = valuesOf(line);
      const was = before === null ? null : valuesOf(before);
      const isCounted = was !== null && values.every((value, at) => value === was[at] || at === TURNS_AT);
      if (isCounted && values[TURNS_AT] === was[TURNS_AT]) return;
      if (isCounted && count.run(line.row.turns, line.row.id).changes > 0) return;
      upsert.run(...values, -index);
    },
    writeTags: ({ episode, added, removed }) => {
      for (const tag of removed) removeTag.run(episode, tag);
      for (const tag of added) addTag.run(episode, tag);
    },
    one: read,
    page: (query) => episodePage(db, query, read),
    facets: () => episodeFacets(db),
  };
}

/** All but the last column's. */
const valuesOf = ({ row, haystack }: ListLine): (string | number | null)[] => [
  row.id,
  row.started_at,
  row.status,
  row.source,
  row.environment_key ?? '',
  row.scenario,
  row.task_idx,
  row.condition,
  row.outcome,
  row.reward_type,
  row.reward,
  row.advised ?? 0,
  row.help_unknown === true ? 1 : 0,
  row.human_acts,
  row.labels ?? 0,
  row.leaked ?? null,
  row.turns,
  row.consultations,
  row.tool_errors,
  row.run,
  haystack,
];

export const filterText = (row: EpisodeRow): string =>
  [row.id, row.scenario, row.task, row.model, row.environment, row.forked_from].join('\n').toLowerCase();

/** Measured lifts stand in streams of their own, which are few: they are looked up, not kept beside the list. */
const IS_LIFT = (id: string): string => `stream = 'lift/' || ${id} AND kind = 'lift.measured'`;

/** The last column of each order tells rows of the same value apart: newest first, those of a file in its order. */
const ORDERS: Readonly<Record<Exclude<OrderBy, 'running'>, readonly string[]>> = {
  started_at: ['started_at'],
  scenario: ['scenario', 'task_idx'],
  condition: ['condition'],
  turns: ['turns'],
  consultations: ['consultations'],
  tool_errors: ['tool_errors'],
  human_acts: ['human_acts'],
  reward: ['reward'],
  outcome: ['outcome'],
  lift: [
    `(SELECT json_extract(body, '$.measured.estimate') FROM events WHERE ${IS_LIFT('episode_list.id')}
       AND json_extract(body, '$.measured.kind') = 'causal' ORDER BY n DESC LIMIT 1)`,
  ],
};

/** Asks no line for its lift if none was measured. Running episodes are put on top by the reader of a page. */
function orderSql(db: Database, { by, is_ascending: isAscending }: EpisodeOrder): string {
  if (by === 'running' || (by === 'lift' && !hasLifts(db))) return orderSql(db, NEWEST_FIRST);
  const way = isAscending ? 'ASC' : 'DESC';
  // Both ends the same way, so that the index of the column is walked; what has no value comes last.
  const first = ORDERS[by].map((column) => `${column} ${way}${isAscending ? ' NULLS LAST' : ''}`);
  const last = [...(by === 'started_at' ? [] : ['started_at']), 'place', 'id'].map(
    (name) => `${name} ${way}`,
  );
  return [...first, ...last].join(', ');
}

const hasLifts = (db: Database): boolean =>
  db.prepare("SELECT 1 FROM events WHERE stream >= 'lift/' AND stream < 'lift0' LIMIT 1").get() !== undefined;

export type WhereClause = { sql: string[]; values: (string | number)[] };

/** SQL of a filter on the list's columns; the name of the table is `episode_list`. */
export function whereOf({
  query,
  status,
  condition,
  filter = {},
}: Pick<EpisodeQuery, 'query' | 'status' | 'condition' | 'filter'>): WhereClause {
  const where: WhereClause = { sql: [], values: [] };
  const add = (sql: string, ...values: (string | number | undefined)[]): void => {
    const given = values.filter((value) => value !== undefined);
    if (given.length !== values.length) return;
    where.sql.push(sql);
    where.values.push(...given);
  };
  add('status = ?', status ?? undefined);
  add('condition = ?', condition ?? undefined);
  for (const name of ['source', 'environment', 'scenario', 'outcome', 'reward_type', 'run'] as const) {
    add(`${name} = ?`, filter[name]);
  }
  add('reward >= ?', filter.reward_min);
  add('reward <= ?', filter.reward_max);
  add('started_at >= ?', filter.since);
  add('started_at < ?', filter.until);
  const counted = {
    'human_acts > 0': filter.has_step_ins,
    [`(labels > 0 OR ${IS_JUDGED})`]: filter.has_labels,
  };
  if (filter.has_advice !== undefined)
    add(filter.has_advice ? 'advised > 0' : 'advised = 0 AND help_unknown = 0');
  if (filter.has_leaks !== undefined) add(filter.has_leaks ? 'leaked > 0' : 'leaked = 0');
  for (const [sql, has] of Object.entries(counted)) if (has !== undefined) add(has ? sql : `NOT ${sql}`);
  add('EXISTS (SELECT 1 FROM draft_fates WHERE episode = episode_list.id AND fate = ?)', filter.draft);
  add(`id IN (SELECT id FROM episodes WHERE ${GROUP} = ?)`, filter.group);
  add(IS_JUDGED_BY, filter.reviewer);
  add('EXISTS (SELECT 1 FROM tags WHERE tags.episode = episode_list.id AND tag = ?)', filter.tag);
  for (const word of query.toLowerCase().split(/\s+/).filter(Boolean)) {
    add(`haystack LIKE ? ESCAPE '\\'`, `%${word.replace(/[\\%_]/g, '\\$&')}%`);
  }
  return where;
}

/** Episodes that a filter for no advice leaves out as nobody knows of any; null without that filter. */
export function helpUnknownWhere({ filter, ...query }: Parameters<typeof whereOf>[0]): WhereClause | null {
  if (filter?.has_advice !== false) return null;
  const { sql, values } = whereOf({ ...query, filter: { ...filter, has_advice: undefined } });
  return { sql: [...sql, 'advised = 0', 'help_unknown = 1'], values };
}

function episodePage(
  db: Database,
  query: EpisodeQuery,
  read: (id: string) => EpisodeRow | null,
): EpisodePage {
  const where = withoutContinuations(db, query, whereOf(query));
  const asked = helpUnknownWhere(query);
  const unknown = asked === null ? null : withoutContinuations(db, query, asked);
  return {
    total: countEpisodes(db, where),
    rows: pageIds(db, query, where).flatMap((id) => read(id) ?? []),
    ...(unknown === null ? {} : { help_unknown: countEpisodes(db, unknown) }),
    ...(query.filter?.run === undefined ? {} : spentBy(db, where)),
  };
}

/** The ids of a page. */
function pageIds(
  db: Database,
  { order = NEWEST_FIRST, offset, limit }: EpisodeQuery,
  where: WhereClause,
): string[] {
  const by = `ORDER BY ${orderSql(db, order)} LIMIT ? OFFSET ?`;
  const idsOf = (sql: string, ...values: unknown[]): string[] =>
    db
      .prepare<unknown[], { id: string }>(`${sql} ${by}`)
      .all(...values)
      .map(({ id }) => id);
  const running = order.by === 'running' ? runningIds(db) : [];
  if (running.length === 0)
    return idsOf(`SELECT id FROM episode_list ${whereSql(where)}`, ...where.values, limit, offset);
  // By their ids: the state stands in no index of a filter.
  const ids = JSON.stringify(running);
  const top = idsOf(
    `SELECT id FROM (SELECT value AS running FROM json_each(?)) CROSS JOIN episode_list ON id = running
     ${whereSql(where)}`,
    ids,
    ...where.values,
    running.length,
    0,
  );
  const page = top.slice(offset, offset + limit);
  const over = { ...where, sql: [...where.sql, 'id NOT IN (SELECT value FROM json_each(?))'] };
  const rest = [ids, limit - page.length, Math.max(0, offset - top.length)];
  return [...page, ...idsOf(`SELECT id FROM episode_list ${whereSql(over)}`, ...where.values, ...rest)];
}

const runningIds = (db: Database): string[] =>
  db
    .prepare<[], { id: string }>(
      "SELECT id FROM episode_list WHERE status IN ('starting', 'running', 'waiting')",
    )
    .all()
    .map(({ id }) => id);

/** The spending of a run's episodes together; nothing if no model was asked. */
function spentBy(db: Database, where: WhereClause): Pick<EpisodePage, 'spent'> {
  const all = db
    .prepare<unknown[], { spent: string | null }>(
      `SELECT json_extract(row, '$.spent') AS spent FROM episodes
       WHERE id IN (SELECT id FROM episode_list ${whereSql(where)})`,
    )
    .all(...where.values)
    .flatMap(({ spent }) => (spent === null ? [] : Spending.parse(JSON.parse(spent))));
  const spent = sumSpending(all);
  return spent === null ? {} : { spent };
}

const LIFTS = `SELECT json_extract(body, '$.plan.name') FROM events WHERE stream = 'lifts' AND kind = 'lift.planned'`;

/** A lift's name is the run of its continuations and of nothing else. */
function withoutContinuations(db: Database, query: EpisodeQuery, where: WhereClause): WhereClause {
  if (query.hidesContinuations !== true || db.prepare(`${LIFTS} LIMIT 1`).get() === undefined) return where;
  return { ...where, sql: [...where.sql, `(run IS NULL OR run NOT IN (${LIFTS}))`] };
}

const whereSql = ({ sql }: WhereClause): string => (sql.length === 0 ? '' : `WHERE ${sql.join(' AND ')}`);

export const countEpisodes = (db: Database, where: WhereClause): number =>
  db
    .prepare<unknown[], { total: number }>(`SELECT count(*) AS total FROM episode_list ${whereSql(where)}`)
    .get(...where.values)?.total ?? 0;

function episodeFacets(db: Database): EpisodeFacets {
  const names = (column: string, table = 'episode_list'): string[] =>
    db
      .prepare<[], { name: string }>(
        `SELECT DISTINCT ${column} AS name FROM ${table} WHERE ${column} IS NOT NULL
         ORDER BY ${column} LIMIT ${String(FACET_MAX)}`,
      )
      .all()
      .map(({ name }) => name);
  // From one name to the next through the index of the column, however many lines have each.
  const indexed = (column: string): string[] =>
    db
      .prepare<[], { name: string }>(
        `WITH RECURSIVE next (name) AS (
           SELECT min(${column}) FROM episode_list WHERE ${column} IS NOT NULL
           UNION ALL
           SELECT (SELECT min(${column}) FROM episode_list WHERE ${column} > name) FROM next WHERE name IS NOT NULL
         ) SELECT name FROM next WHERE name IS NOT NULL LIMIT ${String(FACET_MAX)}`,
      )
      .all()
      .map(({ name }) => name);
  return {
    environments: names('environment'),
    scenarios: indexed('scenario'),
    runs: indexed('run'),
    reward_types: indexed('reward_type'),
    tags: names('tag', 'tags'),
    reviewers: names('seat', 'judged'),
  };
}
