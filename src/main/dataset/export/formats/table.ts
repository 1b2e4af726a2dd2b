// Owns: the table of formats.
import type { ExportFormat } from '../../../../shared/contract/export.ts';
import type { Format } from '../format.ts';
import { advisor } from './advisor.ts';
import { atif } from './atif.ts';
import { awm } from './awm.ts';
import { episodeRecord } from './episodeRecord.ts';
import { events } from './events.ts';
import { grpo } from './grpo.ts';
import { humanFeedback } from './humanFeedback.ts';
import { kto } from './kto.ts';
import { openaiPreference } from './openaiPreference.ts';
import { openaiSft } from './openaiSft.ts';
import { preference } from './preference.ts';
import { prm } from './prm.ts';
import { session } from './session.ts';
import { sft } from './sft.ts';
import { demonstrations, sftMessages } from './sftMessages.ts';
import { whenToAsk } from './whenToAsk.ts';

export const FORMATS: Readonly<Record<ExportFormat, Format>> = {
  sft,
  sft_messages: sftMessages,
  preference,
  kto,
  grpo,
  prm,
  openai_sft: openaiSft,
  openai_preference: openaiPreference,
  episode_record: episodeRecord,
  human_feedback: humanFeedback,
  atif,
  awm,
  session,
  advisor,
  demonstrations,
  when_to_ask: whenToAsk,
  events,
};
