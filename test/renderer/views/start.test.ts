import { describe, expect, it } from 'vitest';
import {
  DEFAULT_CHOICE,
  fallbacksOf,
  inputOf,
  problemsOf,
  type StartChoice,
} from '../../../src/renderer/views/start/choice.ts';
import {
  chipsOf,
  choiceAfterKey,
  indexAfterKey,
  listedChoice,
  shownTasks,
  tasksFound,
} from '../../../src/renderer/views/start/TaskPicker.tsx';
import { createScenarioSearch } from '../../../src/shared/scenarioSearch.ts';
import type { Task } from '../../../src/renderer/views/start/useCatalog.ts';

const choose = (over: Partial<StartChoice> = {}): StartChoice => ({
  ...DEFAULT_CHOICE,
  scenario: 'loomline_workflows',
  task: '3',
  ...over,
});

describe('what can be started', () => {
  it('is what was chosen, with main’s own limits where none is given', () => {
    expect(inputOf(choose(), null)).toEqual({
      environment: 'builtin',
      scenario: 'loomline_workflows',
      task_idx: 3,
      agent: { policy: 'rehearsal', protocol: 'native', model: null },
      condition: 'human+draft',
      deadline_ms: null,
      fallback: 'wait',
      seed: 0,
      repeats: 1,
      limits: {},
      reset: {},
    });
  });

  it('says what experts’ seats may see only where it is not the usual', () => {
    expect(inputOf(choose({ isBlinded: true }), null)).toMatchObject({ is_blinded: true });
    expect(inputOf(choose({ isKeyOpen: true }), null)).toMatchObject({ is_key_open: true });
    expect(inputOf(choose({ isKeyOpen: true }), null)).not.toHaveProperty('is_blinded');
  });

  it('says how it is verified only where a person chose it, and never of a built-in world', () => {
    const outside = { environment: 'env-1', verifierMode: 'sql' } as const;
    expect(inputOf(choose(outside), null).verifier_mode).toBe('sql');
    expect(inputOf(choose({ ...outside, verifierMode: 'usual' }), null)).not.toHaveProperty('verifier_mode');
    expect(inputOf(choose({ verifierMode: 'sql' }), null)).not.toHaveProperty('verifier_mode');
  });

  it('says which asks come before a person only where that is limited, and only where a person may answer', () => {
    const limited = { sharePercent: '25', capacity: '', hourlyMinutes: '10' };

    expect(inputOf(choose(limited), null).admission).toEqual({
      share: 0.25,
      capacity: null,
      hourly_minutes: 10,
    });
    expect(inputOf(choose({ ...limited, condition: 'model' }), null).admission).toBeUndefined();
    expect(problemsOf(choose({ sharePercent: '101', capacity: '0' }), true)).toMatchObject({
      sharePercent: expect.any(String),
      capacity: expect.any(String),
    });
  });

  it('asks the agent how sure it is only where that is chosen, and holds unsure calls below the share given', () => {
    const of = (over: Partial<StartChoice>) => inputOf(choose(over), null).confidence;

    expect(of({})).toBeUndefined();
    expect(of({ confidence: 'record' })).toEqual({ below: null, to: 'desk' });
    expect(of({ confidence: 'desk', confidencePercent: '60' })).toEqual({ below: 0.6, to: 'desk' });
    expect(of({ confidence: 'advisor' })).toEqual({ below: 0.5, to: 'advisor' });
    expect(of({ confidence: 'desk', policy: 'human' })).toBeUndefined();
    expect(problemsOf(choose({ confidence: 'desk', confidencePercent: '0' }), true)).toHaveProperty(
      'confidencePercent',
    );
    expect(problemsOf(choose({ confidence: 'advisor', condition: 'none' }), true)).toHaveProperty(
      'confidence',
    );
  });

  it('carries limits, deadline, repeats and reset arguments as given', () => {
    const input = inputOf(
      choose({
        policy: 'chat',
        fallback: 'draft',
        deadlineS: '90',
        repeats: '4',
        turns: '20',
        minutes: '5',
        consultations: '0',
        reset: '{"verifier_mode":"sql"}',
      }),
      'gpt-x',
    );

    expect(input).toMatchObject({
      agent: { policy: 'chat', model: 'gpt-x' },
      deadline_ms: 90_000,
      fallback: 'draft',
      repeats: 4,
      limits: { turns: 20, time_ms: 300_000, consultations: 0 },
      reset: { verifier_mode: 'sql' },
    });
  });

  it('sends no deadline when nobody is asked', () => {
    const input = inputOf(choose({ condition: 'none', fallback: 'proceed', deadlineS: '10' }), null);

    expect(input).toMatchObject({ condition: 'none', deadline_ms: null, fallback: 'wait' });
  });

  it('takes nothing along that only an agent has where a person plays', () => {
    const rule = { glob: '*', argument: null, does: 'ask' as const, count: null };
    const agents = {
      protocol: 'xml' as const,
      rules: [rule],
      consultations: '2',
      stallSteps: 'x',
      maxCost: '-1',
    };
    const played = choose({ policy: 'human', turns: '9', ...agents });
    expect(problemsOf(played, false)).toEqual({});
    const input = inputOf(played, null);
    expect(input).toMatchObject({ agent: { policy: 'human', protocol: 'native' }, limits: { turns: 9 } });
    expect(input).not.toHaveProperty('approval');
    expect(input.limits).not.toHaveProperty('consultations');
  });

  it('offers no draft to fall back on where nothing is drafted', () => {
    expect(fallbacksOf('human')).not.toContain('draft');
    expect(fallbacksOf('human+draft')).toContain('draft');
  });
});

describe('what is wrong', () => {
  it('is nothing for a whole choice', () => {
    expect(problemsOf(choose(), false)).toEqual({});
  });

  it('is said at the field it is about', () => {
    const problems = problemsOf(
      choose({
        task: '',
        policy: 'chat',
        repeats: '65',
        turns: '1.5',
        fallback: 'proceed',
        deadlineS: '',
        reset: '[1]',
      }),
      false,
    );

    expect(Object.keys(problems).toSorted()).toEqual([
      'deadlineS',
      'policy',
      'repeats',
      'reset',
      'task',
      'turns',
    ]);
    expect(problems.repeats).toBe('A whole number from 1 to 64.');
  });

  it('is not about a deadline that does not apply', () => {
    expect(problemsOf(choose({ condition: 'model', fallback: 'proceed', deadlineS: '' }), false)).toEqual({});
  });

  it('is not the lack of a task where the environment lists none', () => {
    expect(problemsOf(choose({ scenario: '', task: '' }), false)).toEqual({});
  });
});

describe('the tasks shown', () => {
  const tasks: Task[] = [
    { task_idx: 0, task: 'Close the ticket', difficulty: 'easy', is_ambiguous: false },
    { task_idx: 1, task: 'Merge two contacts', difficulty: 'hard', is_ambiguous: true },
    { task_idx: 2, task: 'Close every ticket of a contact', difficulty: 'hard', is_ambiguous: false },
  ];
  const shown = (
    query: string,
    ...chips: Parameters<typeof shownTasks>[2] extends ReadonlySet<infer C> ? C[] : never
  ) => shownTasks(tasks, query, new Set(chips)).map(({ task_idx }) => task_idx);

  it('are those of any chosen difficulty, and only ambiguous ones when that is chosen', () => {
    expect(shown('')).toEqual([0, 1, 2]);
    expect(shown('', 'hard')).toEqual([1, 2]);
    expect(shown('', 'easy', 'hard')).toEqual([0, 1, 2]);
    expect(shown('', 'hard', 'ambiguous')).toEqual([1]);
  });

  it('come best match first; none is lost to a search that matched the scenario', () => {
    expect(shown('ticket contact')).toEqual([2, 0, 1]);
    expect(shown('workflow')).toEqual([0, 1, 2]);
  });

  it('offer only chips that some task has', () => {
    expect(chipsOf(tasks)).toEqual(['easy', 'hard', 'ambiguous']);
    expect(chipsOf([])).toEqual([]);
  });
});

describe('a list of scenarios', () => {
  it('is gone through by keys, and never left at its ends', () => {
    const keys = ['ArrowDown', 'ArrowUp', 'Home', 'End', 'PageDown', 'PageUp', 'a'];
    expect(keys.map((key) => indexAfterKey(key, 5, 12))).toEqual([6, 4, 0, 11, 11, 0, null]);
    expect([indexAfterKey('ArrowUp', 0, 3), indexAfterKey('ArrowDown', 2, 3)]).toEqual([0, 2]);
    expect([indexAfterKey('ArrowDown', -1, 3), indexAfterKey('End', -1, 0)]).toEqual([0, null]);
  });

  it('takes from a kept choice what its server does not list any more', () => {
    const listed = [{ name: 'shop', description: '', tasks: ['a', 'b'] }];
    expect(listedChoice(listed, { scenario: 'gone', task: '1' })).toEqual({ scenario: '', task: '' });
    expect(listedChoice(listed, { scenario: 'shop', task: '2' })).toEqual({ scenario: 'shop', task: '' });
    expect(listedChoice(listed, { scenario: 'shop', task: '1' })).toEqual({ scenario: 'shop', task: '1' });
    expect(listedChoice([], { scenario: 'typed', task: '7' })).toEqual({ scenario: 'typed', task: '7' });
  });
});

describe('the keys of the search field', () => {
  const scenarios = [
    {
      name: 'desk',
      description: '',
      tasks: ['Close the ticket', 'Merge contacts', 'Close every old ticket'],
    },
    { name: 'shop', description: 'Orders and returns', tasks: ['Ship an order', 'Close a ticket'] },
    { name: 'unlisted', description: 'close ticket', tasks: [] },
  ];
  const walk = (query: string, key: string, steps: number, from: string, shown: number[] | null = null) => {
    const [scenario = '', task = ''] = from.split(' ');
    let at: { scenario: string; task: string } | null = { scenario, task };
    const hits = createScenarioSearch(scenarios)(query);
    return Array.from({ length: steps }, () => {
      at = at === null ? null : choiceAfterKey(key, hits, query, at, at.scenario === scenario ? shown : null);
      return at === null ? null : `${at.scenario} ${at.task}`.trim();
    });
  };

  it('lead through the tasks that were found, then on to the next scenario, and stop at the ends', () => {
    expect(walk('close ticket', 'ArrowDown', 4, 'desk 0')).toEqual([
      'desk 2',
      'shop 1',
      'unlisted',
      'unlisted',
    ]);
    expect(walk('close ticket', 'ArrowUp', 4, 'unlisted')).toEqual(['shop 1', 'desk 2', 'desk 0', 'desk 0']);
    expect(walk('', 'ArrowDown', 3, 'desk 1')).toEqual(['desk 2', 'shop 0', 'shop 1']);
    expect(walk('', 'PageDown', 2, 'desk 1')).toEqual(['shop 0', 'unlisted']);
  });

  it('pass by what the chips leave out, and come from a task that was not found to one that was', () => {
    expect(walk('', 'ArrowDown', 1, 'desk 0', [0, 2])).toEqual(['desk 2']);
    expect(walk('close ticket', 'ArrowDown', 1, 'desk 1', [0, 2, 1])).toEqual(['desk 0']);
  });

  it('are no others, and need something to be found', () => {
    expect(walk('', 'Home', 1, 'desk 0')).toEqual([null]);
    expect(walk('nothing like it', 'ArrowDown', 1, 'desk 0')).toEqual([null]);
  });

  it('find every task of a scenario whose name or description has the words', () => {
    const [shop] = createScenarioSearch(scenarios)('returns');
    expect(shop === undefined ? [] : tasksFound(shop, 'returns')).toEqual([0, 1]);
  });
});
