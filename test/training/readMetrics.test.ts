// Logs of trainers as they write them.
import { describe, expect, it } from 'vitest';
import { readMetrics } from '../../src/main/training/readMetrics.ts';
import { failureShape } from '../../src/shared/failure.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const failing = (work: () => unknown): string => {
  try {
    work();
  } catch (thrown) {
    const { message, next } = failureShape(thrown);
    return `${message} ${next ?? ''}`;
  }
  return 'nothing failed';
};

describe('JSON lines', () => {
  it('give the steps of a kit’s run: reward, format errors, how rollouts asked', () => {
    const lines = [
      { step: 1, reward: -0.5, reward_std: 0.2, format_error_rate: 0.9, expert_share: 0.75, loss: 0.1 },
      {
        step: 2,
        reward: 0.25,
        'diagnostic/solo': 3,
        'diagnostic/recovery': 1,
        'diagnostic/blind': 0,
        rewards: { process: 0.5 },
      },
    ];
    const { source, steps, unread } = readMetrics(
      'log.jsonl',
      bytes(lines.map((one) => JSON.stringify(one)).join('\n')),
    );

    expect(source).toBe('jsonl');
    expect(steps).toMatchObject([
      { step: 1, reward: -0.5, reward_sd: 0.2, format_error_rate: 0.9, expert_share: 0.75, asked: null },
      { step: 2, reward: 0.25, asked: { solo: 3, recovery: 1, blind: 0 }, components: { process: 0.5 } },
    ]);
    expect(unread).toEqual(['loss']);
  });

  it('name the line that is no JSON, and are read past it', () => {
    const { steps, unread } = readMetrics(
      'a.jsonl',
      bytes('{"step":1,"reward":1}\n{"step":\n\n{"step":2,"reward":2}'),
    );
    expect(steps.map(({ reward }) => reward)).toEqual([1, 2]);
    expect(unread).toEqual(['1 row (no JSON): line 2']);
    expect(failing(() => readMetrics('a.jsonl', bytes('{"step":')))).toContain('1 row (no JSON): line 1');
  });

  it('with NaN and Infinity, as Python writes them, have a gap there and lose no row', () => {
    const text = [
      '{"step": 1, "reward": NaN, "note": "NaN \\" Infinity"}',
      '{"step": 2, "reward": -Infinity, "reward_std": 0.5}',
      '{"step": 3, "reward": "NaN"}',
      '{"step": 4, "reward": 0.25}',
    ].join('\n');
    const { steps, unread } = readMetrics('t.jsonl', bytes(text));
    expect(steps.map(({ step, reward }) => [step, reward])).toEqual([
      [1, null],
      [2, null],
      [3, null],
      [4, 0.25],
    ]);
    expect(steps[1]?.reward_sd).toBe(0.5);
    expect(unread).toEqual(['reward is NaN or Infinity 3 times: steps 1, 2, 3', 'note']);
  });

  it('say which rows were not used and why, and that the last of two values counts', () => {
    const rows = [
      { step: 1, reward: 0.1 },
      { step: 'soon', reward: 0.2 },
      { step: 1.5, reward: 0.3 },
      { reward: 0.4 },
      { step: 2, reward: 'good' },
      { step: 2, reward: 0.5 },
      { step: 3, reward: 0.6 },
      { step: 3, reward: 0.7 },
      { step: 3, timeout_rate: 0.1 },
    ];
    const { steps, unread } = readMetrics(
      'a.jsonl',
      bytes(rows.map((row) => JSON.stringify(row)).join('\n')),
    );
    expect(steps.map(({ step, reward }) => [step, reward])).toEqual([
      [1, 0.1],
      [2, 0.5],
      [3, 0.7],
    ]);
    expect(unread).toEqual([
      '2 rows (its step is no whole number): lines 2, 3',
      '1 row (no step column): line 4',
      'reward is no number (good): step 2',
      'earlier values of step 3, written twice: the last counts',
    ]);
  });
});

describe('CSV', () => {
  it('is read with quotes, empty cells and percent under its usual name', () => {
    const text = 'step,reward,fe,completions,phase\r\n1,-0.528,88.3,7,"scaffold, first"\r\n2,,85.9,4,\r\n';
    const { source, steps } = readMetrics('run.csv', bytes(text));
    expect(source).toBe('csv');
    expect(steps).toMatchObject([
      { step: 1, reward: -0.528, completed: 7, phase: 'scaffold, first' },
      { step: 2, reward: null, completed: 4, phase: null },
    ]);
    expect(steps[0]?.format_error_rate).toBeCloseTo(0.883, 12);
  });
});

describe('a value that no field can hold', () => {
  it('is named where it is a list or a truth value, and a null is a gap that needs no word', () => {
    const text = '{"step":1,"reward":null,"completed_share":0.5,"rewards":[1,2],"is_best":true}';
    const { steps, unread } = readMetrics('a.jsonl', bytes(text));
    expect(steps.map(({ reward, completed_share: share }) => [reward, share])).toEqual([[null, 0.5]]);
    expect(unread).toEqual(['is_best', 'rewards']);
  });

  it('is counted where a column of CSV holds nan', () => {
    const { steps, unread } = readMetrics('a.csv', bytes('step,reward\n1,nan\n2,-inf\n3,0.5\n'));
    expect(steps.map(({ reward }) => reward)).toEqual([null, null, 0.5]);
    expect(unread).toEqual(['reward is NaN or Infinity 2 times: steps 1, 2']);
  });
});

describe('the state TRL saves', () => {
  it('is read from its history', () => {
    const state = {
      global_step: 2,
      log_history: [
        { step: 1, reward: 0.1, frac_reward_zero_std: 0.5 },
        { step: 2, reward: 0.3 },
      ],
    };
    const { source, steps } = readMetrics('trainer_state.json', bytes(JSON.stringify(state, null, 2)));
    expect(source).toBe('trainer_state');
    expect(steps.map(({ reward }) => reward)).toEqual([0.1, 0.3]);
    expect(steps[0]?.components).toEqual({ 'groups of equal rewards': 0.5 });
  });

  it('is read with a NaN in it', () => {
    const text =
      '{"global_step": 2, "log_history": [{"step": 1, "reward": NaN}, {"step": 2, "reward": 0.3}]}';
    const { source, steps } = readMetrics('trainer_state.json', bytes(text));
    expect(source).toBe('trainer_state');
    expect(steps.map(({ reward }) => reward)).toEqual([null, 0.3]);
  });
});

describe('a file that tells nothing of a run', () => {
  it('is refused, with the names it has', () => {
    expect(failing(() => readMetrics('x.csv', bytes('step,loss\n1,0.5\n')))).toContain('It has loss');
    expect(failing(() => readMetrics('x.txt', bytes('hello')))).toContain('Each line needs a field `step`');
  });

  it('keeps a share that can be none out of the figures', () => {
    const { steps, unread } = readMetrics('x.csv', bytes('step,reward,timeout_rate\n1,0.5,7\n'));
    expect(steps[0]?.timeout_rate).toBeNull();
    expect(unread).toEqual(['timeout_rate is not between 0 and 1: step 1']);
  });

  it('says at which step a value is wrong, and what is wrong with it, not that its name is unknown', () => {
    const rows = [
      { step: 13, reward: 0.1, format_error_rate: 0.5, success_rate: 1.5 },
      { step: 14, reward: 0.2, format_error_rate: 73, success_rate: '55%' },
      { step: 15, reward: 0.2, completed: 20, rollouts: 16, loss: 'high' },
      { step: 16, reward: 0.2, completed: 2.5, rollouts: 16 },
    ];
    const { steps, unread, isDamaged } = readMetrics('a.json', bytes(JSON.stringify(rows)));
    expect(steps.map(({ format_error_rate: rate }) => rate)).toEqual([0.5, null, null, null]);
    expect(unread).toEqual([
      'success_rate is not between 0 and 1: step 13',
      'format_error_rate is not between 0 and 1: step 14',
      'success_rate is no number (55%): step 14',
      'completed is more than were judged: step 15',
      'completed is no count: step 16',
      'loss',
    ]);
    expect(isDamaged).toBe(true);
    const only = bytes('step,format_error_rate\n1,73\n');
    expect(failing(() => readMetrics('x.csv', only))).toContain(
      'format_error_rate is not between 0 and 1: step 1',
    );
    expect(failing(() => readMetrics('x.csv', only))).not.toContain('Names that are read');
  });
});

describe('completions that are counted', () => {
  it('are of the rollouts where nobody says how many were judged, and say so where nobody counted those', () => {
    const told = bytes(
      '{"step":1,"reward":0.1,"completed":1,"rollouts":16}\n{"step":2,"completed":2,"judged":8}',
    );
    const { steps, unread } = readMetrics('a.jsonl', told);
    expect(steps.map(({ completed, judged }) => [completed, judged])).toEqual([
      [1, 16],
      [2, 8],
    ]);
    expect(unread).toEqual([]);
    const bare = readMetrics('a.jsonl', bytes('{"step":1,"completed":1}'));
    expect(bare.unread).toEqual([
      'completed without judged or rollouts beside it, so nothing says of how many: step 1',
    ]);
    expect(bare.isDamaged).toBe(false);
  });
});
