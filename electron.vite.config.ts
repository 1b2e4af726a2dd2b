import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

export default defineConfig(({ command }) => ({
  main: {
    build: {
      sourcemap: true,
      rolldownOptions: {
        input: {
          electron: 'src/main/hosts/electron.ts',
          server: 'src/main/hosts/server.ts',
          cli: 'src/main/hosts/cli.ts',
          tap: 'src/main/hosts/tap.ts',
          thread: 'src/main/hosts/thread.ts',
        },
        output: { format: 'es' },
      },
    },
  },
  preload: {
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
    plugins: [react()],
    // Every class stands in the style sheet and in the script: short names are a tenth of the one and more of the other.
    css: command === 'build' ? { modules: { generateScopedName: '_[hash:base64:6]' } } : {},
    build: { minify: true, rolldownOptions: { input: { index: 'src/renderer/index.html' } } },
  },
}));
