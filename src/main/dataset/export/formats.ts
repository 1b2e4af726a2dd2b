import type { ExportFormat, ExportRules } from '../../../shared/contract/export.ts';
import { Failure } from '../../../shared/failure.ts';
import type { Format } from './format.ts';
import { atif } from './formats/atif.ts';
import { awm } from './formats/awm.ts';
import { episodeRecord } from './formats/episodeRecord.ts';
import { events } from './formats/events.ts';
import { grpo } from './formats/grpo.ts';
import { humanFeedback } from './formats/humanFeedback.ts';
import { kto } from './formats/kto.ts';
import { preference } from './formats/preference.ts';
import { scores } from './formats/scores.ts';
import { sft, sftMessages, SFT_PRESETS } from './formats/sft.ts';

export const FORMATS: Readonly<Record<ExportFormat, Format>> = {
  sft,
  sft_messages: sftMessages,
  preference,
  kto,
  grpo,
  episode_record: episodeRecord,
  human_feedback: humanFeedback,
  atif,
  awm,
  scores,
  events,
};

/** Throws `bad_input` for a preset of another format than `sft`. */
export function exportFormat(id: ExportFormat, { preset }: Pick<ExportRules, 'preset'>): Format {
  if (preset === null) return FORMATS[id];
  if (id === 'sft') return SFT_PRESETS[preset];
  throw new Failure('bad_input', `${id} has no presets`, { next: 'Choose sft, or leave the preset out.' });
}
