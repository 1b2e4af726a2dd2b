import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const document = readFileSync(join(root, 'SECURITY.md'), 'utf8');

type Reference = { path: string; title: string };

/** A path in backquotes and a title in curly quotes, as a promise names its test. */
const REFERENCE = /`(test\/[\w./-]+\.test\.ts)` “([^”]+)”/g;

const referencesIn = (text: string): Reference[] =>
  [...text.matchAll(REFERENCE)].map(([, path = '', title = '']) => ({ path, title }));

/** Formatting may break a line anywhere; quotes in code may be escaped. */
const squeezed = (text: string): string => text.replace(/\\(['"`])/g, '$1').replace(/\s+/g, ' ');

/** The rows of every table whose last column is headed `held by`. */
function promisesIn(text: string): string[] {
  const tables = text.split(/\n\n+/).filter((block) => /^\|.*\| held by +\|/.test(block));
  return tables.flatMap((table) => table.trim().split('\n').slice(2));
}

const missing = (references: readonly Reference[]): string[] =>
  references.flatMap(({ path, title }) => {
    if (!existsSync(join(root, path))) return `${path} is not there`;
    const code = squeezed(readFileSync(join(root, path), 'utf8'));
    return code.includes(squeezed(title)) ? [] : `${path} has no test “${title}”`;
  });

describe('a promise of SECURITY.md', () => {
  it('names the test that holds it', () => {
    const promises = promisesIn(document);

    expect(promises.length).toBeGreaterThan(20);
    expect(promises.filter((row) => referencesIn(row).length === 0)).toEqual([]);
  });

  it('names a test that is there under that title', () => {
    expect(missing(referencesIn(document))).toEqual([]);
  });

  it('would be noticed if its test were renamed', () => {
    expect(missing([{ path: 'test/docs.test.ts', title: 'never written' }])).toEqual([
      'test/docs.test.ts has no test “never written”',
    ]);
  });
});
