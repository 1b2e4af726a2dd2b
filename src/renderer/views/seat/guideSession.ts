// What main would answer to the guide's card, answered here: nothing that is pressed in the guide leaves the page.
import type { Inputs, Method, Outputs } from '../../../shared/contract/contract.ts';
import { Failure } from '../../../shared/failure.ts';
import type { Session } from '../../state/createSession.ts';
import { bakeryResult } from './guideSteps.ts';

const triedCalls = ({ calls }: Inputs['preview.run']): Outputs['preview.run'] => ({
  replayed: 0,
  drift: [],
  results: calls.map(({ tool_name, arguments: args }) => {
    const { text, error } = bakeryResult(tool_name, args);
    return { tool_name, reward_type: null, text, error };
  }),
  looked_up: [],
  preview: null,
  verdict: null,
});

const ANSWERS: { readonly [M in Method]?: (input: Inputs[M]) => Outputs[M] } = {
  'preview.describe': () => ({ mode: 'by_itself', why: null }),
  'preview.run': triedCalls,
  'request.cancel': () => ({}),
};

/** The session with a line of its own, which knows the bakery and nothing else. */
export const guideSession = (session: Session): Session => ({
  ...session,
  call: async (method, input) => {
    const answer: ((given: typeof input) => Outputs[typeof method]) | undefined = ANSWERS[method];
    if (answer === undefined) throw new Failure('bad_input', 'This is not part of the introduction.');
    return answer(input);
  },
});
