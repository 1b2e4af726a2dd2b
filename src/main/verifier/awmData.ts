// Finding a task's Python verifier in an Agent World Model data folder. Files are read as streams and indexed once.
// Must not know: how a verifier is run.
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { Failure } from '../../shared/failure.ts';
import { normalizeScenario } from '../../shared/wire.ts';
import { JSON_LINE_MAX, jsonLinePlaces, readLine } from './jsonLines.ts';

/** `code` gives a verdict; `sql` gives evidence, of which a model would have to judge. */
export type VerifierForm = 'code' | 'sql';
type TaskVerifier = {
  scenario: string;
  task_idx: number;
  task: string | null;
  form: VerifierForm;
  code: string;
  file: string;
};
type VerifierPlace = { file: string; offset: number; length: number; scenario: string; task_idx: number };

export type AwmData = {
  /** Verifiers of a task, the form that gives a verdict first. Empty when the data holds none. */
  find(scenario: string, task_idx: number): Promise<TaskVerifier[]>;
  /** The statements that make a scenario's first database; null when the data does not hold them. */
  seed(scenario: string): Promise<{ schema: string[]; inserts: string[] } | null>;
  /** Every task that has a verifier, in file order. */
  tasks(): Promise<{ scenario: string; task_idx: number }[]>;
  /** Lines that could not be read, with file and line number. */
  problems(): Promise<string[]>;
};

const VerifierLine = z.looseObject({
  scenario: z.string(),
  task_idx: z.number().int(),
  task: z.string().nullish(),
  verification: z.looseObject({ code: z.string().nullable() }),
});

/** Where OpenEnv keeps it unless told otherwise. */
export const awmDataFolder = (environment: Readonly<Record<string, string | undefined>>): string =>
  environment['AWM_DATA_DIR'] ?? join(homedir(), '.cache', 'openenv', 'awm');

/** Throws `not_found` at the first question when the folder holds no verifier files. */
export function createAwmData(folder: string): AwmData {
  let index: ReturnType<typeof buildIndex> | null = null;
  const indexed = () => (index ??= buildIndex(folder));
  return {
    find: async (scenario, task_idx) => {
      const { places } = await indexed();
      const found = (places.get(taskKeyOf(scenario, task_idx)) ?? []).flatMap(
        (place) => readVerifier(place) ?? [],
      );
      // The same verifier may stand in both files: what it is shows in its function's name, not in the file's.
      const byForm = new Map(found.map((one) => [one.form, one]));
      return (['code', 'sql'] as const).flatMap((form) => byForm.get(form) ?? []);
    },
    seed: (scenario) => readSeed(folder, scenario),
    tasks: async () => {
      const { places } = await indexed();
      return [...places.values()].flatMap(([first]) =>
        first === undefined ? [] : [{ scenario: first.scenario, task_idx: first.task_idx }],
      );
    },
    problems: async () => (await indexed()).problems,
  };
}

const SchemaLine = z.looseObject({
  db_schema: z.looseObject({
    tables: z.array(z.looseObject({ ddl: z.string(), indexes: z.array(z.string()).nullish() })),
  }),
});
const Sample = z.looseObject({
  sample_data: z.looseObject({
    tables: z.array(z.looseObject({ insert_statements: z.array(z.string()) })),
  }),
});

async function readSeed(
  folder: string,
  scenario: string,
): Promise<{ schema: string[]; inserts: string[] } | null> {
  const schema = SchemaLine.safeParse(await findLine(join(folder, 'gen_db.jsonl'), scenario));
  const sample = Sample.safeParse(await findLine(join(folder, 'gen_sample.jsonl'), scenario));
  if (!schema.success || !sample.success) return null;
  const { tables } = schema.data.db_schema;
  return {
    schema: [...tables.map(({ ddl }) => ddl), ...tables.flatMap(({ indexes }) => indexes ?? [])],
    inserts: sample.data.sample_data.tables.flatMap(({ insert_statements: rows }) => rows),
  };
}

/** The line of a scenario, by whatever spelling of its name; null when there is none. */
async function findLine(file: string, scenario: string): Promise<unknown> {
  if (!existsSync(file)) return null;
  const wanted = normalizeScenario(scenario);
  for await (const { offset, length, head } of jsonLinePlaces(file)) {
    const name = /"scenario":\s*("(?:[^"\\]|\\.)*")/.exec(head)?.[1];
    if (name === undefined || normalizeScenario(String(JSON.parse(name))) !== wanted) continue;
    return length > JSON_LINE_MAX ? null : (JSON.parse(readLine(file, offset, length)) as unknown);
  }
  return null;
}

const taskKeyOf = (scenario: string, task_idx: number): string =>
  `${normalizeScenario(scenario)} ${String(task_idx)}`;

async function buildIndex(folder: string) {
  const names = existsSync(folder)
    ? readdirSync(folder).filter((name) => /^gen_verifier.*\.jsonl$/.test(name))
    : [];
  if (names.length === 0) {
    throw new Failure('not_found', `${folder} holds no gen_verifier*.jsonl`, {
      next: 'Give the folder of the Agent World Model data with --awm-data DIR.',
    });
  }
  const places = new Map<string, VerifierPlace[]>();
  const problems: string[] = [];
  for (const name of names.toSorted()) {
    const file = join(folder, name);
    for await (const { offset, length, number, head } of jsonLinePlaces(file)) {
      if (length === 0) continue;
      const key = length > JSON_LINE_MAX ? null : taskInHead(head, () => readLine(file, offset, length));
      if (key === null) {
        problems.push(
          `${name}, line ${String(number)}: ${length > JSON_LINE_MAX ? 'too long' : 'no verifier'}`,
        );
        continue;
      }
      const at = taskKeyOf(key.scenario, key.task_idx);
      places.set(at, [...(places.get(at) ?? []), { file, offset, length, ...key }]);
    }
  }
  return { places, problems };
}

type TaskAddress = { scenario: string; task_idx: number } | null;

/** Scenario and task stand first in every file seen; where they do not, the whole line is read. */
function taskInHead(head: string, whole: () => string): TaskAddress {
  const match = /^\s*\{"scenario":\s*("(?:[^"\\]|\\.)*"),\s*"task_idx":\s*(\d+)/.exec(head);
  if (match !== null) return { scenario: String(JSON.parse(match[1] ?? '""')), task_idx: Number(match[2]) };
  try {
    const line = VerifierLine.safeParse(JSON.parse(whole()));
    return line.success ? { scenario: line.data.scenario, task_idx: line.data.task_idx } : null;
  } catch {
    return null;
  }
}

function readVerifier({ file, offset, length, scenario, task_idx }: VerifierPlace): TaskVerifier | null {
  const line = VerifierLine.safeParse(JSON.parse(readLine(file, offset, length)));
  const code = line.data?.verification.code ?? null;
  if (code === null) return null;
  return { scenario, task_idx, task: line.data?.task ?? null, form: formOf(code), code, file };
}

/** The name of its function tells the form; the file's name does not. */
export const formOf = (code: string): VerifierForm =>
  /^def\s+verify_task_completion\b/m.test(code) ? 'code' : 'sql';
