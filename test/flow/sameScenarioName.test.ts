// Two environments may each have a scenario of one name: what belongs to one is never taken for the other's.
import { describe, expect, it } from 'vitest';
import { chosenEpisodes, splitOf, taskIdentity } from '../../src/main/dataset/export/select.ts';
import { recordSeen } from '../../src/main/desk/seen.ts';
import { ExportRules } from '../../src/shared/contract/export.ts';
import { BUILT_IN_NAME, environmentKey, serverSpec } from '../../src/shared/environmentKinds.ts';
import { deskItems, episodeRow } from '../../src/shared/episode/rows.ts';
import { makeRows } from '../support/exporting.ts';
import { asked, ended, openLog, reset, started, SYSTEM } from '../support/log.ts';

const PRESENT = 'loomline_workflows';
const AWM = serverSpec('env-1', 'AWM', 'http://127.0.0.1:9');
const FORK = serverSpec('env-2', 'Our fork of AWM', 'http://127.0.0.1:8');
const ALL = { query: '', status: null, condition: null, offset: 0, limit: 10 } as const;

type Log = ReturnType<typeof openLog>;

function play(log: Log, id: string, environment?: ReturnType<typeof serverSpec>, scenario = PRESENT): void {
  const where = environment === undefined ? {} : { environment };
  log.append(id, SYSTEM, started({ ...where, scenario, condition: 'none' }));
  log.append(id, SYSTEM, reset({ scenario, request: { scenario, task_idx: 0 } }));
  log.append(id, SYSTEM, ended({ reward_type: 'complete', reward: 1 }));
}

const scenarios = (log: Log, filter = {}) =>
  log.projections
    .episodes({ ...ALL, filter })
    .rows.map(({ id, scenario }) => `${id} ${scenario ?? ''}`)
    .toSorted();

describe('two environments with a scenario of one name', () => {
  const twoServers = (): Log => {
    const log = openLog();
    play(log, 'a', AWM, 'crm_2');
    play(log, 'b', FORK, 'crm_2');
    return log;
  };

  it('are told apart by the library’s filter', () => {
    expect(scenarios(twoServers(), { scenario: 'crm_2', environment: 'AWM' })).toEqual(['a crm_2']);
    expect(twoServers().projections.facets()).toMatchObject({
      environments: ['AWM', 'Our fork of AWM'],
      scenarios: ['crm_2'],
    });
  });

  it('are two tasks of a split, and two rows for a trainer', async () => {
    const log = twoServers();
    const keys = ['a', 'b'].map((id) => taskIdentity(log.record(id), String));
    const sides = keys.map((key) =>
      Array.from({ length: 40 }, (_, seed) => splitOf(key, { share: 0.5, seed })).join(),
    );

    expect(new Set(keys).size).toBe(2);
    expect(new Set(sides).size).toBe(2);
    expect((await makeRows(log, 'grpo', { verdict: 'any' })).rows).toHaveLength(2);
  });

  it('are both held out by a pinned split, which names no environment', async () => {
    const { rows, dropped } = await makeRows(twoServers(), 'grpo', { held_out: [['crm_2', 0]] });

    expect(rows).toEqual([]);
    expect(dropped).toEqual({ held_out: 2 });
  });

  describe('are one task where one of them is held out and both say the same words', () => {
    const tappedBeside = (ours: string | null, theirs: string): Log => {
      const log = openLog();
      const told = (id: string, task: string, environment?: typeof FORK): void => {
        const where = environment === undefined ? {} : { environment };
        log.append(id, SYSTEM, started({ ...where, scenario: PRESENT, condition: 'none' }));
        const request = { scenario: PRESENT, task_idx: 0 };
        log.append(id, SYSTEM, reset({ scenario: PRESENT, request, task }));
        log.append(id, SYSTEM, ended({ reward_type: 'complete', reward: 1 }));
      };
      if (ours !== null) told('ours', ours);
      told('tapped', theirs, FORK);
      return log;
    };
    const HELD: ExportRules['held_out'] = [[PRESENT, 0, BUILT_IN_NAME]];
    const chosen = (log: Log): string[] => [
      ...chosenEpisodes(log, ExportRules.parse({ held_out: HELD }), {}),
    ];

    it.each(['sft', 'grpo', 'atif', 'episode_record', 'preference'] as const)(
      'left out of %s',
      async (format) => {
        const log = tappedBeside('Rename the\nsecond workflow.', 'Rename the second workflow.');
        const { dropped } = await makeRows(log, format, { verdict: 'any', held_out: HELD });

        expect(dropped).toMatchObject({ held_out: 2 });
      },
    );

    it('left out of the log too', () => {
      expect(chosen(tappedBeside('Rename it.', 'Rename it.'))).toEqual([]);
    });

    it('and two where the words differ', () => {
      expect(chosen(tappedBeside('Rename it.', 'Buy milk.'))).toEqual(['tapped']);
    });

    it('rather one than two where a built-in task that is held out was never played here', () => {
      expect(chosen(tappedBeside(null, 'Rename it.'))).toEqual([]);
    });
  });

  it('keep apart what a seat saw of their answers', () => {
    const log = twoServers();
    recordSeen(log, 's', 'a', ['criteria']);

    const seen = (environment: string | null) =>
      log.projections.seen('s', { environment, scenario: 'crm_2', task_idx: 0 });
    expect(seen('AWM')).toEqual(['criteria']);
    expect(seen('Our fork of AWM')).toEqual([]);
    expect(seen(null)).toEqual(['criteria']);
  });

  it('ask two different questions, which no one answer is offered for', () => {
    const log = openLog();
    for (const [id, environment] of [
      ['a', AWM],
      ['b', FORK],
    ] as const) {
      log.append(id, SYSTEM, started({ environment, scenario: 'crm_2' }));
      log.append(id, SYSTEM, asked({ consultation: `${id}:c1` }));
    }

    const groups = ['a', 'b'].flatMap((id) => deskItems(log.record(id)).map(({ group }) => group));
    expect(new Set(groups).size).toBe(2);
  });
});

it('imported files share an environment for each format, whatever they are called', () => {
  const keys = ['one.json', 'two.json'].map((name) =>
    environmentKey(serverSpec('import:awm_trajectory', name, '')),
  );

  expect(keys).toEqual(['import:awm_trajectory', 'import:awm_trajectory']);
  const played = openLog();
  play(played, 'ours');
  expect(episodeRow(played.record('ours'))?.environment_key).toBe(BUILT_IN_NAME);
});
