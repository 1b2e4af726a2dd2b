// @ts-check
// `npm run test:desktop`: the desktop app on a real Electron. The current one where its binary is installed, else the
// shell's code on Electron 22, which is fetched by name; where neither can be had it says so in one line and ends well.
// With `--install` what is needed is fetched and no test runs.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { electron22 } from '../test/desktop/electron22/prepare.mjs';
import { electronBinary } from './parts/desktop.mjs';
import { pinnedNode } from './parts/node.mjs';
import { runMain, say, ScriptFailure } from './parts/say.mjs';
import { vitestRun } from './parts/vitestRun.mjs';
import { root, setUp } from './setup.mjs';

/** @returns {Promise<{ name: string, executable: string, args: string[] } | { missing: string }>} */
async function electronHere() {
  const current = electronBinary(root);
  if (current !== null) return { name: 'Electron', executable: current, args: [root] };
  const older = await electron22(root);
  return 'missing' in older
    ? { missing: `Electron is not installed, and Electron 22 cannot be had: ${older.missing}` }
    : { name: 'Shell code on Electron 22', ...older };
}

/** @param {string} missing */
function skip(missing) {
  if (process.env['INTERJECT_REQUIRE_DESKTOP'] === '1')
    throw new ScriptFailure(
      `The desktop app cannot be tested: ${missing}.`,
      'npx install-electron, or let pip reach its index.',
    );
  process.stdout.write(`Tests of the desktop app were skipped: ${missing}\n`);
}

/** A display of its own where there is none: Node's arguments behind xvfb-run. @returns {string[] | null} */
export function display() {
  if (process.platform !== 'linux' || process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']) return [];
  try {
    execFileSync('xvfb-run', ['--help'], { stdio: 'ignore' });
    return ['xvfb-run', '--auto-servernum', '--server-args=-screen 0 1440x900x24'];
  } catch {
    return null;
  }
}

async function main() {
  await setUp();
  const before = display();
  if (before === null) return skip('this machine has no display, and no xvfb-run');
  const electron = await electronHere();
  if ('missing' in electron) return skip(electron.missing);
  if (process.argv[2] === '--install') return;
  say(`${electron.name}: ${electron.executable}`);
  const counts = await vitestRun({
    root,
    node: pinnedNode(root) ?? process.execPath,
    name: 'desktop',
    before,
    args: ['--config', join(root, 'test/desktop/vitest.config.ts'), ...process.argv.slice(2)],
    env: { ...process.env, INTERJECT_DESKTOP: JSON.stringify(electron) },
  });
  counts.told.forEach((line) => process.stdout.write(`\n${line}\n`));
  process.stdout.write(`\ndesktop (${electron.name}): ${counts.passed} passed, ${counts.failed} failed\n`);
  if (!counts.ok) process.exitCode = 1;
}

await runMain(import.meta.url, main);
