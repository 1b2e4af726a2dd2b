import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import { checkValue, wrongText } from '../../shared/schema/checkValue.ts';

/**
 * Throws `bad_input` naming each argument that does not fit, or a tool the environment does not have. Where nobody has
 * listed its tools nothing is known of them, and any object may be their arguments.
 */
export function checkCall(tools: readonly ToolSpec[], name: string, args: object): void {
  if (tools.length === 0) return;
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) {
    throw new Failure('bad_input', `the environment has no tool ${name}`, {
      next: 'Choose one of its tools, or send it unchecked.',
    });
  }
  const wrongs = checkValue(tool.input_schema, args);
  if (wrongs.length === 0) return;
  throw new Failure('bad_input', `${name}: ${wrongText(wrongs)}`, {
    next: 'Correct the arguments, or send them unchecked.',
  });
}
