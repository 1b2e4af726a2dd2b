// Logs of trainers as they write them. The real `tensorboard` package stands beside our reader in test/peers.
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

  it('name the line that is no JSON', () => {
    expect(failing(() => readMetrics('a.jsonl', bytes('{"step":1,"reward":1}\n{"step":')))).toContain(
      'line 2 of a.jsonl is no JSON',
    );
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
});

describe('a file that tells nothing of a run', () => {
  it('is refused, with the names it has', () => {
    expect(failing(() => readMetrics('x.csv', bytes('step,loss\n1,0.5\n')))).toContain('It has loss');
    expect(failing(() => readMetrics('x.txt', bytes('hello')))).toContain('Each line needs a field `step`');
  });

  it('keeps a share that can be none out of the figures', () => {
    const { steps, unread } = readMetrics('x.csv', bytes('step,reward,timeout_rate\n1,0.5,7\n'));
    expect(steps[0]?.timeout_rate).toBeNull();
    expect(unread).toEqual(['timeout_rate']);
  });
});
