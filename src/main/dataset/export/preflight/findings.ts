// Turns what the row checks found, and what only all rows together show, into the findings a person reads before
// writing.
import type { ExportReport, ExportRules, Finding } from '../../../../shared/contract/export.ts';
import type { Format } from '../format.ts';
import { keptEpisodes, SPLITS, type CollectedRows } from '../collectedRows.ts';
import { ROW_CHECKS } from './checks.ts';
import { eventFindings } from './privacy.ts';
import { nearTasks } from './nearTasks.ts';

/** Places of a finding that can be jumped to. */
const FINDING_PLACES_MAX = 20;
export const CHARS_PER_TOKEN = 4;
const LONG_TOKENS = 32_768;
/** A class that is rarer than this is hardly learnt. */
const RARE = 0.1;

type FindingPlace = Finding['at'][number];
type FindingsRequest = { format: Format; rules: ExportRules };

/** Everything to be said, errors first. */
export function findingsOf(collected: CollectedRows, asked: FindingsRequest): Finding[] {
  const all = [
    ...emptiness(collected, asked),
    ...unknownEpisodes(collected),
    ...damaged(collected),
    ...rowFindings(collected),
    ...eventFindings(keptMarks(collected)),
    ...emptyColumns(collected, asked),
    ...classSides(collected, asked),
    ...classes(collected),
    ...learners(collected),
    ...contamination(collected),
    ...duplicates(collected, asked),
    ...contradictions(collected, asked),
    ...size(collected),
  ];
  const order = ['error', 'warning', 'note'];
  return all.toSorted((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
}

const finding = (
  check: string,
  level: Finding['level'],
  message: string,
  count: number,
  at: FindingPlace[] = [],
): Finding => ({ check, level, message, count, at });

const damaged = ({ damaged: episodes }: CollectedRows): Finding[] =>
  episodes.length === 0
    ? []
    : [
        finding(
          'damaged',
          'warning',
          `${episodes.length === 1 ? '1 episode' : `${episodes.length.toLocaleString('en')} episodes`} cannot be read and gave no row: the log is damaged there. \`interject repair\` says what is left of it.`,
          episodes.length,
          episodes.slice(0, FINDING_PLACES_MAX).map((episode) => ({ episode, n: null })),
        ),
      ];

const rowPlace = ({ index, episodes }: CollectedRows, row: number): FindingPlace => {
  const { episode, n } = index.at(row);
  return { episode: episodes[episode] ?? '', n: n < 0 ? null : n };
};

const rowsWord = (count: number): string => (count === 1 ? '1 row' : `${count.toLocaleString('en')} rows`);
const ONE: Readonly<Record<string, string>> = {
  do: 'does',
  have: 'has',
  hold: 'holds',
  name: 'names',
  prefer: 'prefers',
  say: 'says',
  stay: 'stays',
  teach: 'teaches',
  were: 'was',
};
/** "1 row holds …", "2 rows hold …". */
const rowsThat = (count: number, says: string): string =>
  `${rowsWord(count)} ${count === 1 ? says.replace(/^\w+/, (verb) => ONE[verb] ?? verb) : says}.`;

function emptiness({ totals, read, dropped }: CollectedRows, { rules }: FindingsRequest): Finding[] {
  if (totals.rows > 0) return [];
  const isChosen = rules.episodes !== null || Object.keys(rules.filter).length > 0;
  const message =
    rules.after_seq !== null && read === 0
      ? `No episode${isChosen ? ' of those that are chosen' : ''} has ended since that export: there is nothing new to write.`
      : `No row is left: see what each rule left out, and loosen one${dropped['untrainable_failed'] === undefined ? '' : ' (--failed-calls keep takes calls that failed)'}.`;
  return [finding('no_rows', 'error', message, 0)];
}

function unknownEpisodes({ unknown: ids }: CollectedRows): Finding[] {
  if (ids.length === 0) return [];
  const named = ids.slice(0, 3).join(', ');
  const message = `${ids.length.toLocaleString('en')} of the chosen episodes ${ids.length === 1 ? 'is' : 'are'} not in this log: ${named}${ids.length > 3 ? ', …' : ''}.`;
  return [finding('unknown_episodes', 'warning', message, ids.length)];
}

function rowFindings(collected: CollectedRows): Finding[] {
  const counts = ROW_CHECKS.map(() => 0);
  const places = ROW_CHECKS.map((): FindingPlace[] => []);
  for (const row of collected.index.kept()) {
    const { found } = collected.index.at(row);
    if (found === 0) continue;
    ROW_CHECKS.forEach((_, bit) => {
      if ((found & (1 << bit)) === 0) return;
      counts[bit] = (counts[bit] ?? 0) + 1;
      if ((places[bit]?.length ?? 0) < FINDING_PLACES_MAX) places[bit]?.push(rowPlace(collected, row));
    });
  }
  return ROW_CHECKS.flatMap(({ check, level, says }, bit) => {
    const count = counts[bit] ?? 0;
    if (count === 0) return [];
    return [finding(check, level, rowsThat(count, says), count, places[bit])];
  });
}

/** Of the episodes that gave rows in the end. */
function keptMarks(collected: CollectedRows) {
  return [...keptEpisodes(collected)].flatMap((place) => {
    const [episode, found] = [collected.episodes[place], collected.marks[place]];
    return episode === undefined || found === undefined || found.bits === 0
      ? []
      : [{ episode, marks: found }];
  });
}

function emptyColumns({ index, keys, totals }: CollectedRows, { format }: FindingsRequest): Finding[] {
  if (totals.rows === 0) return [];
  let always = 0xffffffff;
  for (const row of index.kept()) always &= index.at(row).nulls;
  const mayBeNull = new Set(format.columns?.flatMap(({ name, isNullable }) => (isNullable ? [name] : [])));
  const empty = keys.filter((key, bit) => bit < 32 && (always & (1 << bit)) !== 0 && !mayBeNull.has(key));
  if (empty.length === 0) return [];
  const level = format.columns === null ? 'warning' : 'error';
  return [
    finding(
      'null_column',
      level,
      `No row has a value in ${empty.join(', ')}: a reader cannot tell the column’s type.`,
      empty.length,
    ),
  ];
}

function classes({ totals }: CollectedRows): Finding[] {
  const counts = Object.entries(totals.classes);
  if (counts.length === 0) return [];
  const words = counts.map(([label, count]) => `${label} ${count.toLocaleString('en')}`).join(', ');
  const least = Math.min(...counts.map(([, count]) => count));
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  const isRare = counts.length > 1 && least / all < RARE;
  return [
    finding(
      'class_balance',
      isRare ? 'warning' : 'note',
      `Classes: ${words}.${isRare ? ' The rarest is under a tenth.' : ''}`,
      least,
    ),
  ];
}

/** A pair of advice trains an advisor; the others train the agent. One trainer takes one of the two. */
function learners({ totals }: CollectedRows): Finding[] {
  const advice = totals.classes['advice'] ?? 0;
  if (advice === 0 || Object.keys(totals.classes).length < 2) return [];
  return [
    finding(
      'two_learners',
      'warning',
      `${rowsThat(advice, 'prefer one advice over another, to train an advisor')} The others train the agent: select by \`pair\`.`,
      advice,
    ),
  ];
}

function contamination(collected: CollectedRows): Finding[] {
  const { tasks, heldOut } = collected;
  const used = new Map<number, { isValidation: boolean; row: number; count: number }>();
  for (const row of collected.index.kept()) {
    const { task, isValidation } = collected.index.at(row);
    const one = used.get(task);
    if (one === undefined) used.set(task, { isValidation, row, count: 1 });
    else one.count += 1;
  }
  const train: [number, Uint32Array][] = [];
  const apart: [number, Uint32Array][] = heldOut.map((signature) => [-1, signature]);
  for (const [task, { isValidation }] of used) {
    const signature = tasks[task]?.signature ?? null;
    if (signature !== null) (isValidation ? apart : train).push([task, signature]);
  }
  if (apart.length === 0) return [];
  const near = nearTasks(train, apart);
  if (near.length === 0) return [];
  const isHeldOut = near.some(({ other }) => other === -1);
  const at = near
    .slice(0, FINDING_PLACES_MAX)
    .flatMap(({ task }) => used.get(task)?.row ?? [])
    .map((row) => rowPlace(collected, row));
  const where = isHeldOut ? 'held out or in validation' : 'in validation';
  return [
    finding(
      'contamination',
      'warning',
      `${near.length.toLocaleString('en')} ${near.length === 1 ? 'task that trains is' : 'tasks that train are'} worded nearly like one that is ${where}: what is measured there may have been learnt here.`,
      near.length,
      at,
    ),
  ];
}

const duplicates = ({ totals }: CollectedRows, { rules }: FindingsRequest): Finding[] =>
  totals.duplicates === 0
    ? []
    : [
        finding(
          'duplicates',
          rules.include.includes('duplicates') ? 'warning' : 'note',
          rowsThat(
            totals.duplicates,
            rules.include.includes('duplicates')
              ? 'say the same as one before'
              : 'were left out as the same as one before',
          ),
          totals.duplicates,
        ),
      ];

function contradictions(collected: CollectedRows, { rules }: FindingsRequest): Finding[] {
  const { contradicted: rows } = collected;
  if (rows.length === 0) return [];
  const isKept = rules.include.includes('contrary');
  const fate = isKept ? 'stay though another row says' : 'were left out, since another row said';
  return [
    finding(
      'contradictions',
      isKept ? 'warning' : 'note',
      rowsThat(rows.length, `${fate} the contrary of the same reply after the same prompt`),
      rows.length,
      rows.slice(0, FINDING_PLACES_MAX).map((row) => rowPlace(collected, row)),
    ),
  ];
}

function size({ totals, index }: CollectedRows): Finding[] {
  const { tokens, rows } = totals;
  if (rows === 0) return [];
  const long = [...index.kept()].filter((row) => index.at(row).tokens > LONG_TOKENS).length;
  const about = `About ${Math.round(tokens.total).toLocaleString('en')} tokens, by ${String(CHARS_PER_TOKEN)} characters of its JSON a token; half of the rows have at most ${tokens.median.toLocaleString('en')}, the longest ${tokens.max.toLocaleString('en')}.`;
  return [
    finding('tokens', 'note', about, rows),
    ...(long === 0
      ? []
      : [
          finding(
            'long_rows',
            'warning',
            `${rowsWord(long)} may be longer than ${LONG_TOKENS.toLocaleString('en')} tokens: most trainers cut them.`,
            long,
          ),
        ]),
  ];
}

/** Errors that nobody said to go on despite of. */
export const refusals = (
  { findings }: Pick<ExportReport, 'findings'>,
  despite: readonly string[],
): Finding[] => findings.filter(({ level, check }) => level === 'error' && !despite.includes(check));

/** Sides of the split on which a class of KTO's has no row. */
function classSides({ totals }: CollectedRows, { format, rules }: FindingsRequest): Finding[] {
  if (format.id !== 'kto' || totals.rows === 0) return [];
  const poor = SPLITS.filter((split) => totals[split] > 0 && Object.keys(totals.sides[split]).length < 2);
  if (poor.length === 0) return [];
  const sides = poor.map((split) => {
    const where = rules.validation === null ? '' : `in ${split} `;
    const [[label, count] = ['', 0]] = Object.entries(totals.sides[split]);
    return `${where}only one class is there (${label} ${count.toLocaleString('en')})`;
  });
  const message = `${sides.join('; ')}: KTO weighs one against the other and needs both.`;
  return [
    finding(
      'single_class',
      'error',
      message.charAt(0).toUpperCase() + message.slice(1),
      poor.reduce((sum, split) => sum + totals[split], 0),
    ),
  ];
}
