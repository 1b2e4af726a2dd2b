// @ts-check
// Declares the class names of each CSS module beside the sources, in .cache/css: a misspelt class is a type error.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { transform } from 'lightningcss';
import { runMain } from './parts/say.mjs';
import { root } from './setup.mjs';

const SUFFIX = '.module.css';
const DECLARATION = '.d.css.ts';

/**
 * The class names a CSS module defines.
 * @param {string} file
 */
function classNames(file) {
  const { exports } = transform({ filename: file, code: readFileSync(file), cssModules: true });
  return Object.keys(exports ?? {}).sort();
}

/**
 * Writes the declarations of every CSS module under src.
 * @param {string} root the checkout
 */
export function writeCssTypes(root) {
  const sources = join(root, 'src/renderer');
  const declarations = join(root, '.cache/css');
  for (const name of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith(SUFFIX)) continue;
    const file = join(sources, name);
    const target = join(declarations, relative(root, file).replace(/\.css$/, DECLARATION));
    const lines = classNames(file).map((each) => `export declare const ${each}: string;\n`);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, lines.length > 0 ? lines.join('') : 'export {};\n');
  }
  // A module that is gone must not go on compiling.
  for (const name of readdirSync(declarations, { recursive: true, encoding: 'utf8' })) {
    const source = join(root, name.replace(/\.d\.css\.ts$/, '.css'));
    if (name.endsWith(DECLARATION) && !existsSync(source)) rmSync(join(declarations, name));
  }
}

await runMain(import.meta.url, async () => writeCssTypes(root));
