// Keys encrypted by the operating system's keychain, in a file that only this user's session can open.
import { join } from 'node:path';
import { createJsonFile } from '../settings/jsonFile.ts';
import type { Secrets } from '../settings/fileSecrets.ts';

/** The part of Electron's safeStorage this needs. */
export type Cipher = {
  encryptStringAsync(text: string): Promise<Buffer>;
  decryptStringAsync(data: Buffer): Promise<{ result: string }>;
};

export type Keychain = Secrets & {
  /** Resolves once every key that was written lies in the file. Rejects when one could not be written. */
  saved(): Promise<void>;
};

/**
 * Keeps base64 of what the cipher returns, by name, in `keychain.json` of the folder; what is read comes from memory. A
 * value that cannot be decrypted (another user, a reset keychain) reads as absent and stays in the file; a file that
 * cannot be read throws `data_corrupt` and is left alone.
 */
export async function openKeychain(
  folder: string,
  cipher: Cipher,
  tell: (notice: string) => void = () => undefined,
): Promise<Keychain> {
  const open = (name: string) =>
    createJsonFile(join(folder, name), { isSecret: true, whenBroken: 'refuse', tell });
  const file = open('keychain.json');
  // Earlier versions kept them in the file of the gateway's keys, whose own entry is a list.
  if (!file.exists()) {
    const earlier = Object.entries(open('keys.json').read()).filter(([, value]) => typeof value === 'string');
    if (earlier.length > 0) file.write(Object.fromEntries(earlier));
  }
  const known = new Map<string, string>();
  for (const [name, stored] of Object.entries(file.read())) {
    const value = typeof stored === 'string' ? await decrypted(cipher, stored) : null;
    if (value !== null) known.set(name, value);
  }
  let writing: Promise<void> = Promise.resolve();
  const store = async (name: string, value: string | null): Promise<void> => {
    const stored = value === null ? null : (await cipher.encryptStringAsync(value)).toString('base64');
    const others = Object.entries(file.read()).filter(([key]) => key !== name);
    file.write(Object.fromEntries(stored === null ? others : [...others, [name, stored]]));
  };
  return {
    kind: 'keychain',
    read: (name) => known.get(name) ?? null,
    write: (name, value) => {
      if (value === null) known.delete(name);
      else known.set(name, value);
      writing = writing.then(() => store(name, value));
      writing.catch((thrown: unknown) => tell(`A key could not be saved: ${String(thrown)}`));
    },
    saved: () => writing,
  };
}

async function decrypted(cipher: Cipher, stored: string): Promise<string | null> {
  try {
    return (await cipher.decryptStringAsync(Buffer.from(stored, 'base64'))).result;
  } catch {
    return null;
  }
}
