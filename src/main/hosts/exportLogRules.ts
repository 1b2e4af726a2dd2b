// Owns: what of the flags of `interject export` holds for the log itself, which has no rows.
import { canonical } from '../../shared/canonical.ts';
import { ExportRules } from '../../shared/contract/export.ts';
import { Failure } from '../../shared/failure.ts';
import { ROW_RULES } from '../dataset/export/chosen.ts';
import type { ExportOptions } from './exportOptions.ts';

/** How each rule that chooses rows is asked for. */
const ROW_FLAGS: Readonly<Record<(typeof ROW_RULES)[number], string>> = {
  actors: '--actor',
  privilege: '--privilege',
  uptake: '--uptake',
  include_timeouts: '--timeouts',
  include_late: '--late',
  include_fabricated: '--fabricated',
  dedupe: '--no-dedupe',
  cap_per_task: '--cap',
  balance: '--balance',
  validation: '--validation',
  arguments: '--arguments',
};

/** Refuses what means nothing where there are no rows. Throws `bad_input` naming each. */
export function checkLogRules(
  { format, files, kit, check, despite }: ExportOptions,
  rules: ExportRules,
): void {
  const plain = ExportRules.parse({});
  const isSet = (name: keyof ExportRules): boolean => canonical(rules[name]) !== canonical(plain[name]);
  const asked = [
    ...ROW_RULES.filter(isSet).map((name) => ROW_FLAGS[name]),
    ...(files === 'parquet' ? ['--files parquet'] : []),
    ...(kit === undefined ? [] : ['--kit']),
    ...(check === true ? ['--check'] : []),
    ...(despite === undefined ? [] : ['--despite']),
  ];
  if (asked.length > 0) {
    throw new Failure('bad_input', `${format} has no rows: ${asked.join(', ')} cannot hold for it`, {
      next: 'Leave that out, or choose a format of rows.',
    });
  }
  if (format !== 'annotations' || canonical(rules) === canonical(plain)) return;
  throw new Failure('bad_input', 'annotations are written by project, whatever episodes they are about', {
    next: 'Leave the rules out; human_feedback writes what was said of chosen episodes.',
  });
}
