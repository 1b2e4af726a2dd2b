// Owns: keys encrypted by the operating system's keychain, in a file that only this user's session can open.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Secrets } from '../settings/secrets.ts';

/** The part of Electron's safeStorage this needs. */
export type Cipher = { encryptString(text: string): Buffer; decryptString(data: Buffer): string };

const Stored = z.record(z.string(), z.string());

/** A value that cannot be decrypted (another user, a reset keychain) reads as absent. */
export function createKeychain(folder: string, cipher: Cipher): Secrets {
  const file = join(folder, 'keys.json');
  const all = (): Record<string, string> => {
    try {
      return Stored.parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch {
      return {};
    }
  };
  return {
    kind: 'keychain',
    read: (name) => {
      const stored = all()[name];
      if (stored === undefined) return null;
      try {
        return cipher.decryptString(Buffer.from(stored, 'base64'));
      } catch {
        return null;
      }
    },
    write: (name, value) => {
      const { [name]: _old, ...rest } = all();
      const next =
        value === null ? rest : { ...rest, [name]: cipher.encryptString(value).toString('base64') };
      writeFileSync(file, JSON.stringify(next), { mode: 0o600 });
    },
  };
}
