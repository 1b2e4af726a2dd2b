import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderToStaticMarkup } from 'react-dom/server';
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';
import {
  OUTCOME_KINDS,
  outcomeKind,
  outcomeOf,
  outcomeText,
  outcomeTextOf,
} from '../../src/shared/taskOutcome.ts';
import { OutcomeMark, OutcomeOrHidden } from '../../src/renderer/ui/OutcomeMark.tsx';

/**
 * Every label that the environment server, verifiers and judge of the Agent World Model give (openenv 0.3
 * `agent_world_model_env`: `awm_environment.py`, and the judge's instructions in `verifier.py`), and our sandbox's own.
 */
const LABELS = {
  complete: ['complete'],
  partly: ['incomplete'],
  failed: ['others', 'agent_error'],
  unknown: [
    'server_error',
    'judge_error',
    'no_verifier',
    'unknown',
    'reset_ok',
    'reset_warning',
    'reset_error',
    'tool_call_ok',
    'tool_not_found',
    'invalid_args',
    'invalid_action',
    'timeout',
    'episode_done',
    'episode_already_done',
  ],
} as const;

/** Labels that stand in tests and worlds as an environment's, wherever they were recorded. */
const recordedLabels = (): string[] => {
  const files = ['test', 'resources/worlds'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile() && /\.(?:ts|jsonl?)$/.test(file.name))
      .map((file) => join(file.parentPath, file.name)),
  );
  const found = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/reward_type\\?["']?: ?\\?["']([a-z_]+)\\?["']/g)].map(
      ([, label = '']) => label,
    ),
  );
  return [...new Set(found)];
};

describe('how a task went', () => {
  it('is told from the verifier’s label: what failed is not called unknown, and what nobody judged is not called failed', () => {
    for (const kind of OUTCOME_KINDS) {
      expect(LABELS[kind].map((label) => [label, outcomeKind(label)])).toEqual(
        LABELS[kind].map((label) => [label, kind]),
      );
    }
    expect(outcomeKind(null)).toBe('unknown');
    expect(outcomeKind('a label of somebody’s own')).toBe('unknown');
  });

  it('knows every label that was recorded anywhere in these tests', () => {
    const known = new Set<string>(Object.values(LABELS).flat());
    const labels = recordedLabels();
    expect(labels.length).toBeGreaterThan(10);
    expect(labels.filter((label) => !known.has(label))).toEqual([]);
  });

  it('reads as one word with the verifier’s own label beside it', () => {
    expect(
      ['complete', 'incomplete', 'others', 'agent_error', 'judge_error', null].map((label) =>
        outcomeText(outcomeOf(label)),
      ),
    ).toEqual([
      'Complete',
      'Partly complete (verifier: incomplete)',
      'Failed',
      'Failed (verifier: agent error)',
      'Unknown (verifier: judge error)',
      'No verdict',
    ]);
    expect(outcomeText(outcomeOf('others', 0))).toBe('Failed (reward 0)');
    expect(outcomeText(outcomeOf(null, 0.5))).toBe('Reward only (reward 0.5)');
    expect(outcomeText(outcomeOf('complete', 0.98765))).toBe('Complete (reward 0.988)');
    expect(outcomeTextOf('others')).toBe('failed');
  });

  it('is marked by an icon and a word of its own, and hidden from a seat that is not to know', () => {
    const marks = OUTCOME_KINDS.map((kind) =>
      renderToStaticMarkup(createElement(OutcomeMark, { outcome: outcomeOf(LABELS[kind][0]) })),
    );
    expect(marks.map((mark) => mark.match(/lucide-([a-z-]+)/)?.[1])).toEqual([
      'circle-check',
      'contrast',
      'circle-x',
      'circle-minus',
    ]);
    expect(renderToStaticMarkup(createElement(OutcomeOrHidden, { outcome: 'hidden' }))).toMatch(
      />Outcome hidden</,
    );
    expect(renderToStaticMarkup(createElement(OutcomeOrHidden, { outcome: null }))).toBe('');
  });
});
