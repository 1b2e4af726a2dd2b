// The two tools of the MCP door as clients read them, and what their arguments must be.
import { z } from 'zod';

export const AskArguments = z.looseObject({
  question: z.string().min(1).max(200_000),
  context: z.string().max(1_000_000).nullish(),
  task: z.string().max(200_000).nullish(),
  tools: z.union([z.string(), z.array(z.string())]).nullish(),
  urgency: z.enum(['low', 'normal', 'high']).nullish(),
  expert: z.string().max(200).nullish(),
});
export type AskArguments = z.infer<typeof AskArguments>;

const textArgument = (description: string) => ({ type: 'string', description });

const TOOLS = [
  {
    name: 'ask_expert',
    title: 'Ask a human expert',
    description:
      'Puts a question before a human expert and waits for the answer, which may take minutes. Use it when you are ' +
      'stuck, after a try of your own: say what you tried and what went wrong. The answer is advice; when it begins ' +
      'with "No advice:", nobody answered, and you go on with what you know.',
    inputSchema: {
      type: 'object',
      properties: {
        question: textArgument('What you want to know. One question at a time.'),
        context: textArgument('What you tried so far, with the exact errors.'),
        task: textArgument('The task you were given, word for word.'),
        tools: {
          description: 'Names of the tools you have.',
          anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }],
        },
        urgency: {
          type: 'string',
          enum: ['low', 'normal', 'high'],
          description: 'Shown to the expert with the question.',
        },
      },
      required: ['question'],
    },
    annotations: { readOnlyHint: true, openWorldHint: true },
  },
  {
    name: 'expert_status',
    title: 'Is an expert there?',
    description:
      'Tells how many experts are on duty, how many questions wait, how long a question may wait, and what happens then.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
  },
] as const;

/** The tools as they are listed; whom a client may name is said where there is a choice. */
export function listedTools(who: { names: string[]; text: string } | null): readonly unknown[] {
  if (who === null) return TOOLS;
  const expert = { ...textArgument(who.text), enum: who.names };
  return TOOLS.map((tool) =>
    tool.name === 'ask_expert'
      ? {
          ...tool,
          inputSchema: { ...tool.inputSchema, properties: { ...tool.inputSchema.properties, expert } },
        }
      : tool,
  );
}
