// Tools as a model is shown them: schemas and descriptions without the noise that generators leave in. Must not know:
// which protocol they are shown in. The log keeps them as the environment gave them.
import type { ToolSpec } from '../../shared/events/lifecycle.ts';

/** Keywords of generated schemas that tell a model nothing. */
const NOISE: ReadonlySet<string> = new Set(['title', 'example', 'examples']);
/** Keywords whose keys are names of the schema's author, not keywords. */
const NAME_MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
const DATA_KEYWORDS: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'required']);

export type ToolSchema = Record<string, unknown>;
const isToolSchema = (value: unknown): value is ToolSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A schema without titles and examples; properties that happen to have those names stay. */
function slimSchema(schema: ToolSchema): ToolSchema {
  const kept = Object.entries(schema).filter(([key]) => !NOISE.has(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, slimValue(key, value)]));
}

function slimValue(key: string, value: unknown): unknown {
  if (DATA_KEYWORDS.has(key)) return value;
  if (NAME_MAPS.has(key) && isToolSchema(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, isToolSchema(inner) ? slimSchema(inner) : inner]),
    );
  }
  if (Array.isArray(value))
    return value.map((inner: unknown) => (isToolSchema(inner) ? slimSchema(inner) : inner));
  return isToolSchema(value) ? slimSchema(value) : value;
}

/** A description without the list of HTTP responses that generators append. */
const slimDescription = (description: string): string =>
  description
    .replace(/(?<!\s)\s*###\s*Responses\b[\s\S]*?(?=\n###\s(?!\s*Responses\b)|$(?![\s\S]))/g, '')
    .trim();

export const slimTool = (tool: ToolSpec): ToolSpec => ({
  name: tool.name,
  description: slimDescription(tool.description),
  input_schema: slimSchema(tool.input_schema),
});

/** One tool per line, as the agent reads a list of them. */
export const toolLines = (tools: readonly ToolSpec[]): string =>
  tools
    .map(slimTool)
    .map(({ name, description, input_schema }) =>
      JSON.stringify({ name, description, arguments: input_schema }),
    )
    .join('\n');
