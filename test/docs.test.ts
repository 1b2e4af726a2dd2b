import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../src/main/hosts/main.ts';
import { commandReference, formatReference, keyReference, settingsReference } from './docs/reference.ts';

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

/** What says how it is now: a changelog names pages as they were called then. */
const current = documents.filter((name) => name !== 'CHANGELOG.md');

const textOf = (document: string): string => readFileSync(join(root, document), 'utf8');

/** The anchors of a page's headings, as GitHub makes them. */
const anchorsOf = (document: string): string[] =>
  [...textOf(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** The pages and pictures a document leads to, with the place on the page. */
const linksOf = (document: string): { target: string; anchor: string }[] =>
  [...textOf(document).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
    ([, path = '', anchor = '']) => ({
      target: path === '' ? document : join(dirname(document), path),
      anchor,
    }),
  );

const MARK = '<!-- Made from code: `npx vitest run test/docs -u` writes what follows. -->\n';

/** The page as it should be: its own words down to the mark, then the reference. */
async function withReference(file: string, reference: string): Promise<string> {
  const [head = ''] = readFileSync(file, 'utf8').split(MARK);
  return format(`${head}${MARK}\n${reference}\n`, { ...(await resolveConfig(file)), filepath: file });
}

describe('what the documents and comments name', () => {
  it('exists, for every path in a document', () => {
    expect(documents).toContain('README.md');
    expect(current.flatMap((file) => missing(file, textOf(file)))).toEqual([]);
  });

  it('exists, for every path in a comment', () => {
    const code = ['src', 'test', 'scripts', 'bin'].flatMap((folder) => under(folder, /\.(tsx?|mjs)$/));

    expect(code.flatMap((file) => missing(file, commentsIn(textOf(file))))).toEqual([]);
  });

  it('is a script of package.json, for every `npm run` in a document', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = documents.flatMap((file) =>
      [...textOf(file).matchAll(/npm run ([\w:-]+)/g)].map((match) => match[1] ?? ''),
    );

    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  it('would notice a file that was moved', () => {
    expect(missing('README.md', 'see `src/main/gone.ts`, and src/shared/wire.ts.')).toEqual([
      'README.md names src/main/gone.ts',
    ]);
  });
});

describe('a link in the documents', () => {
  it('leads to a file that is there, and to a heading of it', () => {
    const dead = current.flatMap((document) =>
      linksOf(document)
        .filter(
          ({ target, anchor }) =>
            !existsSync(join(root, target)) || (anchor !== '' && !anchorsOf(target).includes(anchor)),
        )
        .map(({ target, anchor }) => `${document}: ${target}#${anchor}`),
    );

    expect(dead).toEqual([]);
  });

  it('in what the product says leads to a page that is there, and to a heading of it', () => {
    const named = under('src', /\.tsx?$/).flatMap((file) => [
      ...textOf(file).matchAll(/\b(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g),
    ]);

    expect(named.length).toBeGreaterThan(5);
    const dead = named.filter(
      ([, page = '', anchor = '']) =>
        !documents.includes(page) || (anchor !== '' && !anchorsOf(page).includes(anchor)),
    );
    expect(dead.map(([link]) => link)).toEqual([]);
  });

  it('leads from the index to every page', () => {
    const linked = new Set(linksOf('docs/README.md').map(({ target }) => target));

    expect(documents.filter((one) => one !== 'docs/README.md' && !linked.has(one))).toEqual(['README.md']);
  });
});

describe('the README', () => {
  it('is read in three minutes: at most 700 words', () => {
    expect(textOf('README.md').split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(700);
  });
});

describe('a table in the documents', () => {
  it('says at most two sentences in a cell', () => {
    const long = current.flatMap((document) =>
      textOf(document)
        .split('\n')
        .filter((line) => line.startsWith('|'))
        .flatMap((line) => line.split('|').filter((cell) => [...cell.matchAll(/[.!?]\s/g)].length > 2)),
    );

    expect(long).toEqual([]);
  });
});

describe('the reference in docs', () => {
  it('of commands names every command and flag as the command line defines it', async () => {
    const file = join(root, 'docs/commands.md');
    const program = createProgram(() => () => Promise.resolve());

    await expect(await withReference(file, commandReference(program))).toMatchFileSnapshot(file);
  });

  it('of keys names every key as the key map defines it', async () => {
    const file = join(root, 'docs/keys.md');

    await expect(await withReference(file, keyReference())).toMatchFileSnapshot(file);
  });

  it('of exports says what each format and rule is as the code has it', async () => {
    const file = join(root, 'docs/formats.md');

    await expect(await withReference(file, formatReference())).toMatchFileSnapshot(file);
  });

  it('of settings names every field and default of the settings', async () => {
    const file = join(root, 'docs/settings.md');

    await expect(await withReference(file, settingsReference())).toMatchFileSnapshot(file);
  });
});
