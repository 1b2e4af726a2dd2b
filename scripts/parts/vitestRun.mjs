// @ts-check
// One vitest run: what it printed is shown as it comes, its counts are read from its JSON report.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hold } from './processes.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number, ok: boolean, browser: BrowserCounts }} Counts */
/** Tests under test/e2e/ apart from Electron's own. @typedef {{ passed: number, skipped: number }} BrowserCounts */
/** @typedef {{ status: string, fullName: string }} Assertion */
/** @typedef {{ name: string, status: string, assertionResults: Assertion[] }} File */

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

/**
 * @param {{ root: string, node: string, name: string, args: readonly string[], env?: NodeJS.ProcessEnv }} run
 * @returns {Promise<Counts>}
 */
export async function vitestRun({ root, node, name, args, env = process.env }) {
  const report = join(root, '.cache/test', `${name}.json`);
  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const result = await hold(
    node,
    [
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
    const counts = countReport(JSON.parse(readFileSync(report, 'utf8')));
    // vitest also fails for what belongs to no test (an unhandled rejection): never "0 failed" then.
    return { ...counts, failed: ok ? counts.failed : Math.max(1, counts.failed), ok };
  } catch {
    return { passed: 0, failed: 1, skipped: 0, ok: false, browser: { passed: 0, skipped: 0 } };
  }
}
