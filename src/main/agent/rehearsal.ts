// Owns: the agent that needs no model.
import { Failure } from '../../shared/failure.ts';
import type { RehearsalScript } from '../../shared/pack.ts';
import type { Policy } from './policy.ts';

export const createRehearsal = (_options: {
  script: RehearsalScript | null;
  protocol: 'native' | 'xml';
}): Policy => ({ next: () => Promise.reject(new Failure('internal', 'unfinished')) });
