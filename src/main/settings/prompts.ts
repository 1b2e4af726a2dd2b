// Reading the texts models are given, checked once, and filling their placeholders. Must not know: when a text is
// used.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../shared/failure.ts';
import { PROMPT_FILES, type Hole, type PromptName } from './promptFiles.ts';

/** A text with placeholders, from the file it names. */
type Prompt<H extends string> = { file: string; text: string; holes: readonly H[] };
export type Prompts = { [N in PromptName]: Prompt<Hole<N>> } & {
  /** Digest of every text the agent may read: the same in all conditions. */
  sha256: string;
};

const HOLE = /\{([a-z_]+)\}/g;

/** Every prompt of the folder. Throws a `Failure` naming a file that is missing or holds the wrong placeholders. */
export function readPrompts(folder: string): Prompts {
  const names = Object.keys(PROMPT_FILES) as PromptName[];
  const read = Object.fromEntries(names.map((name) => [name, readPrompt(folder, name)]));
  const digest = createHash('sha256');
  for (const name of names) {
    const prompt = read[name];
    if (prompt?.file.startsWith('agent/')) digest.update(`${prompt.file}\n${prompt.text}\n`);
  }
  return { ...read, sha256: digest.digest('hex') } as Prompts;
}

/** The text with every placeholder filled. A value is put in as it is: placeholders inside it stay words. */
export function fillPrompt<H extends string>(prompt: Prompt<H>, values: Readonly<Record<H, string>>): string {
  return prompt.text.replace(HOLE, (_, hole: string) => {
    if (!Object.hasOwn(values, hole)) {
      throw new Failure('internal', `the prompt ${prompt.file} got no value for {${hole}}`);
    }
    return values[hole as H];
  });
}

function readPrompt(folder: string, name: PromptName): Prompt<string> {
  const { file, holes } = PROMPT_FILES[name];
  const text = readPromptFile(folder, file).trimEnd();
  const found = new Set([...text.matchAll(HOLE)].map((match) => match[1] ?? ''));
  const wanted: readonly string[] = holes;
  const missing = wanted.find((hole) => !found.has(hole));
  const unknown = [...found].find((hole) => !wanted.includes(hole));
  if (missing !== undefined) throw brokenPrompt(folder, file, `{${missing}} is missing`);
  if (unknown !== undefined) throw brokenPrompt(folder, file, `nothing fills {${unknown}}`);
  if (text.trim() === '') throw brokenPrompt(folder, file, 'it is empty');
  return { file, text, holes: wanted };
}

function readPromptFile(folder: string, file: string): string {
  try {
    return readFileSync(join(folder, file), 'utf8')
      .replace(/^\uFEFF/, '')
      .replaceAll('\r\n', '\n');
  } catch (thrown) {
    throw new Failure('not_found', `the prompt ${join(folder, file)} cannot be read`, {
      cause: thrown,
      next: 'Restore the file, or install Interject again.',
    });
  }
}

const brokenPrompt = (folder: string, file: string, why: string): Failure =>
  new Failure('bad_input', `the prompt ${join(folder, file)} cannot be used: ${why}`, {
    next: 'Correct the file, or restore the one that Interject came with.',
  });
