// @ts-check
// How much there is to know of the product: what `npm run measure` prints and test/budgets.test.ts holds.
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

/** @typedef {{ path: string, text: string }} SourceFile */
/** @typedef {{ rooms: Record<string, number>, counts: Record<string, number> }} Budgets */

/** Every file below a folder whose name ends so. @param {string} root @param {string} folder @param {RegExp} name @returns {SourceFile[]} */
const filesIn = (root, folder, name) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && name.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: relative(root, path).replaceAll('\\', '/'), text: readFileSync(path, 'utf8') }));

/** @param {string} text */
const linesOf = (text) => text.split('\n').length - 1;

/** Lines with code: neither blank nor comment alone. @param {string} text @param {readonly { start: number, end: number }[]} comments */
export function countCodeLines(text, comments) {
  let code = '';
  let from = 0;
  for (const { start, end } of comments) {
    code += text.slice(from, start) + text.slice(start, end).replace(/[^\n]/g, '');
    from = end;
  }
  code += text.slice(from);
  return code.split('\n').filter((line) => line.trim() !== '').length;
}

/** @param {string} text */
const cssComments = (text) =>
  [...text.matchAll(/\/\*[\s\S]*?\*\//g)].map(({ index, 0: comment }) => ({
    start: index,
    end: index + comment.length,
  }));

/** The room of a file, as ARCHITECTURE.md lists them: `main/log`, `renderer/views`, `shared`. @param {string} path */
function roomOf(path) {
  const [, house = '', room = '', ...below] = path.split('/');
  if (house !== 'main' && house !== 'renderer') return house;
  return below.length === 0 ? house : `${house}/${room}`;
}

/** @param {string} root @param {typeof import('vite').parseSync} parseSync */
function countRooms(root, parseSync) {
  /** @type {Record<string, number>} */
  const rooms = {};
  let total = 0;
  for (const { path, text } of filesIn(root, 'src', /\.(?:tsx?|css)$/)) {
    total += linesOf(text);
    const comments = path.endsWith('.css') ? cssComments(text) : parseSync(path, text).comments;
    const room = roomOf(path);
    rooms[room] = (rooms[room] ?? 0) + countCodeLines(text, comments);
  }
  return { rooms, total };
}

/** @param {import('commander').Command} command @returns {import('commander').Command[]} */
const commandsBelow = (command) => command.commands.flatMap((one) => [one, ...commandsBelow(one)]);

/** What the product offers, counted where it is defined. @param {string} root @returns {Promise<Record<string, number>>} */
async function countOffers(root) {
  const load = (/** @type {string} */ path) =>
    import(/* @vite-ignore */ pathToFileURL(join(root, path)).href);
  const { contract } = await load('src/shared/contract/contract.ts');
  const { createProgram } = await load('src/main/hosts/main.ts');
  const { LOG_FORMATS } = await load('src/main/hosts/exportOptions.ts');
  const { KEY_BINDINGS } = await load('src/renderer/state/keys.ts');
  const { ExportFormat, ExportRules } = await load('src/shared/contract/export.ts');
  const program = createProgram(() => () => Promise.resolve());
  return {
    'contract commands': Object.keys(contract).length,
    'command-line commands': program.commands.length,
    'command-line flags': commandsBelow(program).reduce((sum, { options }) => sum + options.length, 0),
    keys: Object.keys(KEY_BINDINGS).length,
    'export formats': new Set([...ExportFormat.options, ...LOG_FORMATS]).size,
    'export rules': Object.keys(ExportRules.shape).length,
  };
}

/**
 * Everything that has a budget. It needs a Node that reads TypeScript.
 * @param {string} root
 * @returns {Promise<Budgets>}
 */
export async function measureBudgets(root) {
  const { parseSync } = await import('vite');
  const { rooms, total } = countRooms(root, parseSync);
  const tests = filesIn(root, 'test', /\.tsx?$/);
  const documents = filesIn(root, 'docs', /\.md$/);
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    rooms,
    counts: {
      'lines of src': total,
      'lines of tests': tests.reduce((sum, { text }) => sum + linesOf(text), 0),
      ...(await countOffers(root)),
      'words of documents': documents.reduce((sum, { text }) => sum + (text.match(/\S+/g) ?? []).length, 0),
      'production packages': Object.keys(dependencies).length,
    },
  };
}
