// Reading what a person pastes or drops here: rules as JSON, and a split whose held-out tasks are kept out. Pure.
import { z } from 'zod';
import { ExportRules } from '../../../shared/contract/export.ts';
import { heldOutTasks, joinHeldOut, SplitManifest, type HeldOutTask } from '../../../shared/split.ts';

type PasteResult<T> = { ok: true; value: T } | { ok: false; why: string };

/** A pinned split as `interject bench split` and others write it; what is not needed here may be anything. */
const Manifest = SplitManifest.pick({ meta: true, val: true });

function json(text: string): PasteResult<unknown> {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (thrown) {
    return { ok: false, why: `This is not JSON: ${thrown instanceof Error ? thrown.message : ''}` };
  }
}

const wrong = ({ issues }: z.ZodError): string => {
  const [first] = issues;
  const place = first?.path.join('.') ?? '';
  return `${place === '' ? '' : `${place}: `}${first?.message ?? 'does not fit'}`;
};

/** The `rules.json` that lies beside an export. */
const PastedRules = z.object({ type: z.literal('interject.export'), rules: z.unknown() });

/** Rules as they are copied here, or the file that lies beside an export. What is missing is as by default. */
export function readRules(text: string): PasteResult<ExportRules> {
  const read = json(text);
  if (!read.ok) return read;
  const written = PastedRules.safeParse(read.value);
  const parsed = ExportRules.safeParse(written.success ? written.data.rules : read.value);
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, why: `These are not export rules: ${wrong(parsed.error)}` };
}

/** The held-out tasks of a split: its `val` list. */
export function readHeldOut(text: string): PasteResult<HeldOutTask[]> {
  const read = json(text);
  if (!read.ok) return read;
  const parsed = Manifest.safeParse(read.value);
  if (!parsed.success)
    return {
      ok: false,
      why: `This is not a split with a "val" list of [scenario, task]: ${wrong(parsed.error)}`,
    };
  return { ok: true, value: joinHeldOut(heldOutTasks(parsed.data)) };
}
