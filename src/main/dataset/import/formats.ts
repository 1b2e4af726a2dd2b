// Owns: which reader reads which format.
import type { ImportFormat } from '../../../shared/events/import.ts';
import { readAtif } from './atif.ts';
import { readAwm } from './awm.ts';
import { readChat } from './chat.ts';
import { readCollect } from './collect.ts';
import type { Detected } from './detect.ts';
import { readEcho } from './echo.ts';
import { readInspectJson, readInspectZip } from './inspect.ts';
import { readOwn } from './ownEvents.ts';
import type { Reader } from './read.ts';
import { readSessions } from './session.ts';
import { readSnowflake } from './snowflake.ts';
import { readMiniSwe, readSwe } from './swe.ts';

const READERS: Readonly<Record<ImportFormat, Reader>> = {
  awm_trajectory: readAwm,
  snowflake_run: readSnowflake,
  openenv_collect: readCollect,
  echo_fixture: readEcho,
  inspect: readInspectJson,
  atif: readAtif,
  swe_agent: readSwe,
  mini_swe_agent: readMiniSwe,
  chat: readChat,
  hf_session: readSessions,
  interject_events: readOwn,
};

export const readerOf = ({ format, isArchive }: Detected): Reader =>
  isArchive ? readInspectZip : READERS[format];
