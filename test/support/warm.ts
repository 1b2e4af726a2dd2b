// Owns: what the tests of verifiers need and what takes long, made once before all of them and not by several at a time.
import { sandboxParts, type RuntimeQuery } from '../../src/main/verifier/runtime.ts';
import { createSandbox } from '../../src/main/verifier/sandbox.ts';
import { sandboxHere } from './sandbox.ts';

/** A snapshot of Python just started, where none is kept and verifiers can be run at all. */
export async function setup(): Promise<void> {
  const parts = partsOf(sandboxHere);
  if (parts === null || ((await parts.kept?.read()) ?? null) !== null) return;
  const sandbox = createSandbox({ ...parts, spare: 0 });
  const nothing = new Uint8Array();
  await sandbox.run({
    code: 'def verify_task(): pass',
    initial: nothing,
    final: nothing,
    final_answer: null,
    at: null,
  });
  sandbox.close();
}

function partsOf(query: RuntimeQuery) {
  try {
    return sandboxParts(query);
  } catch {
    // The tests say what is missing.
    return null;
  }
}
