import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';
import { compressOutput } from './scripts/parts/compress.mjs';
import { directIcons } from './scripts/parts/directIcons.mjs';
import { notePackages } from './scripts/parts/licenses.mjs';

/** What a question on the desk needs. */
const CARD = [/\/views\/desk\/DeskCard\.tsx$/, /\/views\/desk\/DeskList\.tsx$/];
/** Reached through zod's own index, and used by later views alone. */
const LATER = /\/zod\/v4\/core\/(?:json-schema|to-json-schema|memoizer)|\/zod\/v4\/locales/;

type ModuleGraph = { getModuleInfo: (id: string) => { importers: readonly string[] } | null };

/** Whether one of those modules imports it, directly or not. */
function isImportedBy(ends: readonly RegExp[], id: string, graph: ModuleGraph): boolean {
  const seen = new Set([id]);
  for (const one of seen) {
    if (ends.some((end) => end.test(one))) return true;
    for (const importer of graph.getModuleInfo(one)?.importers ?? []) seen.add(importer);
  }
  return false;
}

/**
 * Few files, since each costs a round trip: what every page needs, what a question needs besides, what several views
 * share, and each view. Each of these imports only those before it.
 */
const groups = [
  { name: 'console', tags: ['$initial' as const], priority: 3 },
  {
    name: (id: string, graph: ModuleGraph) =>
      !LATER.test(id) && isImportedBy(CARD, id, graph) ? 'card' : null,
    priority: 2,
  },
  { name: 'shared', minShareCount: 2, priority: 1 },
];

/**
 * Names the scripts of the console and of a question before all else in the page: the largest goes over the connection
 * that is open already, and a question's comes beside it and not only once the console runs.
 */
const fetchScriptsFirst = (): Plugin => ({
  name: 'interject:scripts-first',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) =>
      Object.values(bundle ?? {})
        .flatMap((output) => (output.type === 'chunk' ? [output] : []))
        .filter(({ isEntry, name }) => isEntry || name === 'card')
        .toSorted((a, b) => Number(b.isEntry) - Number(a.isEntry))
        .map(({ fileName }) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `./${fileName}` },
          injectTo: 'head-prepend' as const,
        })),
  },
});

/** Packages of plain JavaScript that every command needs. */
const BUNDLED = [
  '@cfworker/json-schema',
  'commander',
  'fzstd',
  'hyparquet',
  'hyparquet-writer',
  'openai',
  'zod',
];

export default defineConfig(({ command }) => ({
  main: {
    plugins: [notePackages('main')],
    build: {
      // Hundreds of small files, each of which costs a look at the disk at every start: they go into the product's own few.
      externalizeDeps: { exclude: BUNDLED },
      sourcemap: true,
      rolldownOptions: {
        input: {
          electron: 'src/main/desktop/electron.ts',
          server: 'src/main/hosts/server.ts',
          cli: 'src/main/hosts/cli.ts',
          helpTexts: 'src/main/hosts/helpTexts.ts',
          tap: 'src/main/hosts/tap.ts',
          thread: 'src/main/hosts/thread.ts',
        },
        output: { format: 'es' },
      },
    },
  },
  preload: {
    plugins: [notePackages('preload')],
    build: {
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: 'src/preload/index.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src/renderer',
    plugins: [directIcons(), react(), fetchScriptsFirst(), compressOutput(), notePackages('renderer')],
    // Every class stands in the style sheet and in the script: short names are a tenth of the one and more of the other.
    css: command === 'build' ? { modules: { generateScopedName: '_[hash:base64:6]' } } : {},
    build: {
      minify: true,
      // In one style sheet the order of rules does not depend on which view was fetched first.
      cssCodeSplit: false,
      rolldownOptions: { input: { index: 'src/renderer/index.html' }, output: { codeSplitting: { groups } } },
    },
  },
}));
