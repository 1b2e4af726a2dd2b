import type { ExportFormat } from '../../../shared/contract/export.ts';
import type { Format } from './format.ts';
import { advisor } from './formats/advisor.ts';
import { atif } from './formats/atif.ts';
import { awm } from './formats/awm.ts';
import { episodeRecord } from './formats/episodeRecord.ts';
import { events } from './formats/events.ts';
import { grpo } from './formats/grpo.ts';
import { humanFeedback } from './formats/humanFeedback.ts';
import { kto } from './formats/kto.ts';
import { preference } from './formats/preference.ts';
import { scores } from './formats/scores.ts';
import { sft } from './formats/sft.ts';
import { demonstrations, sftMessages } from './formats/sftMessages.ts';
import { whenToAsk } from './formats/whenToAsk.ts';

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
  advisor,
  demonstrations,
  when_to_ask: whenToAsk,
  scores,
  events,
};

export const exportFormat = (id: ExportFormat): Format => FORMATS[id];
