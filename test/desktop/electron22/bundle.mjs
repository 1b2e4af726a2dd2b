// @ts-check
// Today's build, compiled once more: main and its threads as CommonJS for Node 16, the page for Chromium 108.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

/** CommonJS has no `import.meta`. */
const META = `const __meta = { dirname: __dirname, filename: __filename, url: require('node:url').pathToFileURL(__filename).href };`;
const CHROMIUM = 108;

/**
 * @param {string} root
 * @param {string} folder
 * @param {readonly string[]} entries of out/main
 */
export async function bundleMain(root, folder, entries) {
  for (const name of entries) {
    await build({
      configFile: false,
      logLevel: 'warn',
      root,
      define: {
        'import.meta.dirname': '__meta.dirname',
        'import.meta.filename': '__meta.filename',
        'import.meta.url': '__meta.url',
      },
      ssr: { noExternal: true, external: ['electron', 'better-sqlite3'] },
      build: {
        ssr: join(root, 'out/main', `${name}.js`),
        outDir: folder,
        emptyOutDir: false,
        target: 'node16',
        minify: false,
        rolldownOptions: {
          external: [/^node:/, 'electron', 'better-sqlite3'],
          output: {
            format: 'cjs',
            entryFileNames: `${name}.cjs`,
            codeSplitting: false,
            banner: META,
            paths: { electron: './electronOf22.cjs' },
          },
        },
      },
    });
  }
}

/**
 * @param {string} root
 * @param {string} folder
 * @param {string} polyfills a script for the page
 */
export async function bundlePage(root, folder, polyfills) {
  const targets = { chrome: CHROMIUM << 16 };
  await build({
    configFile: false,
    logLevel: 'error',
    root: join(root, 'src/renderer'),
    base: './',
    plugins: [react()],
    css: { transformer: 'lightningcss', lightningcss: { targets } },
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: `chrome${CHROMIUM}`,
      cssTarget: `chrome${CHROMIUM}`,
      cssMinify: 'lightningcss',
      cssCodeSplit: false,
      minify: false,
      rolldownOptions: { input: join(root, 'src/renderer/index.html') },
    },
  });
  copyFileSync(polyfills, join(folder, 'polyfills.js'));
  const page = join(folder, 'index.html');
  const first = '<script src="./early.js">';
  const html = readFileSync(page, 'utf8');
  if (!html.includes(first)) throw new Error('index.html has another first script now');
  writeFileSync(page, html.replace(first, `<script src="./polyfills.js"></script>${first}`));
}
