// Files that this user alone can read and change: what others could have written is not trusted.
import { constants } from 'node:fs';
import { chmod, lstat, mkdir, open, rm, type FileHandle } from 'node:fs/promises';

type Ownership = { uid: number; mode: number };

/** This user's, and closed to everyone else. Windows has no such modes; there the folder of a profile is the user's. */
const isOnlyOurs = ({ uid, mode }: Ownership): boolean =>
  process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);

/** Null where no one is there; a sentence where others could have put files into it. */
export async function troubleOfFolder(folder: string): Promise<string | null> {
  const stat = await lstat(folder).catch(noneThere);
  if (stat === null || (stat.isDirectory() && isOnlyOurs(stat))) return null;
  return 'its folder is open to others';
}

/** Makes a folder for this user alone, or closes one that was open to others. */
export async function makeOwnFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await troubleOfFolder(folder)) !== null) await chmod(folder, 0o700);
}

/** An open file of this user alone; null where there is none; a sentence where others could have changed it. */
export async function openOwnFile(path: string): Promise<FileHandle | string | null> {
  const handle = await open(
    path,
    constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NOFOLLOW),
  ).catch((thrown: unknown) => {
    if (codeOf(thrown) === 'ELOOP') return 'it is a link';
    return noneThere(thrown);
  });
  if (handle === null || typeof handle === 'string') return handle;
  const stat = await handle.stat();
  if (stat.isFile() && isOnlyOurs(stat)) return handle;
  await handle.close();
  return 'it is open to others';
}

/** Nothing where its folder is none. */
export const removeFile = (file: string): Promise<void> => rm(file, { force: true }).catch(() => undefined);

const codeOf = (thrown: unknown): unknown => (thrown as NodeJS.ErrnoException).code;

function noneThere(thrown: unknown): null {
  if (codeOf(thrown) === 'ENOENT' || codeOf(thrown) === 'ENOTDIR') return null;
  throw thrown;
}
