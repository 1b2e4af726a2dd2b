// Problems of one step, in words, and the one press that puts each right. Pure.
import { nearest } from '../../../shared/nearest.ts';
import { argumentLabel } from '../../../shared/sentences/sentence.ts';
import { isReservedTool } from '../../../shared/wire.ts';
import { argumentProblems, isVirtualTool, type KnownTool } from '../advice/planCheck.ts';
import { type PlanStep, withRenamedArgument, withTool } from './planText.ts';

export type StepProblem = {
  /** The argument it is about; null for the tool. */
  argument: string | null;
  message: string;
  fix: { label: string; apply: (text: string, index: number) => string } | null;
};

export function stepProblems({ tool, args }: PlanStep, tools: readonly KnownTool[]): StepProblem[] {
  if (isReservedTool(tool))
    return [
      {
        argument: null,
        message: `“${tool}” is reserved for the host; the agent’s call would be refused.`,
        fix: null,
      },
    ];
  if (isVirtualTool(tool) || tools.length === 0) return [];
  const known = tools.find(({ name }) => name === tool);
  if (known === undefined) return [unknownTool(tool, tools)];
  return argumentProblems(known.input_schema ?? {}, args).flatMap(
    ({ kind, path, message, instead }): StepProblem[] => {
      const argument = path === '' ? null : (path.split('.')[0] ?? path);
      const label = wordsOfPath(path);
      switch (kind) {
        case 'missing':
          // What the step itself lacks is an empty place in its sentence.
          return path.includes('.') ? [{ argument, message: `${label} is missing.`, fix: null }] : [];
        case 'unfit':
          return [{ argument, message: `${path === '' ? 'The step' : label} ${message}.`, fix: null }];
        case 'unknown': {
          const fix = instead === null ? null : renaming(path, instead);
          return [{ argument, message: `This tool takes no “${path}”.`, fix }];
        }
      }
    },
  );
}

const renaming = (path: string, instead: string): StepProblem['fix'] =>
  path.includes('.')
    ? null
    : { label: `Use ${instead}`, apply: (text, index) => withRenamedArgument(text, index, path, instead) };

function unknownTool(tool: string, tools: readonly KnownTool[]): StepProblem {
  const instead = nearest(
    tool,
    tools.map(({ name }) => name),
  );
  return {
    argument: null,
    message: `There is no tool named “${tool}”.`,
    fix:
      instead === null
        ? null
        : { label: `Use ${instead}`, apply: (text, index) => withTool(text, index, instead) },
  };
}

/** `lines.0.account_id` reads "Lines 1 account". */
export const wordsOfPath = (path: string): string => {
  const words = path
    .split('.')
    .map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : argumentLabel(part)))
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
