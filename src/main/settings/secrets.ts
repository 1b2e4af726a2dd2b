// The edge through which keys are kept, whichever host provides it.

/** `keychain` is the operating system's; `file` is a file only its owner can read. */
export type Secrets = {
  kind: 'keychain' | 'file';
  read(name: string): string | null;
  /** Stores a value, or forgets it with null. */
  write(name: string, value: string | null): void;
};
