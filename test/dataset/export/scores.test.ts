import { afterEach, beforeEach, expect, it } from 'vitest';
import { breakdownOf, knownOf } from '../../../src/main/reward/reward.ts';
import { PROFILE_STREAM } from '../../../src/shared/events/library.ts';
import { REWARD_DEFAULTS } from '../../../src/shared/rewards/settings.ts';
import { exampleLog } from '../../support/exported.ts';
import { makeRows } from '../../support/exporting.ts';
import { serveEnvironment } from '../../support/flow.ts';
import { SYSTEM } from '../../support/log.ts';
import { episodeEntries } from '../../support/manyEpisodes.ts';

let environment: Awaited<ReturnType<typeof serveEnvironment>>;
beforeEach(async () => {
  environment = await serveEnvironment();
});
afterEach(() => environment.close());

it('scores every ended episode by each profile, with all parts, and says by which version', async () => {
  const { log, edited } = await exampleLog(environment);
  const { shaping } = REWARD_DEFAULTS;
  const settings = {
    ...REWARD_DEFAULTS,
    shaping: { ...shaping, base: { ...shaping.base, complete: 5 } },
  };
  log.append(PROFILE_STREAM, SYSTEM, { kind: 'reward_profile.saved', name: 'mine', version: 3, settings });

  const { rows } = await makeRows(log, 'scores');

  expect(rows).toHaveLength(2 * 4);
  const known = knownOf(log.record(edited));
  expect(rows.filter(({ episode }) => episode === edited)).toEqual([
    expect.objectContaining({ profile: 'default', version: 0, ...breakdownOf(known, REWARD_DEFAULTS) }),
    expect.objectContaining({ profile: 'mine', version: 3, ...breakdownOf(known, settings) }),
  ]);
});

it('says of an imported episode its run, its file and the reward its file told', async () => {
  const { log } = await exampleLog(environment);
  const imported = {
    kind: 'episode.imported' as const,
    episode: 'e3',
    format: 'atif' as const,
    version: null,
    source: { name: 'their.json', sha256: 'a'.repeat(64), bytes: 2, index: 0 },
    companions: [],
    task: null,
    not_recorded: [],
    diagnostics: [],
    extra: {},
  };
  const [start, ...rest] = episodeEntries('e3', 1, { end: { reward_type: null, reward: 0.3 } });
  if (start?.event.kind !== 'episode.started') throw new Error('it has not begun');
  const begun = {
    ...start.event,
    source: 'import' as const,
    trainer: { run: 'theirs', step: 1, checkpoint: null, episode: null },
  };
  log.importStreams([
    { stream: 'e3', entries: [{ ...start, event: begun }, { ...start, event: imported }, ...rest] },
  ]);

  const { rows } = await makeRows(log, 'scores', { episodes: ['e3'] });

  expect(rows).toEqual([
    expect.objectContaining({ run: 'theirs', file: 'their.json', imported_reward: 0.3, profile: 'default' }),
  ]);
});
