// A small file system of its own for the data folder, so that it can be filled and made read-only. Linux and root only.
import { spawnSync } from 'node:child_process';
import { mkdirSync, statfsSync } from 'node:fs';

export type Disk = {
  /** Null where none can be mounted: the disk is neither filled nor made read-only then. */
  fill: (() => () => void) | null;
  setReadOnly: ((isReadOnly: boolean) => boolean) | null;
  unmount: () => void;
};

/** No run comes near it; the memory it takes is that of the files that lie in it. */
const SIZE = '4g';

export function mountDisk(folder: string): Disk {
  mkdirSync(folder, { recursive: true });
  const mount = (...args: string[]): boolean => spawnSync('mount', args).status === 0;
  const isMounted =
    process.platform === 'linux' && mount('-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder);
  if (!isMounted) return { fill: null, setReadOnly: null, unmount: () => undefined };
  return {
    fill: () => fillDisk(folder, mount),
    setReadOnly: (isReadOnly) => mount('-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, folder),
    unmount: () => void spawnSync('umount', ['-l', folder]),
  };
}

/** Takes away every free page; gives them back when it is called. */
function fillDisk(folder: string, mount: (...args: string[]) => boolean): () => void {
  const { blocks, bfree, bsize } = statfsSync(folder);
  mount('-o', `remount,size=${String((blocks - bfree) * bsize)}`, folder);
  return () => void mount('-o', `remount,size=${SIZE}`, folder);
}
