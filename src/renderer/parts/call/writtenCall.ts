// A call as a person writes it: a tool, its arguments as fields or as JSON text. Pure.
import { z } from 'zod';
import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import type { JsonObject } from '../../../shared/events/turns.ts';
import { errorMessage } from '../../../shared/failure.ts';
import { isRecord, parseJson } from '../../../shared/json.ts';
import { checkValue, type Wrong } from '../../../shared/schema/checkValue.ts';

export const WrittenCall = z.strictObject({
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  /** The arguments as JSON text, while that is what is typed in; null while it is the form. */
  raw: z.string().nullable(),
  /** What is typed to find another tool, while none of the list is chosen. */
  sought: z.string().default(''),
});
export type WrittenCall = z.infer<typeof WrittenCall>;

export const writtenFrom = (tool: string, args: Readonly<Record<string, unknown>>): WrittenCall => ({
  tool,
  args: { ...args },
  raw: null,
  sought: '',
});

/** The arguments, or why the text is none. */
export function writtenArguments({ args, raw }: WrittenCall): {
  args: JsonObject | null;
  fault: string | null;
} {
  if (raw === null) return { args: args as JsonObject, fault: null };
  try {
    const value: unknown = raw.trim() === '' ? {} : parseJson(raw);
    return isRecord(value)
      ? { args: value as JsonObject, fault: null }
      : { args: null, fault: 'The arguments must be a JSON object, such as {"id": 1}.' };
  } catch (thrown) {
    return {
      args: null,
      fault: `Not JSON yet: ${errorMessage(thrown)}`,
    };
  }
}

export const asJson = (written: WrittenCall): WrittenCall => ({
  ...written,
  raw: written.raw ?? JSON.stringify(written.args, null, 2),
});

/** Back to the form; as it was when the text is no JSON object yet. */
export function asForm(written: WrittenCall): WrittenCall {
  const { args } = writtenArguments(written);
  return args === null ? written : { ...written, args, raw: null };
}

/** The same arguments for another tool, as far as it has such. */
export function forTool(written: WrittenCall, tool: ToolSpec): WrittenCall {
  const { args } = writtenArguments(written);
  const properties = tool.input_schema['properties'];
  const names = new Set(typeof properties === 'object' && properties !== null ? Object.keys(properties) : []);
  const shared = Object.entries(args ?? {}).filter(([name]) => names.has(name));
  return { tool: tool.name, args: Object.fromEntries(shared), raw: null, sought: '' };
}

/** The problem with a typed tool that was not chosen, else null. The one it would be is never meant. */
export function notChosen({ sought, tool }: WrittenCall): string | null {
  const typed = sought.trim();
  if (typed === '' || typed === tool) return null;
  return `“${typed}” is typed as the tool, but not chosen from the list.`;
}

/** Faults of a call, as far as they can be told here. */
export function writtenWrongs(written: WrittenCall, tools: readonly ToolSpec[]): Wrong[] {
  const sought = notChosen(written);
  if (sought !== null) return [{ path: '', kind: 'unfit', message: sought }];
  const tool = tools.find(({ name }) => name === written.tool);
  const { args, fault } = writtenArguments(written);
  if (fault !== null || args === null) return [{ path: '', kind: 'unfit', message: fault ?? '' }];
  return tool === undefined ? [] : checkValue(tool.input_schema, args);
}
