import { describe, expect, it } from 'vitest';
import {
  DEFAULT_CHOICE,
  inputOf,
  optionsText,
  problemsOf,
  type StartChoice,
} from '../../../src/renderer/views/start/choice.ts';

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
});

it('what is wrong is said at the field it is about', () => {
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

it('the line of options says what is not as usual, and nothing that does not apply', () => {
  expect(optionsText(choose())).toBe('as usual: 1 run, a person advises with a draft');
  const rules = [{ glob: '*', argument: null, does: 'ask' as const, count: null }];
  expect(optionsText(choose({ repeats: '2', rules, turns: '5' }))).toBe(
    '2 runs · at most 5 turns · approvals by hand',
  );
  const limited = { fallback: 'draft', deadlineS: '90', sharePercent: '25' } as const;
  expect(optionsText(choose(limited))).toBe('waits 90 seconds for an answer · 25 % of questions to people');
  expect(optionsText(choose({ ...limited, condition: 'none' }))).toBe('advice: no expert');
  expect(optionsText(choose({ policy: 'human', rules, seed: '7' }))).toBe('seed 7');
  expect(optionsText(choose({ policy: 'human' }))).toBe('as usual: 1 run');
});
