// What would surely fail of an advice, before it is sent. Pure.
import { stepProblems, wordsOfPath } from '../plan/stepProblems.ts';
import { argumentProblems } from './argumentProblems.ts';
import { isVirtualTool, type KnownTool, type PlanCheck } from './planCheck.ts';

type Call = PlanCheck['plan']['calls'][number];

/** The first step that the environment would refuse, and why, in a sentence; null where none is known to fail. */
export function firstFault(
  { plan: { calls } }: Pick<PlanCheck, 'plan'>,
  tools: readonly KnownTool[],
): string | null {
  for (const [index, call] of calls.entries()) {
    const fault = faultOf(call, tools);
    if (fault !== null) return calls.length === 1 ? fault : `Step ${String(index + 1)}: ${fault}`;
  }
  return null;
}

function faultOf(call: Call, tools: readonly KnownTool[]): string | null {
  const { tool, args } = call;
  if (isVirtualTool(tool) || tools.length === 0) return null;
  const known = tools.find(({ name }) => name === tool);
  if (known === undefined) return stepProblems(call, tools)[0]?.message ?? null;
  // An argument that is not listed may be one all the same.
  const wrong = argumentProblems(known.input_schema ?? {}, args).find(({ kind }) => kind !== 'unknown');
  if (wrong === undefined) return null;
  const label = wrong.path === '' ? 'The step' : wordsOfPath(wrong.path);
  return `${label} ${wrong.kind === 'missing' ? 'is missing' : wrong.message}.`;
}
