// Reads an Agent World Model data folder: a task's Python verifiers with what their author wrote of them, and the
// statements that make a scenario's first database. Must not know: how a verifier is run, or a database made.
import { closeSync, createReadStream, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { Failure } from '../../shared/failure.ts';
import { tryJson } from '../../shared/json.ts';
import type { SeedStatement } from '../../shared/seed.ts';
import { normalizeScenario } from '../../shared/wire.ts';

/** `code` gives a verdict; `sql` gives evidence, of which a model would have to judge. */
type VerifierForm = 'code' | 'sql';
export type TaskVerifier = {
  scenario: string;
  task_idx: number;
  task: string | null;
  form: VerifierForm;
  code: string;
  /** The criteria its author wrote down; null where there are none. */
  criteria: string | null;
};

export type AwmData = {
  folder: string;
  /** Verifiers of a task, the form that gives a verdict first. Empty when the data holds none. */
  find(scenario: string, task_idx: number): Promise<TaskVerifier[]>;
  /** The statements that make a scenario's first database; null when the data does not hold them. */
  seed(scenario: string): Promise<SeedStatement[] | null>;
  /** Every task that has a verifier, in file order. */
  tasks(): Promise<{ scenario: string; task_idx: number }[]>;
  /** Every scenario whose first database can be made. */
  seeded(): Promise<string[]>;
  /** Lines that could not be read, with file and line number. */
  problems(): Promise<string[]>;
};

const VerifierLine = z.looseObject({
  scenario: z.string(),
  task_idx: z.number().int(),
  task: z.string().nullish(),
  verification: z.looseObject({ code: z.string().nullable(), raw_response: z.string().nullish() }),
});

const SCHEMA_FILE = 'gen_db.jsonl';
const SAMPLE_FILE = 'gen_sample.jsonl';

/** `find`, `tasks` and `problems` throw `not_found` where the folder holds no verifier files. */
export function createAwmData(folder: string): AwmData {
  const indexes = new Map<string, LineIndex>();
  const indexOf = (name: string, keyOf: Parameters<typeof createLineIndex>[1]): LineIndex => {
    const known = indexes.get(name) ?? createLineIndex(join(folder, name), keyOf);
    indexes.set(name, known);
    return known;
  };
  const verifiers = (): LineIndex[] => verifierFiles(folder).map((name) => indexOf(name, taskKeyIn));
  const scenarios = (name: string): LineIndex | null =>
    existsSync(join(folder, name)) ? indexOf(name, scenarioKeyIn) : null;
  return {
    folder,
    find: async (scenario, task_idx) => {
      const key = taskKeyOf(scenario, task_idx);
      const found = await Promise.all(
        verifiers().map(async (index) =>
          firstOfEachForm((await index.lines(key)).flatMap((line) => readVerifier(line) ?? [])),
        ),
      );
      // The same verifier may stand in both files: what it is shows in its function's name, not in the file's.
      const byForm = new Map(found.flat().map((one) => [one.form, one]));
      return (['code', 'sql'] as const).flatMap((form) => byForm.get(form) ?? []);
    },
    seed: async (scenario) => {
      const key = normalizeScenario(scenario);
      const schema = SchemaLine.safeParse(await lastLine(scenarios(SCHEMA_FILE), key));
      const sample = SampleLine.safeParse(await lastLine(scenarios(SAMPLE_FILE), key));
      if (!schema.success || !sample.success) return null;
      return [...schemaStatements(schema.data), ...insertStatements(sample.data)];
    },
    tasks: async () => {
      const keys = (await Promise.all(verifiers().map((index) => index.keys()))).flat();
      return [...new Map(keys.toReversed().map((one) => [one.key, one])).values()]
        .toReversed()
        .map(taskOfKey);
    },
    seeded: async () => ((await scenarios(SCHEMA_FILE)?.keys()) ?? []).map(({ name }) => name),
    problems: async () =>
      (
        await Promise.all(
          verifiers().map(async (index) =>
            (await index.unread()).map(
              ({ line, isTooLong }) =>
                `${basename(index.file)}, line ${String(line)}: ${isTooLong ? 'too long' : 'no verifier'}`,
            ),
          ),
        )
      ).flat(),
  };
}

const firstOfEachForm = (found: readonly TaskVerifier[]): TaskVerifier[] =>
  found.filter(({ form }, at) => found.findIndex((one) => one.form === form) === at);

function verifierFiles(folder: string): string[] {
  const names = existsSync(folder)
    ? readdirSync(folder).filter((name) => /^gen_verifier.*\.jsonl$/.test(name))
    : [];
  if (names.length > 0) return names.toSorted();
  throw new Failure('not_found', `${folder} holds no gen_verifier*.jsonl`, { next: AWM_DATA_NEXT });
}

/** A person's way to the data. */
export const AWM_DATA_NEXT =
  'Give the folder of the Agent World Model data with --awm-data DIR, AWM_DATA_DIR or under Setup. ' +
  'To get it: hf download Snowflake/AgentWorldModel-1K --repo-type dataset --local-dir DIR';

const SchemaLine = z.looseObject({
  db_schema: z.looseObject({
    tables: z.array(
      z.looseObject({
        name: z.string().nullish(),
        ddl: z.string().nullish(),
        indexes: z.array(z.string()).nullish(),
      }),
    ),
  }),
});
/** The sample's tables stand in an object, or are the list itself; an item is a table or a bare statement. */
const SampleTables = z.array(
  z.union([
    z.string(),
    z.looseObject({ table_name: z.string().nullish(), insert_statements: z.array(z.string()).nullish() }),
  ]),
);
const SampleLine = z.looseObject({
  sample_data: z.union([SampleTables, z.looseObject({ tables: SampleTables })]),
});

/** A table's definition, then its indexes, as the environment's server runs them. */
const schemaStatements = ({ db_schema: { tables } }: z.infer<typeof SchemaLine>): SeedStatement[] =>
  tables.flatMap(({ name, ddl, indexes }) =>
    numbered(SCHEMA_FILE, name ?? 'unknown', [ddl ?? '', ...(indexes ?? [])]),
  );

function insertStatements({ sample_data: sample }: z.infer<typeof SampleLine>): SeedStatement[] {
  const tables = Array.isArray(sample) ? sample : sample.tables;
  return tables.flatMap((table) =>
    typeof table === 'string'
      ? numbered(SAMPLE_FILE, 'unknown', [table])
      : numbered(SAMPLE_FILE, table.table_name ?? 'unknown', table.insert_statements ?? []),
  );
}

const numbered = (file: string, table: string, statements: readonly string[]): SeedStatement[] =>
  statements
    .map((sql, at) => ({ sql: sql.trim(), file, table, number: at + 1 }))
    .filter(({ sql }) => sql !== '');

/** Of several lines of one scenario the last counts, as for the environment's server. */
async function lastLine(index: LineIndex | null, key: string): Promise<unknown> {
  const line = (await index?.lines(key))?.at(-1);
  return line === undefined ? null : tryJson(line);
}

const taskKeyOf = (scenario: string, task_idx: number): string =>
  `${normalizeScenario(scenario)} ${String(task_idx)}`;

const taskOfKey = ({ key, name }: LineKey): { scenario: string; task_idx: number } => ({
  scenario: name,
  task_idx: Number(key.slice(key.lastIndexOf(' ') + 1)),
});

/** Scenario and task stand first in every file seen; where they do not, the whole line is read. */
function taskKeyIn(head: string, wholeLine: () => string): LineKey | null {
  const match = /^\s*\{\s*"scenario":\s*("(?:[^"\\]|\\.)*"),\s*"task_idx":\s*(\d+)/.exec(head);
  if (match !== null) return taskKey(String(JSON.parse(match[1] ?? '""')), Number(match[2]));
  const line = VerifierLine.safeParse(tryJson(wholeLine()));
  return line.success ? taskKey(line.data.scenario, line.data.task_idx) : null;
}

const taskKey = (scenario: string, task_idx: number): LineKey => ({
  key: taskKeyOf(scenario, task_idx),
  name: scenario,
});

function scenarioKeyIn(head: string, wholeLine: () => string): LineKey | null {
  const match = /^\s*\{\s*"scenario":\s*("(?:[^"\\]|\\.)*")/.exec(head);
  const name =
    match === null
      ? ScenarioLine.safeParse(tryJson(wholeLine())).data?.scenario
      : String(JSON.parse(match[1] ?? '""'));
  return name === undefined ? null : { key: normalizeScenario(name), name };
}

const ScenarioLine = z.looseObject({ scenario: z.string() });

function readVerifier(line: string): TaskVerifier | null {
  const parsed = VerifierLine.safeParse(tryJson(line));
  const { scenario, task_idx, task, verification } = parsed.data ?? {};
  const code = verification?.code ?? null;
  if (scenario === undefined || task_idx === undefined || code === null) return null;
  const criteria = criteriaInNotes(verification?.raw_response ?? null);
  return { scenario, task_idx, task: task ?? null, form: formOf(code), code, criteria };
}

/** The name of its function tells the form; the file's name does not. */
const formOf = (code: string): VerifierForm =>
  /^def\s+verify_task_completion\b/m.test(code) ? 'code' : 'sql';

const Words = z.union([z.string(), z.array(z.unknown())]).nullish();
const Notes = z.looseObject({
  reasoning: Words,
  success_criteria: Words,
  failure_criteria: Words,
  key_checks: Words,
});

const SECTIONS = [
  ['success_criteria', 'Success'],
  ['failure_criteria', 'Failure'],
  ['key_checks', 'Key checks'],
  ['reasoning', 'Reasoning of the verifier’s author'],
] as const;

/** The criteria in a verifier's `raw_response`, as text; null where it holds none. */
function criteriaInNotes(rawResponse: string | null): string | null {
  const notes = Notes.safeParse(tryJson(rawResponse ?? ''));
  if (!notes.success) return null;
  const found = SECTIONS.flatMap(([field, title]) => {
    const text = wordsText(notes.data[field] ?? null);
    return text === ''
      ? []
      : [text.includes('\n') || text.startsWith('- ') ? `${title}:\n${text}` : `${title}: ${text}`];
  });
  return found.length === 0 ? null : found.join('\n\n');
}

function wordsText(words: string | unknown[] | null): string {
  if (words === null) return '';
  if (typeof words === 'string') return words.trim();
  return words.map((one) => `- ${typeof one === 'string' ? one.trim() : JSON.stringify(one)}`).join('\n');
}

/** A longer line is not read. */
const JSON_LINE_MAX = 16 * 1024 * 1024;
/** The beginning of each line that is given along. */
const LINE_HEAD_BYTES = 512;

type Place = { offset: number; length: number };
type LineKey = { key: string; name: string };
type LineMap = {
  places: Map<string, { name: string; at: Place[] }>;
  unread: { line: number; isTooLong: boolean }[];
};
/** Gets the beginning of a line, and the whole of it where that does not say; null for a line without a key. */
type KeyOf = (head: string, wholeLine: () => string) => LineKey | null;

type LineIndex = {
  file: string;
  lines(key: string): Promise<string[]>;
  /** Every key, in the order they were found, with the name of its first line. */
  keys(): Promise<LineKey[]>;
  /** Lines without a key, and lines that are too long to be read. */
  unread(): Promise<LineMap['unread']>;
};

function createLineIndex(file: string, keyOf: KeyOf): LineIndex {
  let known: { stamp: string; map: Promise<LineMap> } | null = null;
  const read = (): Promise<LineMap> => {
    const { size, mtimeMs } = statSync(file);
    const stamp = `${String(size)} ${String(mtimeMs)}`;
    if (known?.stamp === stamp) return known.map;
    const map = readPlaces(file, keyOf);
    const mine = { stamp, map };
    known = mine;
    // A file that could not be read is tried again at the next question.
    map.catch(() => (known === mine ? (known = null) : null));
    return map;
  };
  return {
    file,
    lines: async (key) =>
      ((await read()).places.get(key)?.at ?? []).map(({ offset, length }) => readLine(file, offset, length)),
    keys: async () => [...(await read()).places].map(([key, { name }]) => ({ key, name })),
    unread: async () => (await read()).unread,
  };
}

async function readPlaces(file: string, keyOf: KeyOf): Promise<LineMap> {
  const map: LineMap = { places: new Map(), unread: [] };
  for await (const { offset, length, number, head } of jsonLinePlaces(file)) {
    if (length === 0) continue;
    const isTooLong = length > JSON_LINE_MAX;
    const found = isTooLong ? null : keyOf(head, () => readLine(file, offset, length));
    const same = found === null ? undefined : map.places.get(found.key);
    if (found === null) map.unread.push({ line: number, isTooLong });
    else if (same === undefined) map.places.set(found.key, { name: found.name, at: [{ offset, length }] });
    else same.at.push({ offset, length });
  }
  return map;
}

type LinePlace = { offset: number; length: number; number: number; head: string };

/** The place of each line of a file; nothing but its beginning is kept. */
async function* jsonLinePlaces(file: string): AsyncGenerator<LinePlace> {
  let [start, at, number] = [0, 0, 0];
  let head = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      const begun = head.length < LINE_HEAD_BYTES ? Buffer.concat([head, chunk.subarray(from, end)]) : head;
      number += 1;
      yield {
        offset: start,
        length: at + end - start,
        number,
        head: begun.subarray(0, LINE_HEAD_BYTES).toString('utf8'),
      };
      from = end + 1;
      start = at + from;
      head = Buffer.alloc(0);
    }
    if (head.length < LINE_HEAD_BYTES)
      head = Buffer.concat([head, chunk.subarray(from, from + LINE_HEAD_BYTES)]);
    at += chunk.length;
  }
  if (at > start)
    yield { offset: start, length: at - start, number: number + 1, head: head.toString('utf8') };
}

function readLine(file: string, offset: number, length: number): string {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(length);
    for (let at = 0; at < length;) {
      const got = readSync(descriptor, bytes, at, length - at, offset + at);
      if (got === 0) break;
      at += got;
    }
    return bytes.toString('utf8');
  } finally {
    closeSync(descriptor);
  }
}
