// @ts-check
// `npm test`: set-up, then every check there is, and one summary that ends with the counts.
import { join } from 'node:path';
import { pinnedNode } from './parts/node.mjs';
import { keep } from './parts/processes.mjs';
import { ScriptFailure, elapsed, runMain, say } from './parts/say.mjs';
import { runsFor, vitestRun } from './parts/vitestRun.mjs';
import { root, setUp } from './setup.mjs';

const USAGE = `npm test [-- FILTER…]

Formatting, types, lint, unit and flow tests, wire pins, browser end-to-end tests. The desktop app: npm run test:desktop.
With a FILTER (part of a test file's path) only the matching test files run.

CHROMIUM_PATH                  the browser to use (else the one npm brought, else a system one)
INTERJECT_REQUIRE_BROWSER=1    browser tests that were skipped count as a failure`;

/** @typedef {{ name: string, ok: boolean, note: string }} Line */
/** @typedef {import('./parts/vitestRun.mjs').Counts} Counts */

/**
 * A check that prints only when it fails.
 * @param {string} name
 * @param {readonly string[]} command a script under node_modules and its arguments
 * @param {string} node
 * @returns {Promise<Line>}
 */
async function check(name, [script = '', ...args], node) {
  const began = Date.now();
  // The compiler and most of the linter are Go programs that spend a third of their time collecting garbage. With a
  // quarter as many collections they end sooner and take a tenth more memory.
  const env = { GOGC: '400', ...process.env };
  const result = await keep(node, [join(root, 'node_modules', script), ...args], { cwd: root, env });
  const ok = result.code === 0;
  if (!ok) process.stdout.write(`\n${name} failed:\n${result.output.trim()}\n\n`);
  return { name, ok, note: elapsed(began) };
}

/** @param {string} node */
async function staticChecks(node) {
  // Not at the top: it needs a package, and a fresh clone has none yet.
  const { writeCssTypes } = await import('./cssTypes.mjs');
  writeCssTypes(root);
  return Promise.all([
    check('formatting', ['prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.'], node),
    check('types', ['typescript/bin/tsc', '--noEmit'], node),
    check('lint', ['oxlint/bin/oxlint', '--type-aware', '--deny-warnings'], node),
  ]);
}

/** The set-up's second half, as a check: a broken build must not hide what types and unit tests say. @returns {Promise<Line>} */
async function built() {
  const began = Date.now();
  try {
    await setUp();
    return { name: 'build', ok: true, note: elapsed(began) };
  } catch (thrown) {
    if (!(thrown instanceof ScriptFailure)) throw thrown;
    return { name: 'build', ok: false, note: thrown.message };
  }
}

/**
 * @param {string} name
 * @param {readonly string[]} args
 * @param {string} node
 * @returns {Promise<{ line: Line, counts: Counts }>}
 */
async function tests(name, args, node) {
  const began = Date.now();
  say(`\n── ${name}`);
  const counts = await vitestRun({ root, node, name: name.replaceAll(' ', '-'), args });
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  const note = `${counts.passed} passed, ${counts.failed} failed${skipped}, ${elapsed(began)}`;
  return { line: { name, ok: counts.ok, note }, counts };
}

/**
 * What to say of browser tests that did not run; null when they did.
 * @param {Counts} counts
 * @returns {Line | null}
 */
function browserLine({ browser, ok }) {
  if (browser.passed > 0 || !ok) return null;
  const isRequired = process.env['INTERJECT_REQUIRE_BROWSER'] === '1';
  return {
    name: 'browser',
    ok: !isRequired,
    note: `no browser found, ${browser.skipped} tests skipped: set CHROMIUM_PATH, install chromium, or run \`npm ci --include=optional\``,
  };
}

/**
 * @param {readonly string[]} filters
 * @param {string} node
 */
async function runTests(filters, node) {
  const runs = runsFor(root, filters);
  const done = [];
  // A second try for what a busy machine held up; the summary names each test that needed it.
  if (runs.unit) done.push(await tests('unit and flow', ['--retry=1', ...filters], node));
  if (runs.browser) {
    const e2e = await tests('end to end', ['--config', 'vitest.e2e.config.ts', ...filters], node);
    const missing = filters.length > 0 ? null : browserLine(e2e.counts);
    done.push(e2e, ...(missing === null ? [] : [{ line: missing, counts: null }]));
  }
  return { lines: done.map(({ line }) => line), counts: done.flatMap(({ counts }) => counts ?? []) };
}

async function main() {
  const filters = process.argv.slice(2);
  if (filters.includes('--help') || filters.includes('-h')) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  await setUp({ build: false });
  const node = pinnedNode(root) ?? process.execPath;
  // Only browser tests use what is built.
  const checks = [
    ...(runsFor(root, filters).browser ? [await built()] : []),
    ...(filters.length > 0 ? [] : await staticChecks(node)),
  ];
  const { lines, counts } = await runTests(filters, node);
  const all = [...checks, ...lines];
  const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ key) =>
    counts.reduce((total, each) => total + each[key], 0);
  // What failed without a failing test (types, lint, a missing browser) must not end in "0 failed".
  const untested = [...checks, ...lines.filter(({ name }) => name === 'browser')].filter(({ ok }) => !ok);
  const failed = sum('failed') + untested.length;
  const skipped = sum('skipped');
  const told = counts.flatMap((each) => each.told);
  if (told.length > 0) process.stdout.write(`\n${told.join('\n')}\n`);
  const widest = Math.max(...all.map(({ name }) => name.length));
  process.stdout.write(
    `\n${all.map(({ name, ok, note }) => `${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(widest)}  ${note}`).join('\n')}\n`,
  );
  process.stdout.write(
    `\n${sum('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
  );
  if (filters.length > 0 && sum('passed') + failed + skipped === 0) {
    throw new ScriptFailure(`No test file matches ${filters.join(' ')}.`, 'give part of a path under test/.');
  }
  if (failed > 0 || all.some(({ ok }) => !ok)) process.exitCode = 1;
}

await runMain(import.meta.url, main);
