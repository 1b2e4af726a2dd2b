// What `interject doctor` finds of the sandbox of Python verifiers, which are optional.
import { failureShape } from '../../shared/failure.ts';
import type { LazySandbox } from '../verifier/runtime.ts';

/** Runs a verifier that does nothing: the whole road, in the lock. */
export async function sandboxCheck(
  open: (tell: (notice: string) => void) => LazySandbox,
): Promise<{ status: 'pass' | 'warn'; evidence: string }> {
  const notices: string[] = [];
  const { get, close } = open((notice) => void notices.push(notice));
  try {
    const nothing = new Uint8Array();
    const code = 'def verify_nothing():\n    return 1\n';
    const reply = await get().run({ code, initial: nothing, final: nothing, final_answer: null, at: null });
    if (!reply.ok) return { status: 'warn', evidence: `${reply.failed}: ${reply.message}` };
    const works = 'Python verifiers run, locked up';
    return notices.length === 0
      ? { status: 'pass', evidence: works }
      : { status: 'warn', evidence: [works, ...notices].join('; ') };
  } catch (thrown) {
    return { status: 'warn', evidence: failureShape(thrown).message };
  } finally {
    close();
  }
}
