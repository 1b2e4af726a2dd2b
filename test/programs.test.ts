// Which programs are started, and who chooses them: never a data folder, a backup, the settings, the console or the contract.
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { contract } from '../src/shared/contract/contract.ts';

const root = resolve(import.meta.dirname, '..');
const STARTS =
  /from 'node:(?:child_process|worker_threads|cluster)'|utilityProcess|shell\.(?:openPath|openExternal)|\bprocess\.dlopen|loadExtension/;
const TYPES_ONLY = /^import type .* from 'node:(?:child_process|worker_threads)';$/gm;

/** Each file that can start or open something outside its own process, and who says what. */
const CHOSEN_BY: Readonly<Record<string, string>> = {
  'src/main/llm/tokenCommand.ts': 'flags and variables of the process that runs it',
  'src/main/gateway/tap/tapLink.ts': 'the product: its own Node, its own entry',
  'src/main/hosts/openBrowser.ts': 'the product: the system’s opener, at a page the product wrote just then',
  'src/main/hosts/folderChecks.ts': 'the product: its own Node, its own addon',
  'src/main/hosts/edges.ts': 'the product: its own entry',
  'src/main/hosts/thread.ts': 'nobody: it is the thread',
  'src/main/desktop/furnish.ts': 'whoever started the app: the data folder',
  'src/main/desktop/updater.ts': 'the feed the app was built with',
  'src/main/desktop/externalLinks.ts': 'a person, asked for each host: http and https only',
};

describe('what the product starts', () => {
  it('is chosen by whoever started the product, in each file that can start something', () => {
    const found = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => STARTS.test(readFileSync(file, 'utf8').replace(TYPES_ONLY, '')))
      .map((file) => relative(root, file));

    expect(found.toSorted()).toEqual(Object.keys(CHOSEN_BY).toSorted());
  });
});

/** Words by which a field would be called that says what is run. */
const RUNS =
  /^(?:commands?|cmd|exec|executable|args?|argv|program|shell|spawn|cwd|scripts?|interpreter|binary)$/;
const runs = (name: string): boolean =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
    .some((word) => RUNS.test(word));

function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own =
    'properties' in schema && typeof schema.properties === 'object' && schema.properties !== null
      ? Object.keys(schema.properties)
      : [];
  return [...own, ...Object.values(schema).flatMap(namesIn)];
}

describe('the contract', () => {
  it('has no field for a command line in anything that a console or a command can ask', () => {
    const found = Object.entries(contract).flatMap(([method, { input }]) =>
      namesIn(z.toJSONSchema(input as z.ZodType, { unrepresentable: 'any', io: 'input' }))
        .filter(runs)
        .map((name) => `${method} ${name}`),
    );

    expect(found).toEqual([]);
  });
});

describe('the settings', () => {
  it('have no field for a command line in any of their files', () => {
    const files = readdirSync(join(root, 'src/main/settings')).map((name) => `src/main/settings/${name}`);
    const fields = files.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/^\s+(\w+): z\./gm)].map(
        ([, name = '']) => `${file} ${name}`,
      ),
    );

    expect(fields.length).toBeGreaterThan(10);
    expect(fields.filter((one) => runs(one.split(' ')[1] ?? ''))).toEqual([]);
  });
});
