// Whoever gets from Python to JavaScript gets memory without a limit. None of these ways leads there.
import { afterAll, describe, expect, it } from 'vitest';
import { sandboxParts } from '../../src/main/verifier/runtime.ts';
import { createSandbox } from '../../src/main/verifier/sandbox.ts';
import { sandboxHere } from '../support/sandbox.ts';
import { AROUND, ATTACKS } from './attacks.ts';

const parts = sandboxParts(sandboxHere);
const sandbox = createSandbox({ ...parts, limits: { ...parts.limits, timeMs: 40_000 } });
afterAll(() => sandbox.close());

const run = (body: string) =>
  sandbox.run({
    code: `def verify_task():\n${`${AROUND}nothing = 'nothing'\n${body}`.replace(/^/gm, '    ')}\n`,
    initial: new Uint8Array(),
    final: new Uint8Array(),
    final_answer: null,
    at: null,
  });

describe('a verifier never reaches JavaScript', () => {
  it.each(Object.entries(ATTACKS))('by %s', async (_way, body) => {
    const reply = await run(body);
    // Refused by Python, or ended at the first step over the bridge.
    if (reply.ok) expect(reply.result).toBe('nothing');
    else expect(['crashed', 'error']).toContain(reply.failed);
  });
});
