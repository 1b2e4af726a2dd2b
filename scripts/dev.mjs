// @ts-check
// `npm run dev`. In a browser: the console from Vite's own server (hot reload), in front of a server host that is
// built and started again when main's sources change. On a desktop: the app, built and started again on any change.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { electronBinary, noWindowReason, thisMachine } from './parts/desktop.mjs';
import { pinnedNode } from './parts/node.mjs';
import { ended } from './parts/processes.mjs';
import { ScriptFailure, runMain, say } from './parts/say.mjs';
import { root, setUp } from './setup.mjs';

const USAGE = `npm run dev [-- options]

Runs the console while you change its sources: the desktop app where Electron can run, else in a browser.

  --browser   in a browser, also where Electron could run (hot reload without a restart)
  --data DIR  data folder
  --port N    browser only: port of the server host (a free one)`;

const SETTLE_MS = 200;

/** Something that runs and is started again after a build. @typedef {{ start: () => Promise<void>, stop: () => Promise<void> }} Host */

/** @param {import('node:child_process').ChildProcess | null} child */
async function stop(child) {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  const gone = ended(child);
  child.kill('SIGTERM');
  await gone;
}

/** @param {string} binary @param {readonly string[]} args @returns {Host} */
function desktopHost(binary, args) {
  /** @type {import('node:child_process').ChildProcess | null} */
  let child = null;
  return {
    start: async () => {
      const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
      const started = spawn(binary, [root, ...args], { stdio: 'inherit', env });
      child = started;
      // Closed by the person, not by us: development is over.
      void ended(started).then(() => (child === started ? process.exit() : undefined));
    },
    stop: async () => {
      const old = child;
      child = null;
      await stop(old);
    },
  };
}

/**
 * The server host. It keeps the port it first got, because Vite stands in front of it.
 * @param {string} node
 * @param {readonly string[]} args
 * @param {(ready: { url: string, token: string }) => void} onReady
 * @returns {Host}
 */
function serverHost(node, args, onReady) {
  let port = '0';
  /** @type {import('node:child_process').ChildProcess | null} */
  let child = null;
  return {
    start: async () => {
      const own = [join(root, 'out/main/server.js'), '--no-open', '--json', '--port', port, ...args];
      const started = spawn(node, own, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
      child = started;
      const said = new Promise((settle) => {
        createInterface({ input: started.stdout }).on('line', (line) => settle(JSON.parse(line)));
      });
      const first = await Promise.race([said, ended(started).then(() => null)]);
      if (first?.type !== 'ready')
        throw new ScriptFailure('The server host did not start.', 'see what it said above.');
      const { origin, port: got } = new URL(first.url);
      port = got;
      onReady({ url: origin, token: first.token });
    },
    stop: () => stop(child),
  };
}

/** @param {string} target @returns {Promise<string>} the address of the console */
async function serveRenderer(target) {
  const { createServer, loadConfigFromFile, mergeConfig } = await import('vite');
  const file = join(root, 'electron.vite.config.ts');
  const loaded = await loadConfigFromFile({ command: 'serve', mode: 'development' }, file, root);
  const { renderer = {} } = /** @type {{ renderer?: import('vite').UserConfig }} */ (loaded?.config ?? {});
  const server = await createServer(
    mergeConfig(renderer, {
      configFile: false,
      root: join(root, 'src/renderer'),
      // The build names its page from the project's folder; Vite's server looks from its own root.
      build: { rolldownOptions: { input: { index: join(root, 'src/renderer/index.html') } } },
      server: {
        host: '127.0.0.1',
        // The host refuses sockets of another origin; in front of it, Vite speaks as the host itself.
        proxy: { '/console': { target, ws: true, changeOrigin: true, rewriteWsOrigin: true } },
      },
    }),
  );
  await server.listen();
  return server.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? '';
}

/**
 * Builds and starts the host again after changes, one build at a time. A broken build leaves the old host running.
 * @param {readonly string[]} folders
 * @param {Host} host
 */
function rebuildOnChange(folders, host) {
  /** @type {NodeJS.Timeout | undefined} */
  let settling;
  let turn = Promise.resolve();
  const rebuild = async () => {
    try {
      await setUp();
      await host.stop();
      await host.start();
      say('Started again.');
    } catch (thrown) {
      if (!(thrown instanceof ScriptFailure)) throw thrown;
      say(thrown.message);
    }
  };
  for (const folder of folders) {
    watch(join(root, folder), { recursive: true }, () => {
      clearTimeout(settling);
      settling = setTimeout(() => (turn = turn.then(rebuild)), SETTLE_MS);
    });
  }
}

async function main() {
  const args = process.argv.slice(2).filter((arg) => arg !== '--browser');
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  await setUp();
  const binary = electronBinary(root);
  const reason = process.argv.includes('--browser')
    ? 'asked for with --browser'
    : (noWindowReason(thisMachine()) ??
      (binary === null ? 'Electron is not installed (npx install-electron)' : null));
  /** @type {Host} */
  let host;
  if (reason === null && binary !== null) {
    host = desktopHost(binary, args);
    await host.start();
    rebuildOnChange(['src', 'resources'], host);
  } else {
    /** @type {{ url: string, token: string } | undefined} */
    let ready;
    host = serverHost(pinnedNode(root) ?? process.execPath, args, (told) => (ready = told));
    await host.start();
    say(`In a browser: ${reason ?? ''}.`);
    say(
      `\nThe console, with hot reload: ${await serveRenderer(ready?.url ?? '')}/#token=${ready?.token ?? ''}\n`,
    );
    rebuildOnChange(['src/main', 'src/shared', 'resources'], host);
  }
  await new Promise((settle) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, settle);
  });
  await host.stop();
  process.exit();
}

await runMain(import.meta.url, main);
