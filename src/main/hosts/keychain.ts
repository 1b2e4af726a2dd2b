// Keys encrypted by the operating system's keychain, in a file that only this user's session can open.
import { join } from 'node:path';
import { createJsonFile } from '../settings/jsonFile.ts';
import type { Secrets } from '../settings/fileSecrets.ts';

/** The part of Electron's safeStorage this needs. */
type Cipher = { encryptString(text: string): Buffer; decryptString(data: Buffer): string };

/**
 * Keeps base64 of what the cipher returns, by name, in `keychain.json` of the folder. A value that cannot be decrypted
 * (another user, a reset keychain) reads as absent; a file that cannot be read throws `data_corrupt` and is left alone.
 */
export function createKeychain(
  folder: string,
  cipher: Cipher,
  tell: (notice: string) => void = () => undefined,
): Secrets {
  const open = (name: string) =>
    createJsonFile(join(folder, name), { isSecret: true, whenBroken: 'refuse', tell });
  const file = open('keychain.json');
  // Earlier versions kept them in the file of the gateway's keys, whose own entry is a list.
  if (!file.exists()) {
    const earlier = Object.entries(open('keys.json').read()).filter(([, value]) => typeof value === 'string');
    if (earlier.length > 0) file.write(Object.fromEntries(earlier));
  }
  return {
    kind: 'keychain',
    read: (name) => {
      const all = file.read();
      const stored = Object.hasOwn(all, name) ? all[name] : undefined;
      if (typeof stored !== 'string') return null;
      try {
        return cipher.decryptString(Buffer.from(stored, 'base64'));
      } catch {
        return null;
      }
    },
    write: (name, value) => {
      const others = Object.entries(file.read()).filter(([key]) => key !== name);
      const own = value === null ? [] : [[name, cipher.encryptString(value).toString('base64')] as const];
      file.write(Object.fromEntries([...others, ...own]));
    },
  };
}
