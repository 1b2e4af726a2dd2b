import { describe, expect, it } from 'vitest';
import { decideStep, FIRST_STATE } from '../../../src/shared/curriculum/decide.ts';
import type { CurriculumInputs } from '../../../src/shared/curriculum/plan.ts';
import type { Rollout } from '../../../src/shared/curriculum/rollout.ts';
import { changedSettings, CURRICULUM_DEFAULTS } from '../../../src/shared/curriculum/settings.ts';
import { PUBLIC_EXAMPLE } from '../../../src/shared/training/publicExample.ts';
import { rolloutsOf } from './planted.ts';

const inputsOf = (
  step: number,
  rollouts: Rollout[],
  more: Partial<CurriculumInputs> = {},
): CurriculumInputs => ({
  step,
  group: 8,
  told: {},
  rollouts,
  ...more,
});

describe('a decision for one step', () => {
  it('takes the phases of the published run from its told rates, and splits a group of eight as the recipe does', () => {
    const settings = changedSettings(CURRICULUM_DEFAULTS, {
      phases: {
        signals: [{ signal: 'format_error_rate', scaffold: 0.7, independence: 0.4, hysteresis: 0, dwell: 1 }],
      },
    });
    let state = FIRST_STATE;
    const splits = PUBLIC_EXAMPLE.steps.map(({ step, format_error_rate }) => {
      const next = decideStep(state, inputsOf(step + 1, [], { told: { format_error_rate } }), [], settings);
      state = next.state;
      return `${String(next.plan.split.expert)}:${String(next.plan.split.solo)}`;
    });
    expect(splits.slice(0, 9)).toEqual(Array(9).fill('6:2'));
    expect(splits.slice(9, 27)).toEqual(Array(18).fill('4:4'));
    expect(splits.slice(27)).toEqual(['2:6', '2:6']);
  });

  it('says that the deviation of two rollouts is no scale, and that of four is', () => {
    const plan = (told: number) =>
      decideStep(FIRST_STATE, inputsOf(1, [], { told: { format_error_rate: told } }), [], {
        ...CURRICULUM_DEFAULTS,
        phases: {
          ...CURRICULUM_DEFAULTS.phases,
          signals: CURRICULUM_DEFAULTS.phases.signals.map((rule) => ({ ...rule, dwell: 1 })),
        },
      }).plan;
    expect(plan(0.9)).toMatchObject({ split: { expert: 6, solo: 2 }, divide_by_deviation: false });
    expect(plan(0.5)).toMatchObject({ split: { expert: 4, solo: 4 }, divide_by_deviation: true });
  });

  it('follows the signal that asks for the most help', () => {
    const settings = changedSettings(CURRICULUM_DEFAULTS, {
      phases: {
        signals: [
          { signal: 'format_error_rate', scaffold: 0.7, independence: 0.4, hysteresis: 0, dwell: 1 },
          { signal: 'solo_completion', scaffold: 0.1, independence: 0.4, hysteresis: 0, dwell: 1 },
        ],
      },
    });
    const phase = (completed: number) =>
      decideStep(FIRST_STATE, inputsOf(2, rolloutsOf(completed, 20)), [], settings).plan;
    expect(phase(1).phase).toBe('scaffold');
    expect(phase(4).phase).toBe('balanced');
    expect(phase(18).phase).toBe('independence');
    expect(phase(18).signals.map(({ signal, rate }) => [signal, rate])).toEqual([
      ['format_error_rate', 0],
      ['solo_completion', 0.9],
    ]);
  });

  it('counts no rollout of an evaluation', () => {
    const task = { scenario: 'planted', task_idx: 0, difficulty: null };
    const { plan } = decideStep(
      FIRST_STATE,
      inputsOf(2, rolloutsOf(8, 8, { arm: 'evaluation' })),
      [task],
      CURRICULUM_DEFAULTS,
    );
    expect(plan.signals[0]).toMatchObject({ rate: null, reason: 'not_measured' });
    expect(plan.tasks[0]).toMatchObject({ of: 0, has_expert: true });
  });
});
