// Whether `interject export` is to write the log itself or a data set, and what of its flags the log has no use for.
import { canonical } from '../../shared/canonical.ts';
import { ExportRules } from '../../shared/contract/export.ts';
import { Failure } from '../../shared/failure.ts';
import { ROW_RULES } from '../dataset/export/chosenEpisodes.ts';
import { LOG_FORMATS, type ExportOptions } from './exportOptions.ts';

/** How each rule that chooses rows is asked for. */
const ROW_FLAGS: Readonly<Record<(typeof ROW_RULES)[number], string>> = {
  actors: '--actor',
  privilege: '--privilege',
  include: '--include',
  cap_per_task: '--cap',
  validation: '--validation',
  preset: '--preset',
  arguments: '--arguments',
  reasoning: '--no-reasoning',
};

const DEFAULT_RULES = ExportRules.parse({});

/** What only a data set has. */
function ofDataSets({ files, kit, check, despite }: ExportOptions, rules: ExportRules): string[] {
  const isSet = (name: keyof ExportRules): boolean =>
    canonical(rules[name]) !== canonical(DEFAULT_RULES[name]);
  return [
    ...ROW_RULES.filter(isSet).map((name) => ROW_FLAGS[name]),
    ...(files === 'parquet' ? ['--files parquet'] : []),
    ...(kit === undefined ? [] : ['--kit']),
    ...(check === true ? ['--check'] : []),
    ...(despite === undefined ? [] : ['--despite']),
  ];
}

/**
 * Whether no data set is asked for. `events` is both: the bare log, and a folder as the console writes it, whose card
 * says how to make it again by `--rules`.
 */
export function isOfLog(options: ExportOptions, rules: ExportRules): boolean {
  if (options.format !== 'events') return LOG_FORMATS.some((one) => one === options.format);
  return options.rules === undefined && ofDataSets(options, rules).length === 0;
}

/** Refuses what means nothing where there are no rows. Throws `bad_input` naming each. */
export function checkLogRules(options: ExportOptions, rules: ExportRules): void {
  const { format } = options;
  const asked = ofDataSets(options, rules);
  if (asked.length > 0) {
    throw new Failure('bad_input', `${format} has no rows: ${asked.join(', ')} cannot hold for it`, {
      next: 'Leave that out, or choose a format of rows.',
    });
  }
  if (format !== 'annotations' || canonical(rules) === canonical(DEFAULT_RULES)) return;
  throw new Failure('bad_input', 'annotations are written by project, whatever episodes they are about', {
    next: 'Leave the rules out; human_feedback writes what was said of chosen episodes.',
  });
}
