// An episode as a model reads it to propose labels: what was done and what came back, but never how it was judged.
import type { EpisodeRecord, Turn } from '../../shared/episode/record.ts';
import { isReplyUnknown } from '../../shared/episode/restarts.ts';
import type { Dimension } from '../../shared/events/annotations.ts';
import type { Text } from '../../shared/events/text.ts';

const PART_MAX = 1200;
const WHOLE_MAX = 80_000;

/** `whole` reads a stored text. What does not fit is left out, and the text says so. */
export function labelTranscript(record: EpisodeRecord, loadText: (text: Text) => string): string {
  const lines: string[] = [];
  let length = 0;
  for (const turn of record.turns) {
    const line = linesOfTurn(turn, loadText);
    length += line.length;
    if (length > WHOLE_MAX) {
      lines.push(`(turns from ${String(turn.turn)} on do not fit here)`);
      break;
    }
    lines.push(line);
  }
  return lines.length === 0 ? '(no turn)' : lines.join('\n\n');
}

function linesOfTurn({ turn, content, move, call }: Turn, loadText: (text: Text) => string): string {
  const said = part(loadText(content));
  const returned = call?.returned ?? null;
  const result = returned === null ? null : (returned.error ?? returned.text);
  return [
    `Turn ${String(turn)}`,
    ...(said === '' ? [] : [`said: ${said}`]),
    ...(move === null ? [] : [`did: ${part(JSON.stringify(move))}`]),
    ...(call?.refused === undefined || call.refused === null ? [] : [`refused: ${part(call.refused.text)}`]),
    ...(isReplyUnknown(call) ? ['its answer was lost: nobody knows whether it was carried out'] : []),
    ...(result === null ? [] : [`${returned?.error === null ? 'got' : 'failed'}: ${part(loadText(result))}`]),
  ].join('\n');
}

const part = (text: string): string =>
  text.length <= PART_MAX ? text.trim() : `${text.slice(0, PART_MAX)} … (${String(text.length)} characters)`;

/** The dimensions a model may propose on, in words. */
export const schemaText = (dimensions: readonly Dimension[]): string =>
  dimensions
    .map((dimension) => {
      const on = dimension.on.filter((level) => level !== 'range').join(', ');
      const head = `- ${dimension.id} (${dimension.type}, on: ${on}): ${dimension.name}. ${dimension.description}`;
      if (dimension.type === 'scale') {
        const { min, max, step, min_label, max_label } = dimension;
        return `${head} From ${String(min)} (${min_label}) to ${String(max)} (${max_label}) in steps of ${String(step)}.`;
      }
      if (dimension.type === 'free_text') return head;
      return [
        head,
        ...dimension.options.map(({ id, label, description }) => `  - ${id}: ${label}. ${description}`),
      ].join('\n');
    })
    .join('\n');
