// Runs a verifier that never ends, in the sandbox as the product starts it.
import { sandboxParts } from '../../src/main/verifier/runtime.ts';
import { createSandbox } from '../../src/main/verifier/sandbox.ts';
import { sandboxHere } from '../support/sandbox.ts';

const parts = sandboxParts(sandboxHere);
const nothing = new Uint8Array();
await createSandbox({ ...parts, spare: 0, limits: { ...parts.limits, timeMs: 600_000 } }).run({
  code: 'def verify_task():\n    while True:\n        pass\n',
  initial: nothing,
  final: nothing,
  final_answer: null,
  at: null,
});
