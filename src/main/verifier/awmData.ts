// Owns: finding a task's Python verifier in an Agent World Model data folder. Files are read as streams and indexed once.
// Must not know: how a verifier is run.
import { closeSync, createReadStream, existsSync, openSync, readdirSync, readSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { Failure } from '../../shared/failure.ts';
import { normalizeScenario } from '../../shared/wire.ts';

/** `code` gives a verdict; `sql` gives evidence, of which a model would have to judge. */
export type VerifierForm = 'code' | 'sql';
export type TaskVerifier = {
  scenario: string;
  taskIdx: number;
  task: string | null;
  form: VerifierForm;
  code: string;
  file: string;
};
type Place = { file: string; offset: number; length: number; scenario: string; taskIdx: number };

export type AwmData = {
  /** Verifiers of a task, the form that gives a verdict first. Empty when the data holds none. */
  find(scenario: string, taskIdx: number): Promise<TaskVerifier[]>;
  /** Every task that has a verifier, in file order. */
  tasks(): Promise<{ scenario: string; taskIdx: number }[]>;
  /** Lines that could not be read, with file and line number. */
  problems(): Promise<string[]>;
};

const LINE_MAX = 16 * 1024 * 1024;
const Line = z.looseObject({
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
    find: async (scenario, taskIdx) => {
      const { places } = await indexed();
      const found = (places.get(keyOf(scenario, taskIdx)) ?? []).flatMap((place) => read(place) ?? []);
      // The same verifier may stand in both files: what it is shows in its function's name, not in the file's.
      const byForm = new Map(found.map((one) => [one.form, one]));
      return (['code', 'sql'] as const).flatMap((form) => byForm.get(form) ?? []);
    },
    tasks: async () => {
      const { places } = await indexed();
      return [...places.values()].flatMap(([first]) =>
        first === undefined ? [] : [{ scenario: first.scenario, taskIdx: first.taskIdx }],
      );
    },
    problems: async () => (await indexed()).problems,
  };
}

const keyOf = (scenario: string, taskIdx: number): string =>
  `${normalizeScenario(scenario)} ${String(taskIdx)}`;

async function buildIndex(folder: string) {
  const names = existsSync(folder)
    ? readdirSync(folder).filter((name) => /^gen_verifier.*\.jsonl$/.test(name))
    : [];
  if (names.length === 0) {
    throw new Failure('not_found', `${folder} holds no gen_verifier*.jsonl`, {
      next: 'Give the folder of the Agent World Model data with --awm-data DIR.',
    });
  }
  const places = new Map<string, Place[]>();
  const problems: string[] = [];
  for (const name of names.toSorted()) {
    const file = join(folder, name);
    for await (const { offset, length, number, head } of linesOf(file)) {
      if (length === 0) continue;
      const key = length > LINE_MAX ? null : headOf(head, () => readLine(file, offset, length));
      if (key === null) {
        problems.push(`${name}, line ${String(number)}: ${length > LINE_MAX ? 'too long' : 'no verifier'}`);
        continue;
      }
      const at = keyOf(key.scenario, key.taskIdx);
      places.set(at, [...(places.get(at) ?? []), { file, offset, length, ...key }]);
    }
  }
  return { places, problems };
}

type Found = { scenario: string; taskIdx: number } | null;

/** Scenario and task stand first in every file seen; where they do not, the whole line is read. */
function headOf(head: string, whole: () => string): Found {
  const match = /^\s*\{"scenario":\s*("(?:[^"\\]|\\.)*"),\s*"task_idx":\s*(\d+)/.exec(head);
  if (match !== null) return { scenario: String(JSON.parse(match[1] ?? '""')), taskIdx: Number(match[2]) };
  try {
    const line = Line.safeParse(JSON.parse(whole()));
    return line.success ? { scenario: line.data.scenario, taskIdx: line.data.task_idx } : null;
  } catch {
    return null;
  }
}

const HEAD = 512;

/** Where each line of a file lies; nothing but its beginning is kept. */
async function* linesOf(file: string) {
  let [start, at, number] = [0, 0, 0];
  let head = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      const begun = head.length < HEAD ? Buffer.concat([head, chunk.subarray(from, end)]) : head;
      number += 1;
      yield {
        offset: start,
        length: at + end - start,
        number,
        head: begun.subarray(0, HEAD).toString('utf8'),
      };
      from = end + 1;
      start = at + from;
      head = Buffer.alloc(0);
    }
    if (head.length < HEAD) head = Buffer.concat([head, chunk.subarray(from, from + HEAD)]);
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

function read({ file, offset, length, scenario, taskIdx }: Place): TaskVerifier | null {
  const line = Line.safeParse(JSON.parse(readLine(file, offset, length)));
  const code = line.data?.verification.code ?? null;
  if (code === null) return null;
  return { scenario, taskIdx, task: line.data?.task ?? null, form: formOf(code), code, file };
}

/** The name of its function tells the form; the file's name does not. */
export const formOf = (code: string): VerifierForm =>
  /^def\s+verify_task_completion\b/m.test(code) ? 'code' : 'sql';
