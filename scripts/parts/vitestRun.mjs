// @ts-check
// One vitest run: what it printed is shown as it comes, its counts are read from its JSON report.
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { hold } from './processes.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number, ok: boolean, browser: BrowserCounts, told: string[] }} Counts */
/** Tests under test/e2e/ apart from Electron's own. @typedef {{ passed: number, skipped: number }} BrowserCounts */
/** @typedef {{ status: string, fullName: string, failureMessages?: string[] }} Assertion */
/** @typedef {{ name: string, status: string, message?: string, assertionResults: Assertion[] }} File */

const SKIPPED = new Set(['pending', 'skipped', 'todo', 'disabled']);

/**
 * Counts of a report. A file that failed before its first test is one failure: it may hide any number.
 * @param {{ testResults?: File[] }} report
 * @returns {{ passed: number, failed: number, skipped: number, browser: BrowserCounts }}
 */
export function countReport({ testResults: files = [] }) {
  const count = (/** @type {File[]} */ among, /** @type {(status: string) => boolean} */ is) =>
    among.flatMap((file) => file.assertionResults).filter(({ status }) => is(status)).length;
  const broken = files.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
  ).length;
  const inBrowser = files.filter(({ name }) => /[\\/]e2e[\\/]/.test(name) && !/electron/i.test(name));
  return {
    passed: count(files, (status) => status === 'passed'),
    failed: count(files, (status) => status === 'failed') + broken,
    skipped: count(files, (status) => SKIPPED.has(status)),
    browser: {
      passed: count(inBrowser, (status) => status === 'passed'),
      skipped: count(inBrowser, (status) => SKIPPED.has(status)),
    },
  };
}

const LINES_OF_A_FAILURE = 12;

/**
 * What a report says of tests that failed, and of those that passed only on a second try: of each its file, its title and
 * the first lines of why. A long run prints this where it happened, thousands of lines above its end.
 * @param {{ testResults?: File[] }} report
 * @param {string} root left out of the paths
 * @returns {string[]}
 */
export function failuresOf({ testResults: files = [] }, root) {
  return files.flatMap(({ name, status, message = '', assertionResults }) => {
    const path = relative(root, name).replaceAll('\\', '/');
    const told = assertionResults
      .filter(
        (one) =>
          one.status === 'failed' || (one.status === 'passed' && (one.failureMessages ?? []).length > 0),
      )
      .map(({ status: how, fullName, failureMessages: [why = ''] = [] }) => {
        const lines = stripVTControlCharacters(why).split('\n').slice(0, LINES_OF_A_FAILURE);
        return `${how === 'failed' ? 'FAILED' : 'passed on a second try'}: ${path} > ${fullName}\n${indented(lines)}`;
      });
    if (status !== 'failed' || told.length > 0) return told;
    const lines = stripVTControlCharacters(message).split('\n').slice(0, LINES_OF_A_FAILURE);
    return [`FAILED before its first test: ${path}\n${indented(lines)}`];
  });
}

const indented = (/** @type {string[]} */ lines) => lines.map((line) => `    ${line}`).join('\n');

/**
 * Which vitest runs the filters ask for. A run without a file of its own is left out: starting vitest takes seconds.
 * @param {string} root
 * @param {readonly string[]} filters parts of a path, as vitest takes them; both runs for anything else
 * @returns {{ unit: boolean, browser: boolean }}
 */
export function runsFor(root, filters) {
  if (filters.length === 0 || filters.some((filter) => filter.startsWith('-') || isAbsolute(filter)))
    return { unit: true, browser: true };
  const wanted = filters.map((filter) => filter.replace(/^\.\//, '').toLowerCase());
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((path) => `test/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.test.ts') && !/^test\/(peers|outside|desktop|packages)\//.test(path))
    .filter((path) => wanted.some((filter) => path.toLowerCase().includes(filter)));
  const isBrowser = (/** @type {string} */ path) => path.startsWith('test/e2e/');
  return { unit: files.some((path) => !isBrowser(path)), browser: files.some(isBrowser) };
}

/**
 * @param {{ root: string, node: string, name: string, args: readonly string[], env?: NodeJS.ProcessEnv, before?: readonly string[] }} run
 *   `before` is a program that starts Node, with its arguments
 * @returns {Promise<Counts>}
 */
export async function vitestRun({ root, node, name, args, env = process.env, before = [] }) {
  const report = join(root, '.cache/test', `${name}.json`);
  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const [program, ...started] = [...before, node];
  const result = await hold(
    program,
    [
      ...started,
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--passWithNoTests',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...args,
    ],
    { cwd: root, env },
  );
  const ok = result.code === 0;
  try {
    const told = JSON.parse(readFileSync(report, 'utf8'));
    const counts = countReport(told);
    // vitest also fails for what belongs to no test (an unhandled rejection): never "0 failed" then.
    const failed = ok ? counts.failed : Math.max(1, counts.failed);
    return { ...counts, failed, ok, told: failuresOf(told, root) };
  } catch {
    return { passed: 0, failed: 1, skipped: 0, ok: false, browser: { passed: 0, skipped: 0 }, told: [] };
  }
}
