// @ts-check
// `npm run measure`: the size and the shape of src, so that a clean-up can be measured before and after.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countCodeLines, measureBudgets } from './parts/budgets.mjs';
import { pinnedNode } from './parts/node.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const USAGE = `npm run measure [-- DIR] [-- --names]

Prints figures about the TypeScript under src: files, lines, functions, names that more than one file declares, and how
many files name one event kind, step-in act, view, import format and environment kind. Then what has a budget in
test/budgets.test.ts: the code of each room, tests, commands, flags, keys, export formats and rules, words, packages.
DIR       measure src of another checkout
--names   list the shared names and the participles, most frequent first

The share of shared names is given three times: over every top-level declaration; without the names that every file of
a kind uses for itself (a component's unexported Props); and over exported names only, which other files can import.`;

/** One representative of each kind of addition: every file that names it had to be edited to add it. */
const ADDITIONS = {
  'an event kind (note.interjected)': /['"`]note\.interjected['"`]/,
  'a step-in act (call.answer)': /['"`]call\.answer(ed)?['"`]|\banswerCall\b|\bcallAnswer\b/,
  'a view (training)': /['"`/]training['"`/]|\bTrainingView\b/,
  'an import format (swe-agent)': /['"`]swe(-agent)?['"`]|\/swe\.ts['"`]/,
  'an environment kind (built in)': /['"`]builtin['"`]|\bisBuiltIn\b/,
};

const IRREGULAR =
  /^(Made|Told|Said|Written|Found|Taken|Kept|Left|Sent|Read|Known|Shown|Seen|Held|Given|Drawn|Begun|Chosen|Gone|Lost|Put|Set|Built|Brought|Thrown)$/;

/** @typedef {{ name: string, isType: boolean, isExported: boolean, isFunction: boolean }} Declaration */
/** @typedef {{ path: string, text: string, codeLines: number, lines: number, functions: number, usedOnce: number, declarations: Declaration[] }} Measured */

/** @param {any} node @param {boolean} isExported @returns {Declaration[]} */
function declarationsOf(node, isExported) {
  if (node === null || node === undefined) return [];
  switch (node.type) {
    case 'ExportNamedDeclaration':
      return declarationsOf(node.declaration, true);
    case 'TSTypeAliasDeclaration':
    case 'TSInterfaceDeclaration':
      return [{ name: node.id.name, isType: true, isExported, isFunction: false }];
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return [{ name: node.id.name, isType: false, isExported, isFunction: FUNCTIONS.has(node.type) }];
    case 'VariableDeclaration':
      return node.declarations.flatMap((/** @type {any} */ { id, init }) =>
        id.type === 'Identifier'
          ? [{ name: id.name, isType: false, isExported, isFunction: FUNCTIONS.has(init?.type) }]
          : [],
      );
    default:
      return [];
  }
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** @param {unknown} node @returns {number} */
function countFunctions(node) {
  if (Array.isArray(node)) return node.reduce((sum, each) => sum + countFunctions(each), 0);
  if (typeof node !== 'object' || node === null) return 0;
  const own = FUNCTIONS.has(/** @type {any} */ (node).type) ? 1 : 0;
  return own + Object.values(node).reduce((sum, each) => sum + countFunctions(each), 0);
}

/**
 * Names of functions that only their own file knows and that it uses once.
 * @param {any} program
 * @param {readonly Declaration[]} declarations
 */
function countUsedOnce(program, declarations) {
  /** @type {Map<string, number>} */
  const uses = new Map();
  const visit = (/** @type {unknown} */ node) => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== 'object' || node === null) return;
    const { type, name } = /** @type {any} */ (node);
    if (type === 'Identifier' || type === 'JSXIdentifier') uses.set(name, (uses.get(name) ?? 0) + 1);
    Object.values(node).forEach(visit);
  };
  visit(program.body);
  return declarations.filter(
    ({ name, isExported, isFunction }) => isFunction && !isExported && uses.get(name) === 2,
  ).length;
}

/** @param {string} root @param {typeof import('vite').parseSync} parseSync @returns {Measured[]} */
function measureSources(root, parseSync) {
  const names = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const text = readFileSync(path, 'utf8');
      const { program, comments } = parseSync(path, text);
      const declarations = program.body.flatMap((/** @type {any} */ node) => declarationsOf(node, false));
      return {
        path: relative(root, path),
        text,
        lines: text.split('\n').length - 1,
        codeLines: countCodeLines(text, comments),
        functions: countFunctions(program.body),
        usedOnce: countUsedOnce(program, declarations),
        declarations,
      };
    });
}

/** @param {readonly number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * The names that more than one file declares, with the file of each declaration.
 * @param {readonly Measured[]} files @param {(declaration: Declaration) => boolean} counts
 * @returns {[string, string[]][]}
 */
function sharedNames(files, counts) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const { path, declarations } of files) {
    for (const { name } of declarations.filter(counts)) found.set(name, [...(found.get(name) ?? []), path]);
  }
  return [...found].filter(([, places]) => new Set(places).size > 1);
}

/** @param {readonly Measured[]} files @param {(declaration: Declaration) => boolean} counts */
function sharedShare(files, counts) {
  const all = files.flatMap(({ declarations }) => declarations.filter(counts)).length;
  const shared = sharedNames(files, counts).reduce((total, [, places]) => total + places.length, 0);
  return `${((shared / all) * 100).toFixed(1)} %`;
}

/** @param {Declaration} declaration */
const isConventional = ({ name, isExported }) => !isExported && name === 'Props';

/** @param {string} root */
async function measure(root) {
  const { parseSync } = await import('vite');
  const files = measureSources(root, parseSync);
  const sum = (/** @type {(file: Measured) => number} */ of) =>
    files.reduce((total, file) => total + of(file), 0);
  const declarations = files.flatMap(({ declarations: own }) => own);
  const shared = sharedNames(files, () => true);
  const participles = declarations.filter(
    ({ name, isType }) => isType && (IRREGULAR.test(name) || /^[A-Z][a-z]*[^e]ed$/.test(name)),
  );
  const codeLines = sum((file) => file.codeLines);
  /** @type {[string, string | number][]} */
  const rows = [
    ['files', files.length],
    ['lines', sum(({ lines }) => lines)],
    ['lines of code (no blanks, no comments)', codeLines],
    ['median lines of a file', median(files.map(({ lines }) => lines))],
    ['functions per 1,000 lines of code', Math.round((sum(({ functions }) => functions) / codeLines) * 1000)],
    ['top-level declarations', declarations.length],
    ['the same per 1,000 lines', Math.round((declarations.length / sum(({ lines }) => lines)) * 1000)],
    [
      'functions used once, in their own file, per 1,000 lines',
      ((sum(({ usedOnce }) => usedOnce) / sum(({ lines }) => lines)) * 1000).toFixed(1),
    ],
    ['declared under a name that another file declares too', sharedShare(files, () => true)],
    ['the same without unexported Props', sharedShare(files, (one) => !isConventional(one))],
    ['the same among exported names', sharedShare(files, ({ isExported }) => isExported)],
    ['types named by a participle', participles.length],
    ['lines that begin with “Owns:”', sum(({ text }) => (text.match(/^\/\/ Owns:/gm) ?? []).length)],
    ...Object.entries(ADDITIONS).map(
      ([what, pattern]) =>
        /** @type {[string, number]} */ ([
          `files that name ${what}`,
          files.filter(({ text }) => pattern.test(text)).length,
        ]),
    ),
  ];
  return { rows, shared, participles };
}

async function main() {
  const args = process.argv.slice(2);
  if (args.includes('--help')) return process.stdout.write(`${USAGE}\n`);
  // Commands, flags and keys are counted where they are defined, in TypeScript.
  const node = pinnedNode(root);
  if (node !== null && process.features.typescript !== 'strip') {
    const { status } = spawnSync(node, [fileURLToPath(import.meta.url), ...args], { stdio: 'inherit' });
    process.exitCode = status ?? 1;
    return undefined;
  }
  const folder = resolve(args.find((arg) => !arg.startsWith('--')) ?? root);
  const { rows, shared, participles } = await measure(folder);
  const print = (/** @type {string} */ what, /** @type {string | number} */ figure) =>
    process.stdout.write(`${String(figure).padStart(8)}  ${what}\n`);
  for (const [what, figure] of rows) print(what, figure);
  const { rooms, counts } = await measureBudgets(folder);
  process.stdout.write('\nWith a budget:\n');
  for (const [what, figure] of Object.entries(counts)) print(what, figure);
  for (const room of Object.keys(rooms).toSorted()) print(`lines of code in ${room}`, rooms[room] ?? 0);
  if (!args.includes('--names')) return undefined;
  const most = shared.toSorted(([, a], [, b]) => b.length - a.length);
  process.stdout.write(
    `\nShared names:\n${most.map(([name, places]) => `${places.length} ${name}`).join(', ')}\n`,
  );
  process.stdout.write(
    `\nParticiples:\n${[...new Set(participles.map(({ name }) => name))].toSorted().join(', ')}\n`,
  );
  return undefined;
}

await main();
