// The reward of an episode under each profile, with all its parts.
import { episodeRow } from '../../../../shared/episode/rows.ts';
import { breakdownOf, knownOf } from '../../../reward/reward.ts';
import { episodeFacts } from '../rowFacts.ts';
import type { Format } from '../format.ts';

export const scores: Format = {
  id: 'scores',
  verdict: 'any',
  columns: null,
  cardColumns: [
    { name: 'episode', type: 'string' },
    { name: 'environment_key', type: 'string' },
    { name: 'scenario', type: 'string' },
    { name: 'task_idx', type: 'int64' },
    { name: 'condition', type: 'string' },
    { name: 'group', type: 'string' },
    { name: 'run', type: 'string' },
    { name: 'file', type: 'string' },
    { name: 'imported_reward', type: 'float64' },
    { name: 'profile', type: 'string' },
    { name: 'version', type: 'int64' },
    { name: 'verifier', type: 'json' },
    { name: 'shaped', type: 'json' },
    { name: 'rubric', type: 'json' },
    { name: 'format_error_rate', type: 'float64' },
  ],
  says:
    'A line for each episode and reward profile (Settings, Rewards): the verifier’s own reward and label, which no ' +
    'profile changes, then the shaped reward and the rubric with their parts. `version` is the profile’s as it was when ' +
    'this was written, 0 for the default. `imported_reward` is what the file of an imported episode told.',
  rows: ({ record, profiles }, { privilege }) => {
    const row = episodeRow(record);
    if (row === null) return { rows: [], dropped: {} };
    const { environment_key, scenario, task_idx, condition, group, run } = row;
    const place = {
      episode: record.id,
      environment_key,
      scenario,
      task_idx,
      condition,
      group,
      run,
      file: record.imported?.source.name ?? null,
      imported_reward: row.source === 'import' ? row.reward : null,
    };
    const known = knownOf(record);
    // No word of anybody is in a score.
    const isStripped = privilege === 'strip';
    return {
      rows: profiles().map(({ name, version, settings }) => ({
        row: { ...place, profile: name, version, ...breakdownOf(known, settings) },
        facts: episodeFacts(record, { lines: [], isStripped }, `/${name}`),
      })),
      dropped: {},
    };
  },
};
