// Finding a tool by words of its name or of what it is said to do. Pure.
import { descriptionLine, phraseOf, titleOf, wordsOf } from '../../../shared/sentences/words.ts';
import type { KnownTool } from '../advice/planCheck.ts';

export type ToolChoice = { name: string; title: string; detail: string };

/** A tool in words: its heading or its name, and what its description says first. */
export function toolChoice({ name, description = '' }: KnownTool): ToolChoice {
  const words = phraseOf(wordsOf(name));
  const title = titleOf(description) ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  const detail = descriptionLine(description);
  return { name, title, detail: detail === title ? '' : detail };
}

/** The tools in which every word of the query stands; those that have it in name or heading come first. */
export function searchTools(tools: readonly KnownTool[], query: string): ToolChoice[] {
  const words = query
    .toLowerCase()
    .split(/[\s_]+/)
    .filter((word) => word !== '');
  return tools
    .map(toolChoice)
    .map((choice) => {
      const heading = `${choice.name} ${choice.title}`.toLowerCase();
      const all = `${heading} ${choice.detail}`.toLowerCase();
      const rank = words.every((word) => heading.includes(word))
        ? 0
        : words.every((word) => all.includes(word))
          ? 1
          : 2;
      return { choice, rank };
    })
    .filter(({ rank }) => rank < 2)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ choice }) => choice);
}
