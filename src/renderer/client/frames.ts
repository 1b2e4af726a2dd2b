// Reads the frames of a socket. A push of the desk repeats every line, of which few are new: one that reads as it did in
// the push before is the same object, and is not checked again.
import type { z } from 'zod';
import { ToView } from '../../shared/contract/envelope.ts';
import { DeskItem, HoldItem } from '../../shared/contract/rows.ts';
import type { FailureShape } from '../../shared/failure.ts';
import { isRecord, parseJson } from '../../shared/json.ts';

const BAD_FRAME: FailureShape = {
  code: 'internal',
  message: 'The server sent a frame that is not in the agreed form.',
  next: 'Reload the page: the console and the server may be of different versions.',
};

/** A frame as the contract has it; one that is not becomes the failure of what it was meant for. */
export function createFrameReader(): (data: unknown) => ToView {
  const items = createLineReader(DeskItem);
  const holds = createLineReader(HoldItem);
  const check = (raw: unknown): ToView | null => {
    const lines = linesOf(raw);
    const parsed = ToView.safeParse(lines?.rest ?? raw);
    if (!parsed.success) return null;
    const { data } = parsed;
    if (lines === null || data.type !== 'push' || data.push.topic !== 'desk') return data;
    const told = { items: items(lines.items), holds: holds(lines.holds) };
    if (told.items === null || told.holds === null) return null;
    return { ...data, push: { ...data.push, items: told.items, holds: told.holds } };
  };
  return (data) => {
    const raw = readJson(data);
    return check(raw) ?? { type: 'failure', id: idOf(raw), failure: BAD_FRAME };
  };
}

/** The lines of a push of the desk, and the push without them; null for anything else. */
function linesOf(raw: unknown): { items: unknown[]; holds: unknown[]; rest: unknown } | null {
  if (!isRecord(raw) || !isRecord(raw['push']) || raw['push']['topic'] !== 'desk') return null;
  const { items, holds } = raw['push'];
  if (!Array.isArray(items) || !Array.isArray(holds)) return null;
  return { items, holds, rest: { ...raw, push: { ...raw['push'], items: [], holds: [] } } };
}

/** Checks lines, but those of the last call; null where one is not in the agreed form. */
function createLineReader<T>(schema: z.ZodType<T>): (lines: readonly unknown[]) => T[] | null {
  let known = new Map<string, T>();
  return (lines) => {
    const next = new Map<string, T>();
    const read: T[] = [];
    for (const line of lines) {
      const text = JSON.stringify(line);
      const before = known.get(text);
      const parsed = before === undefined ? schema.safeParse(line) : null;
      if (parsed?.success === false) return null;
      const value = before ?? parsed?.data;
      if (value === undefined) return null;
      next.set(text, value);
      read.push(value);
    }
    known = next;
    return read;
  };
}

function readJson(data: unknown): unknown {
  try {
    return typeof data === 'string' ? parseJson(data) : null;
  } catch {
    return null;
  }
}

const idOf = (raw: unknown): number => (isRecord(raw) && typeof raw['id'] === 'number' ? raw['id'] : -1);
