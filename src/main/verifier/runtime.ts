// Whether verifier code can be locked up here, and with what. Where it cannot, it is refused, never run open.
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Failure } from '../../shared/failure.ts';
import { confinement } from './confine.ts';
import { fileCache, type FileCache } from './fileCache.ts';
import {
  createSandbox,
  SANDBOX_LIMITS,
  type PackagesFolder,
  type Sandbox,
  type SandboxParts,
} from './sandbox.ts';

export type SnapshotPlace = {
  /** A folder for what can be made again. */
  folder: string;
  /** A file for the key of its checksum, in a folder where the user’s own things lie. */
  keyFile: string;
  /** Says why a snapshot was not used, or could not be kept. */
  tell: (notice: string) => void;
};

export type RuntimeQuery = {
  /** The product's `resources` folder. */
  resources: string;
  versions: Readonly<Record<string, string | undefined>>;
  execPath: string;
  /** The Node that came along with the product, where one did. */
  broughtNode: string | null;
  /** Where a snapshot of Python just started is kept; null keeps none. */
  cache: SnapshotPlace | null;
  packages: PackagesFolder;
};

/** Node's permission model is complete from here on. */
const NODE_MIN = 24;

/** What the sandbox is started with. Throws `sandbox_unavailable` with what is missing. */
export function sandboxParts(query: RuntimeQuery): SandboxParts {
  const { resources, versions, execPath, broughtNode, cache, packages } = query;
  const require = createRequire(join(resources, 'verifier', 'sandbox.mjs'));
  const interpreter = folderOf(require, 'pyodide/package.json');
  if (interpreter === null) throw unavailable('the WebAssembly Python is not installed');
  const program = isLockable(versions) ? execPath : broughtNode;
  if (program === null) {
    const has =
      versions['electron'] === undefined ? `Node ${versions['node'] ?? '?'}` : 'Electron’s own Node';
    throw unavailable(
      `${has} cannot be locked, and the Node that comes along for this platform is not there`,
    );
  }
  const folder = realpathSync(join(resources, 'verifier'));
  return {
    node: realpathSync(program),
    interpreter,
    scripts: folder,
    kept: cache === null ? null : snapshotCache(cache, versionOf(interpreter, folder)),
    harness: ['differences.py', 'harness.py']
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n'),
    packages,
    limits: SANDBOX_LIMITS,
    confinement: confinement(systemLimits(SANDBOX_LIMITS)),
    spare: 1,
  };
}

const snapshotCache = ({ folder, keyFile, tell }: SnapshotPlace, version: string): FileCache =>
  fileCache({
    file: join(folder, `python-${version}.snapshot`),
    keyFile,
    tell: (why) => tell(`the snapshot of the verifiers’ Python ${why}`),
  });

/**
 * What the system is told. V8 sets half a GiB apart for code, which counts though it never holds data; with the watchdog's
 * thread it is twice that. The time is that of a start and a verifier.
 */
const systemLimits = ({ process: memory, startMs, timeMs }: typeof SANDBOX_LIMITS) => ({
  data: memory + 1024 * 1024 * 1024,
  cpu: (startMs + timeMs) / 1000,
});

/** Another one for every Python, and for every script that starts it. */
function versionOf(interpreter: string, scripts: string): string {
  const hash = createHash('sha256');
  for (const file of [join(interpreter, 'package.json'), join(scripts, 'sandbox.mjs')])
    hash.update(readFileSync(file));
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
