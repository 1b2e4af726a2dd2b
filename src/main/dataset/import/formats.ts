import type { ImportFormat } from '../../../shared/events/import.ts';
import { readAtif } from './atif.ts';
import { readAwm } from './awm.ts';
import { readChatFile } from './chat.ts';
import { readCollect } from './collect.ts';
import type { DetectedFormat } from './detectFormat.ts';
import { readEcho } from './echo.ts';
import { readInspectJson, readInspectZip } from './inspect.ts';
import { readOwn } from './eventBundle.ts';
import type { FormatReader } from './formatReader.ts';
import { readSessions } from './session.ts';
import { readSnowflake } from './snowflake.ts';
import { readMiniSwe, readSwe } from './swe.ts';

const READERS: Readonly<Record<ImportFormat, FormatReader>> = {
  awm_trajectory: readAwm,
  snowflake_run: readSnowflake,
  openenv_collect: readCollect,
  echo_fixture: readEcho,
  inspect: readInspectJson,
  atif: readAtif,
  swe_agent: readSwe,
  mini_swe_agent: readMiniSwe,
  chat: readChatFile,
  hf_session: readSessions,
  interject_events: readOwn,
};

export const readerOf = ({ format, isArchive }: DetectedFormat): FormatReader =>
  isArchive ? readInspectZip : READERS[format];
