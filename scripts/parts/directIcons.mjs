// @ts-check
// Leads each import of an icon to that icon's own module. Through the package's one list of all icons the build takes
// every icon for needed wherever one is.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/**
 * Where each name of the icons' package comes from.
 * @returns {Map<string, string>}
 */
function iconModules() {
  const folder = dirname(require.resolve('lucide-react/package.json'));
  const entry = readFileSync(join(folder, 'dist/esm/lucide-react.mjs'), 'utf8');
  /** @type {Map<string, string>} */
  const modules = new Map();
  for (const [, names = '', path = ''] of entry.matchAll(/^export \{([^}]*)\} from '\.\/(icons\/[^']+)'/gm))
    for (const [, name = ''] of names.matchAll(/default as (\w+)/g))
      modules.set(name, join(folder, 'dist/esm', path));
  return modules;
}

const IMPORT = /^import \{([^}]+)\} from 'lucide-react';$/gm;

/**
 * A plug-in of the build for the sources of the renderer.
 * @returns {import('vite').Plugin}
 */
export function directIcons() {
  const icons = iconModules();
  /** @param {string} part */
  const direct = (part) => {
    const [name = '', as = name] = part.trim().split(' as ');
    const path = icons.get(name);
    return path === undefined
      ? `import { ${part.trim()} } from 'lucide-react';`
      : `import ${as} from ${JSON.stringify(path)};`;
  };
  return {
    name: 'interject:direct-imports',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/renderer\/.*\.tsx?$/, code: /from 'lucide-react'/ },
      handler: (code) =>
        code.replace(IMPORT, (_whole, /** @type {string} */ names) =>
          names
            .split(',')
            .filter((part) => part.trim() !== '')
            .map(direct)
            .join(' '),
        ),
    },
  };
}
