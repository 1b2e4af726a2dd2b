// What the card says came of an answer, against what an export of the same episodes shows: each row is cut at the
// advice, and the calls that follow it and the verdict are read here by themselves.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { adviceOutcome } from '../../src/shared/episode/uptake.ts';
import { exampleLog } from '../support/exported.ts';
import { makeRows } from '../support/exporting.ts';
import { serveEnvironment } from '../support/flow.ts';

const Row = z.looseObject({
  prompt: z.array(z.looseObject({ role: z.string(), content: z.string().nullable() })),
  completion: z.array(
    z.looseObject({
      tool_calls: z
        .array(z.looseObject({ function: z.looseObject({ name: z.string(), arguments: z.unknown() }) }))
        .optional(),
    }),
  ),
  episode: z.string(),
  act: z.string(),
  reward_type: z.string(),
});
let environment: Awaited<ReturnType<typeof serveEnvironment>>;
beforeAll(async () => {
  environment = await serveEnvironment();
});
afterAll(() => environment.close());

type Call = { tool: string; args: unknown };
const Plan = z.object({ plan: z.array(z.object({ tool: z.string(), args: z.unknown() })) });

/** The calls an advice names, as JSON or as `tool({…})` on lines. */
function callsIn(advice: string): Call[] {
  if (advice.trim().startsWith('{')) return Plan.parse(JSON.parse(advice)).plan as Call[];
  return [...advice.matchAll(/^(\w+)\((\{.*\})\)$/gm)].map(([, tool = '', args = '{}']) => ({
    tool,
    args: JSON.parse(args) as unknown,
  }));
}

const ENDS: Readonly<Record<string, string>> = {
  complete: 'complete',
  others: 'failed',
  incomplete: 'partly complete',
};

it('the card says of every answer what the exported calls and verdict show', async () => {
  const { log } = await exampleLog(environment);
  const { rows } = await makeRows(log, 'sft', { verdict: 'any', include: ['duplicates'] });
  const exported = rows.map((row) => Row.parse(row)).filter(({ act }) => ['accept', 'edit'].includes(act));
  expect(exported).toHaveLength(2);

  const said = exported.map(({ episode }) => {
    const record = log.record(episode);
    const [asked] = record.consultations;
    return asked === undefined ? null : adviceOutcome(record, asked);
  });
  const shown = exported.map(({ prompt, completion, reward_type: label }) => {
    const planned = callsIn(prompt.at(-1)?.content ?? '');
    const made = completion.flatMap(({ tool_calls: calls = [] }) => calls.map((call) => call.function));
    const followed = planned.filter(
      ({ tool, args }, at) =>
        made[at]?.name === tool && JSON.stringify(made[at].arguments) === JSON.stringify(args),
    ).length;
    const calls = planned.length === 1 ? 'call' : 'calls';
    return `Followed: ${String(followed)} of ${String(planned.length)} ${calls}. Task ${ENDS[label] ?? label}.`;
  });
  expect(said).toEqual(shown);
  expect(said).toEqual(['Followed: 1 of 1 call. Task complete.', 'Followed: 1 of 1 call. Task failed.']);
});
