import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');

const under = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.includes('.venv'));

/** A path from the project's folder, as prose writes it. Built and downloaded folders are not in a clean copy. */
const PATH = /(?<![\w./@-])(?:src|test|scripts|bin|docs|resources)\/[\w./-]*[\w/]|(?<![\w./-])\.ci\/run\b/g;

/** `prefix/{a,b}` and `<name>` say more than one path, or none: only what stands before them is asked for. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(PATH)].map(([path]) => path.replace(/\.$/, '')).filter((path) => !path.includes('..'));

const commentsIn = (code: string): string =>
  [...code.matchAll(/(?:^|\s)\/\/.*$|\/\*[^]*?\*\//gm)].map(([comment]) => comment).join('\n');

const missing = (file: string, text: string): string[] =>
  pathsIn(text)
    .filter((path) => !existsSync(join(root, path)) && !existsSync(resolve(root, dirname(file), path)))
    .map((path) => `${file} names ${path}`);

const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...(existsSync(join(root, 'docs')) ? under('docs', /\.md$/) : []),
];

describe('what the documents and comments name', () => {
  it('exists, for every path in a document', () => {
    expect(documents).toContain('README.md');
    expect(documents.flatMap((file) => missing(file, readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  it('exists, for every path in a comment', () => {
    const code = ['src', 'test', 'scripts', 'bin'].flatMap((folder) => under(folder, /\.(tsx?|mjs)$/));

    expect(code.flatMap((file) => missing(file, commentsIn(readFileSync(join(root, file), 'utf8'))))).toEqual(
      [],
    );
  });

  it('is a script of package.json, for every `npm run` in a document', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = documents.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/npm run ([\w:-]+)/g)].map(
        (match) => match[1] ?? '',
      ),
    );

    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  it('would notice a file that was moved', () => {
    expect(missing('README.md', 'see `src/main/gone.ts`, and src/shared/wire.ts.')).toEqual([
      'README.md names src/main/gone.ts',
    ]);
  });
});
