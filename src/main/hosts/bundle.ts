// `doctor --bundle FILE`: what helps to find a fault, and nothing of what people or agents wrote. Counts, kinds,
// codes, versions and sizes go in; texts, arguments, addresses, names and keys do not.
import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../../shared/failure.ts';
import { redactMessage } from '../../shared/redact/redact.ts';
import { logFacts } from '../log/logFacts.ts';
import { VERSION } from './version.ts';

export type BundleCheckLine = { name: string; status: string; evidence: string };

/** What a bundle holds. Reads the log without taking the data folder. */
export const diagnosticsOf = (dataFolder: string, checks: readonly BundleCheckLine[]) => ({
  type: 'interject.diagnostics',
  version: VERSION,
  runtime: {
    node: process.version,
    napi: process.versions['napi'] ?? null,
    electron: process.versions['electron'] ?? null,
    platform: process.platform,
    arch: process.arch,
    memory_mb: Math.round(process.memoryUsage.rss() / 1024 / 1024),
  },
  checks: checks.map((check) => ({
    ...check,
    name: redacted(check.name, dataFolder),
    evidence: redacted(check.evidence, dataFolder),
  })),
  log: logFacts(join(dataFolder, 'interject.db')),
});

/** Writes the bundle as one JSON file. Throws `data_unwritable`. */
export function writeBundle(file: string, dataFolder: string, checks: readonly BundleCheckLine[]): void {
  const bundle = diagnosticsOf(dataFolder, checks);
  try {
    writeFileSync(file, `${JSON.stringify(bundle, null, 2)}\n`, { mode: 0o600 });
  } catch (cause) {
    throw new Failure('data_unwritable', `cannot write ${file}`, { cause, next: 'Choose another file.' });
  }
}

/** Folders, addresses, keys and long numbers out of a sentence of ours. */
export function redacted(text: string, dataFolder: string): string {
  return redactMessage(text)
    .replaceAll(dataFolder, '[data folder]')
    .replaceAll(homedir(), '[home]')
    .replaceAll(/\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s,;)]+/gi, '[address]')
    .replaceAll(/(?:\/[\w.@-]+){2,}|[A-Z]:\\[\w.\\@-]+/g, '[path]')
    .replaceAll(/\b(?:sk|pk|key|token|ghp|hf)[-_][\w-]{6,}/gi, '[key]')
    .replaceAll(/\b[\w-]{32,}\b/g, '[long word]')
    .replaceAll(/[\w.+-]{1,64}@[\w-]{1,63}\.[\w.]+/g, '[e-mail]');
}
