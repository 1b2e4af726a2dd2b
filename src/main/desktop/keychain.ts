// Keys encrypted by the operating system's keychain, in a file that only this user's session can open.
import { join } from 'node:path';
import { createJsonFile } from '../settings/jsonFile.ts';
import type { Secrets } from '../settings/fileSecrets.ts';

/** The part of Electron's safeStorage this needs. */
export type Cipher = {
  encryptStringAsync(text: string): Promise<Buffer>;
  /** `shouldReEncrypt`: the system has another key since, with which it wants to be asked from now on. */
  decryptStringAsync(data: Buffer): Promise<{ result: string; shouldReEncrypt?: boolean }>;
};

export type Keychain = Secrets & {
  /**
   * Resolves once every key that was written lies in the file; those that could not be written are tried once more. Rejects
   * when one could not.
   */
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
  const file = createJsonFile(join(folder, 'keychain.json'), { isSecret: true, whenBroken: 'refuse', tell });
  const known = new Map<string, string>();
  const outdated: string[] = [];
  for (const [name, stored] of Object.entries(file.read())) {
    const value = typeof stored === 'string' ? await decrypted(cipher, stored) : null;
    if (value === null) continue;
    known.set(name, value.result);
    if (value.shouldReEncrypt === true) outdated.push(name);
  }
  const store = async (name: string): Promise<void> => {
    const value = known.get(name);
    const stored = value === undefined ? null : (await cipher.encryptStringAsync(value)).toString('base64');
    const others = Object.entries(file.read()).filter(([key]) => key !== name);
    file.write(Object.fromEntries(stored === null ? others : [...others, [name, stored]]));
  };
  const writer = createWriter(store, (thrown) => tell(`A key could not be saved: ${String(thrown)}`));
  for (const name of outdated) writer.write(name);
  return {
    kind: 'keychain',
    read: (name) => known.get(name) ?? null,
    write: (name, value) => {
      if (value === null) known.delete(name);
      else known.set(name, value);
      writer.write(name);
    },
    saved: () => writer.saved(),
  };
}

/** Stores names one after the other. One that fails holds up no other, and is tried again at the end. */
function createWriter(
  store: (name: string) => Promise<void>,
  failed: (thrown: unknown) => void,
): { write: (name: string) => void; saved: () => Promise<void> } {
  const unsaved = new Set<string>();
  let writing: Promise<void> = Promise.resolve();
  const write = async (name: string): Promise<void> => {
    try {
      await store(name);
      unsaved.delete(name);
    } catch (thrown) {
      unsaved.add(name);
      failed(thrown);
    }
  };
  return {
    write: (name) => {
      writing = writing.then(() => write(name));
    },
    saved: async () => {
      await writing;
      for (const name of unsaved) await store(name);
      unsaved.clear();
    },
  };
}

async function decrypted(
  cipher: Cipher,
  stored: string,
): Promise<{ result: string; shouldReEncrypt?: boolean } | null> {
  try {
    return await cipher.decryptStringAsync(Buffer.from(stored, 'base64'));
  } catch {
    return null;
  }
}
