// @ts-check
// Out/THIRD_PARTY_LICENSES.txt: the licence of every package that is part of the product, whether it was built into it or
// is installed beside it.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ScriptFailure } from './say.mjs';
import { withDependencies } from './stage.mjs';

export const LICENSES = 'out/THIRD_PARTY_LICENSES.txt';
/** What each part of the build took from packages; the file is made of it. */
const BUILT_IN = 'out/.packages';

const byName = (/** @type {string} */ a, /** @type {string} */ b) => (a < b ? -1 : 1);

/** The package that a module belongs to; null for one of ours. @param {string} id */
function packageOfModule(id) {
  const path = id.replaceAll('\\', '/').split('/node_modules/').at(-1) ?? '';
  if (path === id.replaceAll('\\', '/')) return null;
  return path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');
}

/**
 * Notes the packages of which something stands in what was built.
 * @param {string} part @returns {import('vite').Plugin}
 */
export const notePackages = (part) => ({
  name: 'interject:packages',
  apply: 'build',
  writeBundle: (_options, bundle) => {
    const ids = Object.values(bundle).flatMap((output) => (output.type === 'chunk' ? output.moduleIds : []));
    const names = [...new Set(ids.map(packageOfModule).filter((name) => name !== null))].sort(byName);
    mkdirSync(BUILT_IN, { recursive: true });
    writeFileSync(join(BUILT_IN, `${part}.json`), JSON.stringify(names));
  },
});

/** Every package that is part of the product, or is shipped beside it. @param {string} root @returns {string[]} */
export function shippedPackages(root) {
  const modules = join(root, 'node_modules');
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const beside = Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) =>
    existsSync(join(modules, name)),
  );
  const built = readdirSync(join(root, BUILT_IN)).flatMap((file) =>
    JSON.parse(readFileSync(join(root, BUILT_IN, file), 'utf8')),
  );
  return [...new Set([...built, ...withDependencies(modules, beside)])].sort(byName);
}

/** What a package of the MIT licence says that brings no text of its own. @param {string} by */
const mit = (by) => `MIT License

Copyright (c) ${by}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** The texts of a package's licence: its own, else the one its licence names. @param {string} root @param {string} name */
function licenseEntry(root, name) {
  const folder = join(root, 'node_modules', name);
  const { version, license, author, homepage, repository } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const files = readdirSync(folder).filter((file) => /^(?:licen[sc]e|copying|notice)\b/i.test(file));
  const own = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const by = typeof author === 'string' ? author : (author?.name ?? `the authors of ${name}`);
  /** @type {Record<string, () => string>} */
  const named = {
    MIT: () => mit(by),
    'MPL-2.0': () => readFileSync(join(root, 'packaging/MPL-2.0.txt'), 'utf8').trim(),
  };
  const texts = own.length > 0 ? own : [named[license]?.() ?? ''].filter((text) => text !== '');
  if (texts.length === 0)
    throw new ScriptFailure(
      `The package ${name} brings no text of its licence (${license}).`,
      'put the text into scripts/parts/licenses.mjs, or do without the package.',
    );
  const source = (typeof repository === 'string' ? repository : repository?.url) ?? homepage ?? '';
  return `${name} ${version} (${license ?? 'see below'})\n${source}\n\n${texts.join('\n\n')}\n`;
}

const RULE = `\n${'-'.repeat(80)}\n\n`;

/** @param {string} root whose build is done */
export function writeLicenses(root) {
  const head = 'Interject holds or brings these packages, each under the licence that stands with it.\n';
  const entries = shippedPackages(root).map((name) => licenseEntry(root, name));
  writeFileSync(join(root, LICENSES), [head, ...entries].join(RULE));
}

/** @param {string} root */
export const forgetPackages = (root) => rmSync(join(root, BUILT_IN), { recursive: true, force: true });
