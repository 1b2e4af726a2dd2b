// The key by which this user's data folders are known on this machine. It lies apart from them.
import { makeChecksumKey, readChecksumKey } from '../verifier/checksumKey.ts';
import { snapshotKeyPath } from './paths.ts';

/** Of a user with no place for one: what comes by a backup is still known, as none takes a folder's mark along. */
const NO_KEY = Buffer.alloc(0);

/** The one that is there, else a new one. */
export const userKey = (): Promise<Buffer> => makeChecksumKey(snapshotKeyPath()).catch(() => NO_KEY);

/** For what only looks. */
export async function readUserKey(): Promise<Buffer> {
  const key = await readChecksumKey(snapshotKeyPath());
  return typeof key === 'string' ? NO_KEY : key;
}
