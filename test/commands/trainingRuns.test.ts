// A training run read from its episodes while they are played: what counts, and what does not count yet.
import { expect, it } from 'vitest';
import { rewardPoints } from '../../src/figures/runSeries.ts';
import { AGENT, ENVIRONMENT } from '../../src/shared/events/actor.ts';
import { ended, reset, started, SYSTEM } from '../support/log.ts';
import { type Product } from '../support/product.ts';
import { productPerTest } from '../support/productPerTest.ts';

let product: Product;
productPerTest((opened) => (product = opened));

/** A rollout of a trainer, with a call that states how sure the agent is. */
function play(id: string, step: number): void {
  const trainer = { run: 'grpo', step, checkpoint: null, episode: null };
  product.log.append(id, SYSTEM, started({ condition: 'none', group: `g${String(step)}`, trainer }));
  product.log.append(id, SYSTEM, reset());
  product.log.append(id, AGENT, {
    kind: 'turn.generated',
    turn: 1,
    content: 'I am sure.',
    reasoning: null,
    tool_calls: [],
    model: null,
    stop_reason: null,
    usage: null,
    latency_ms: 1,
  });
  product.log.append(id, AGENT, {
    kind: 'move.proposed',
    turn: 1,
    call: 'k1',
    move: { type: 'final', text: 'Done.' },
    repairs: [],
    ignored_calls: 0,
    confidence: 0.9,
  });
}

function judge(id: string, label: 'complete' | 'incomplete', reward: number): void {
  product.log.append(id, ENVIRONMENT, {
    kind: 'verifier.ran',
    verifier_mode: 'code',
    final_answer: 'Done.',
    frame: '{}',
    reward_type: label,
    reward,
    verify_result: null,
    error: null,
    latency_ms: 1,
  });
  product.log.append(id, SYSTEM, ended({ reward_type: label, reward }));
}

const read = async () => (await product.as('seat-one')('training.read', { run: 'grpo' })).run;

it('counts a step’s rewards as they come, and gives no interval for one of them', async () => {
  for (const id of ['a', 'b', 'c']) play(id, 1);
  judge('a', 'complete', 1);
  const first = (await read()).steps;
  expect(first).toMatchObject([
    { step: 1, rollouts: 3, rewarded: 1, judged: 1, completed: 1, flat_groups: 0 },
  ]);
  expect(rewardPoints(first)).toEqual([{ x: 1, y: 1 }]);

  judge('b', 'complete', 1);
  judge('c', 'complete', 1);
  play('d', 2);
  const { steps } = await read();
  expect(steps).toMatchObject([
    { step: 1, rewarded: 3, completed: 3, groups: 1, flat_groups: 1, reward_sd: 0 },
    { step: 2, rollouts: 1, rewarded: 0, reward: null },
  ]);
  expect(rewardPoints(steps)).toMatchObject([{ x: 1, y: 1, isHollow: true }]);
});
