import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LOG_FORMATS } from '../../src/main/hosts/exportOptions.ts';
import { createProgram } from '../../src/main/hosts/main.ts';
import { KEY_BINDINGS } from '../../src/renderer/state/keys.ts';
import { chordKeys } from '../../src/renderer/ui/Kbd.tsx';
import { documents, textOf } from './commandLines.ts';
import { commandsOf } from './reference.ts';

const root = resolve(import.meta.dirname, '../..');

const codeUnder = (folder: string): string =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|mjs|py|json|ya?ml|txt)$/.test(entry.name))
    .filter((entry) => !/node_modules|\.venv/.test(entry.parentPath))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
const product = ['src', 'scripts', 'bin', 'packaging', '.github'].map(codeUnder).join('\n');
const code = [product, codeUnder('resources'), codeUnder('test')].join('\n');

/** Set by the project's own programs for each other; nobody sets them by hand. */
const OWN_VARIABLES = new Set(['INTERJECT_DESKTOP', 'INTERJECT_INSTALLED', 'INTERJECT_PACKAGED']);

/** Flags of npm, Node and Docker; and those our own scripts make of a field’s name. */
const FLAGS_OF_OTHERS = new Set([
  '--inspect',
  '--omit',
  '--rm',
  '--volume',
  '--minutes',
  '--warm_moves',
  '--ambiguous',
]);
/** Checks of OpenEnv’s own validation, and a kind of error it has: named on a page, and no name of ours. */
const NAMES_OF_OTHERS = new Set([
  'episode_determinism',
  'episode_isolation',
  'host_containment',
  'network_policy',
  'observation_schema',
  'oracle_containment',
  'resource_bounds',
  'reward_well_formed',
  'seed_control',
  'state_contract',
  'transport_error',
]);

const inlineCode = (text: string): string[] =>
  [...text.replaceAll(/^```[^]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, words = '']) => words);
const everyDocument = documents.map(textOf).join('\n');

describe('what the documents say', () => {
  it('of the environment’s variables names each that is read', () => {
    const read = [...product.matchAll(/\b(?:INTERJECT|AWM|OPENENV_AWM)_[A-Z_]*[A-Z]\b(?=['"\]])/g)].map(
      ([name]) => name,
    );
    const [settings, install] = [textOf('docs/settings.md'), textOf('docs/install.md')];
    // `INTERJECT_JUDGE_BASE_URL`, `_MODEL`: the rest of a name stands for all of it.
    const isNamed = (name: string): boolean =>
      (settings + install).includes(`\`${name}`) ||
      settings.split('\n').some((line) => {
        const [, , prefix = '', rest = ''] =
          /^((INTERJECT_[A-Z]+|OPENENV_AWM_LLM)(_[A-Z_]+))$/.exec(name) ?? [];
        return prefix !== '' && line.includes(`\`${prefix}_`) && line.includes(`\`${rest}\``);
      });

    expect(read.length).toBeGreaterThan(10);
    expect([...new Set(read)].filter((name) => !OWN_VARIABLES.has(name) && !isNamed(name))).toEqual([]);
  });

  it('of the project’s scripts names each one', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const isNamed = (name: string): boolean =>
      everyDocument.includes(`npm run ${name}`) || everyDocument.includes(`npm ${name}`);

    expect(Object.keys(scripts).filter((name) => !isNamed(name))).toEqual([]);
  });

  it('of exports of the log itself names each', () => {
    const data = textOf('docs/data.md');

    expect(LOG_FORMATS.filter((name) => !data.includes(`\`${name}\``))).toEqual([]);
  });

  it('of a message on screen is how the product says it', () => {
    const seen = [...textOf('docs/troubleshooting.md').matchAll(/^\| (.+?) +\|/gm)]
      .flatMap(([, cell = '']) => [...cell.matchAll(/(?<![\w`])_([^_]+)_(?![\w`])/g)])
      .flatMap(([, message = '']) => message.split('…').map((part) => part.trim()))
      .filter((part) => part !== '');

    expect(seen.length).toBeGreaterThan(8);
    expect(seen.filter((part) => !product.includes(part))).toEqual([]);
  });

  it('of a flag is one of a command or a script', () => {
    const flags = new Set(
      commandsOf(createProgram(() => () => Promise.resolve())).flatMap(([, { options }]) =>
        options.flatMap(({ long }) => long ?? []),
      ),
    );
    const unknown = documents.flatMap((document) =>
      inlineCode(textOf(document))
        .flatMap((words) => [...words.matchAll(/(?<![\w./-])--[a-z][\w-]+/g)].map(([flag]) => flag))
        .filter((flag) => !flags.has(flag) && !FLAGS_OF_OTHERS.has(flag) && !code.includes(flag))
        .map((flag) => `${document}: ${flag}`),
    );

    expect(unknown).toEqual([]);
  });

  it('of a key on the pages for people is a key of the map', () => {
    const chords = Object.values(KEY_BINDINGS).flatMap(({ chords: own }) =>
      own.map((chord) => chordKeys(chord, false).join('+')),
    );
    const pages = [
      'README.md',
      'docs/first-hour/expert.md',
      'docs/first-hour/annotator.md',
      'docs/stepping-in.md',
    ];
    const wrong = pages.flatMap((page) =>
      inlineCode(textOf(page))
        .filter((words) => /^(?:[a-zA-Z0-9.,?<>]|(?:Ctrl|Shift)\+\w+|Space|Enter|[←→↑↓])$/.test(words))
        .filter((key) => !chords.includes(key))
        .map((key) => `${page}: ${key}`),
    );

    expect(wrong).toEqual([]);
  });

  it('of a name in code is one the code has', () => {
    // Fields and codes; a name that is put together from parts is not looked for.
    const unknown = documents.flatMap((document) =>
      inlineCode(textOf(document))
        .filter((words) => /^[a-z]+(_[a-z0-9]+)+$/.test(words))
        .filter((name) => !code.includes(name) && !NAMES_OF_OTHERS.has(name))
        .map((name) => `${document}: ${name}`),
    );

    expect(unknown).toEqual([]);
  });
});
