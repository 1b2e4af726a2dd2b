// Owns: from a name and an unknown input to a handler and back. Every host and transport comes through here.
import type { z } from 'zod';
import {
  isMethod,
  routes,
  type Caller,
  type Handlers,
  type Method,
  type Outputs,
} from '../../shared/contract/contract.ts';
import { checkInput, checkMethod } from '../../shared/contract/roles.ts';
import { Failure } from '../../shared/failure.ts';

export type Route = (method: string, input: unknown, caller: Caller) => Promise<unknown>;

/**
 * Parses the input, calls the one handler, returns its value. Throws `unknown_method`, `bad_input` or `unauthorized` at
 * the door.
 */
export function createRouter(handlers: Handlers): Route {
  const call = async <M extends Method>(method: M, input: unknown, caller: Caller): Promise<Outputs[M]> => {
    checkMethod(method, caller);
    const parsed = routes[method].input.safeParse(input);
    if (!parsed.success) throw badInput(method, parsed.error);
    checkInput(parsed.data, caller);
    return handlers[method](parsed.data, caller);
  };
  return async (method, input, caller) => {
    if (!isMethod(method)) {
      throw new Failure('unknown_method', `there is no command ${method}`, {
        next: 'The console and its main process may be of different versions: reload the page.',
      });
    }
    return call(method, input, caller);
  };
}

function badInput(method: string, error: z.ZodError): Failure {
  const issues = error.issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`);
  return new Failure('bad_input', `${method}: ${issues.join('; ')}`, { cause: error });
}
