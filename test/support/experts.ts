// A roster of two models and a person, and models of theirs that say which of them they are.
import type { Llm, LlmRequest } from '../../src/main/llm/port.ts';
import { DEFAULT_ROUTES, type Roster } from '../../src/shared/experts/roster.ts';

export const PRIYA = 'seat-priya';

export const ROSTER: Roster = {
  experts: [
    {
      kind: 'model',
      name: 'Formatter',
      skills: ['formatting'],
      ask_for: 'how a call must be written',
      profile: 'small',
      prompt: 'You mend badly written calls.',
    },
    {
      kind: 'model',
      name: 'Rescuer',
      skills: ['recovery'],
      ask_for: 'what to do after errors',
      profile: 'large',
    },
    {
      kind: 'person',
      name: 'Priya',
      skills: ['planning', 'domain'],
      ask_for: 'what the shop wants',
      seat: PRIYA,
    },
  ],
  routes: DEFAULT_ROUTES,
  seat_first_s: 60,
};

/** A model for each profile, whose words are its profile; `seen` gets what each was asked. */
export const modelsByProfile =
  (seen: { profile: string | undefined; request: LlmRequest }[] = []) =>
  (profile?: string): Llm => ({
    model: `${profile ?? 'advisor'}-model`,
    complete: (request) => {
      seen.push({ profile, request });
      return Promise.resolve({
        content: `Advice of ${profile ?? 'the advisor'}.`,
        reasoning: null,
        toolCalls: [],
        model: `${profile ?? 'advisor'}-model`,
        stopReason: 'stop',
        usage: { input_tokens: 100, output_tokens: 10 },
      });
    },
  });
