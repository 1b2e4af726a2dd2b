// From a name and an unknown input to a handler and back. Every host and transport comes through here.
import type { z } from 'zod';
import {
  isMethod,
  routes,
  type Caller,
  type Handlers,
  type Method,
  type Outputs,
} from '../../shared/contract/contract.ts';
import { checkMethod } from '../../shared/contract/roles.ts';
import { Failure } from '../../shared/failure.ts';
import type { Disclosure } from './disclosure.ts';

export type RouteCommand = (method: string, input: unknown, caller: Caller) => Promise<unknown>;

/**
 * Parses the input, calls the one handler, records what its value shows, and returns it. Throws `unknown_method`,
 * `bad_input` or `unauthorized` at the door.
 */
export function createRouter(handlers: Handlers, disclosure: Disclosure): RouteCommand {
  const call = async <M extends Method>(method: M, input: unknown, caller: Caller): Promise<Outputs[M]> => {
    checkMethod(method, caller);
    const parsed = routes[method].input.safeParse(input);
    if (!parsed.success) throw badInput(method, parsed.error);
    disclosure.check(method, parsed.data, caller);
    const output = await handlers[method](parsed.data, caller);
    disclosure.answered(method, parsed.data, output, caller);
    return output;
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
