// The licences that come with the product, as a build makes them of the packages of this copy.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, matchesGlob, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builderConfig } from '../../scripts/parts/builderConfig.mjs';
import { LICENSES, notePackages, writeLicenses } from '../../scripts/parts/licenses.mjs';

const product = resolve(import.meta.dirname, '../..');
let root = '';
const before = process.cwd();
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'interject-licenses-'));
  mkdirSync(join(root, 'out'));
  symlinkSync(join(product, 'packaging'), join(root, 'packaging'));
  symlinkSync(join(product, 'package.json'), join(root, 'package.json'));
  process.chdir(root);
});
afterEach(() => {
  process.chdir(before);
  rmSync(root, { recursive: true, force: true });
});

/** What a part of the build took in, of which package each module is. */
function build(part: string, modules: readonly string[]): void {
  const moduleIds = modules.map((path) => join(product, path));
  const { writeBundle } = notePackages(part) as unknown as {
    writeBundle: (options: object, bundle: object) => void;
  };
  writeBundle({}, { 'index.js': { type: 'chunk', moduleIds }, 'a.css': { type: 'asset' } });
}

describe('the licences that come with the product', () => {
  it('are those of every package that was built in, and of every one installed beside it, with their texts', () => {
    symlinkSync(join(product, 'node_modules'), join(root, 'node_modules'));
    build('main', ['src/main/hosts/cli.ts', 'node_modules/zod/index.js']);
    build('renderer', [
      'node_modules/react/index.js',
      'node_modules/@codemirror/view/dist/index.js',
      'node_modules/react-remove-scroll-bar/dist/es2015/index.js',
    ]);

    writeLicenses(root);

    const entries = readFileSync(join(root, LICENSES), 'utf8')
      .split(`\n${'-'.repeat(80)}\n\n`)
      .slice(1);
    const names = entries.map((entry) => entry.slice(0, entry.indexOf(' ')));
    const { dependencies } = JSON.parse(readFileSync(join(product, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const due = ['react', '@codemirror/view', 'react-remove-scroll-bar', ...Object.keys(dependencies)];
    expect(names).toEqual(expect.arrayContaining(due));
    expect(names).not.toContain('vite');
    for (const entry of entries) expect(entry).toMatch(/permission|licen[sc]e|redistribution/i);
    expect(entries.filter((entry) => entry.length < 500)).toEqual([]);
  });

  it('are not made where a package brings no text, so that nothing is handed out without it', () => {
    for (const name of ['bare']) {
      mkdirSync(join(root, 'node_modules', name), { recursive: true });
      writeFileSync(
        join(root, 'node_modules', name, 'package.json'),
        JSON.stringify({ name, version: '1.0.0', license: 'Some-1.0' }),
      );
    }
    mkdirSync(join(root, 'out/.packages'));
    writeFileSync(join(root, 'out/.packages/main.json'), '["bare"]');

    expect(() => writeLicenses(root)).toThrow('The package bare brings no text of its licence (Some-1.0)');
  });

  it('are taken along by the npm package and by the desktop app', () => {
    const { files } = JSON.parse(readFileSync(join(product, 'package.json'), 'utf8')) as { files: string[] };
    const desktop = builderConfig({
      stage: 'stage',
      output: 'dist',
      icons: 'icons',
      platform: 'linux',
      arch: 'x64',
      electronVersion: '45.0.0',
      electronDist: null,
      env: {},
    }).files;

    for (const patterns of [files, desktop]) {
      const left = patterns.filter((one) => one.startsWith('!')).map((one) => one.slice(1));
      expect(patterns.some((one) => ['out', 'out/**'].includes(one))).toBe(true);
      expect(left.filter((one) => matchesGlob(LICENSES, one))).toEqual([]);
    }
  });
});
