// Every regular expression of the source: literals as the parser sees them, and the calls that build one.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';

export type FoundRegExp = { file: string; line: number; source: string; flags: string };
export type BuiltRegExp = { file: string; line: number; code: string };

/** `file` is relative to `folder`. */
export function regExpsIn(folder: string): { literals: FoundRegExp[]; built: BuiltRegExp[] } {
  const literals: FoundRegExp[] = [];
  const built: BuiltRegExp[] = [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .toSorted();
  for (const file of files) {
    const code = readFileSync(join(folder, file), 'utf8');
    const lineAt = (at: number): number => code.slice(0, at).split('\n').length;
    const { program, errors } = parseSync(file, code);
    if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message ?? ''}`);
    const build = (start: number, end: number): void => {
      built.push({ file, line: lineAt(start), code: code.slice(start, end).replace(/\s+/g, ' ') });
    };
    new Visitor({
      Literal: (node) => {
        if (!('regex' in node)) return;
        const { pattern: source, flags } = node.regex;
        literals.push({ file, line: lineAt(node.start), source, flags });
      },
      NewExpression: ({ callee, start, end }) => {
        if (callee.type === 'Identifier' && callee.name === 'RegExp') build(start, end);
      },
      CallExpression: ({ callee, start, end }) => {
        if (callee.type === 'Identifier' && callee.name === 'RegExp') build(start, end);
      },
    }).visit(program);
  }
  return { literals, built };
}
