// The words of where an imported episode came from.
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { ImportFormat } from '../../../shared/events/import.ts';
import type { TimelineRow } from './timelineRow.ts';

export const FORMAT_NAMES: Readonly<Record<ImportFormat, string>> = {
  awm_trajectory: 'AWM server trajectory',
  snowflake_run: 'Agent World Model agent run',
  openenv_collect: 'OpenEnv collect results',
  echo_fixture: 'ECHO fixture',
  inspect: 'Inspect log',
  atif: 'ATIF trajectory',
  swe_agent: 'SWE-agent trajectory',
  mini_swe_agent: 'mini-swe-agent trajectory',
  chat: 'chat JSON lines',
  hf_session: 'Hugging Face session trace',
  interject_events: 'Interject bundle',
};

export function importedText({
  imported,
}: EpisodeRecord): Pick<TimelineRow, 'role' | 'kind' | 'name' | 'detail'> {
  const odd = imported?.diagnostics.length ?? 0;
  const name = imported === null ? 'Imported' : `Imported from ${FORMAT_NAMES[imported.format]}`;
  const detail = [imported?.source.name ?? '', ...(odd === 0 ? [] : [`${String(odd)} odd`])].join(' · ');
  return { role: 'system', kind: 'imported', name, detail };
}
