// Refusing a runtime on which the database would crash without a word.
import { Failure } from '../../shared/failure.ts';

/** Node-API version the database addon needs; an older Node dies on the first open. */
const NAPI_NEEDED = 10;

/** Throws `unsupported_runtime` when this Node cannot load the database. */
export function checkRuntime(napi: string | undefined = process.versions['napi']): void {
  if (Number(napi) >= NAPI_NEEDED) return;
  throw new Failure(
    'unsupported_runtime',
    `this Node (${process.version}) is too old for the database: it has Node-API ${napi ?? 'none'}, ${String(NAPI_NEEDED)} is needed`,
    { next: 'Start through `npm start`, `npm run` or `bin/interject.mjs`, or install Node 22.14 or newer.' },
  );
}
