import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Policy } from '../../src/main/agent/policy.ts';
import type { Llm } from '../../src/main/llm/port.ts';
import { createAdviceTally } from '../../src/main/hosts/runReport.ts';
import { createExpertFigures } from '../../src/shared/experts/figures.ts';
import { Failure } from '../../src/shared/failure.ts';
import { modelsByProfile, ROSTER } from '../support/experts.ts';
import { createFlow, serveEnvironment, spec } from '../support/flow.ts';

let environment: Awaited<ReturnType<typeof serveEnvironment>>;
beforeAll(async () => {
  environment = await serveEnvironment();
});
afterAll(() => environment.close());

const AWAY: Llm = {
  model: 'away',
  complete: () => Promise.reject(new Failure('model_unavailable', 'the model cannot be reached')),
};

/** An episode whose agent asks once, then answers. */
function play(models: (profile?: string) => Llm) {
  let turn = 0;
  const policy: Policy = {
    next: () => {
      turn += 1;
      const asks = { id: 'c', name: 'ask_expert', arguments: '{"task":"Rename it.","context":"Which?"}' };
      const said = turn === 1 ? { content: '', toolCalls: [asks] } : { content: 'Done.', toolCalls: [] };
      return Promise.resolve({ ...said, reasoning: null, model: 'm', stopReason: 'stop', usage: null });
    },
  };
  const flow = createFlow({ policy, models });
  const agent = { policy: 'chat' as const, protocol: 'native' as const, model: 'm' };
  return flow.supervisor.start(spec(environment.url, { agent, condition: 'model', experts: ROSTER })).ended;
}

describe('the end of a run', () => {
  it('says how many questions got no advice, whose expert failed, and why; nothing where all got some', async () => {
    const lines: string[] = [];
    const output = { say: (line: string) => void lines.push(line) } as never;
    const helped = createAdviceTally();
    const good = await play(modelsByProfile());
    helped.add(good);
    helped.tell(output);
    expect(good.consultations).toHaveLength(1);
    expect(lines).toEqual([]);

    const tally = createAdviceTally();
    for (const record of [good, await play(() => AWAY), await play(() => AWAY)]) tally.add(record);
    tally.tell(output);
    expect(lines).toEqual([
      '2 of 3 questions got no advice:',
      expect.stringMatching(/^ {2}2: \w+ failed: .*the model cannot be reached/),
    ]);
  });
});

describe('figures of an expert', () => {
  it('stay one line when the roster writes its name in another case', async () => {
    const record = await play(modelsByProfile());
    const asked = record.consultations[0]?.routed?.expert ?? '';
    const figures = createExpertFigures();
    figures.add(record);
    expect(figures.all([asked.toUpperCase()])).toMatchObject([{ expert: asked.toUpperCase(), asked: 1 }]);
  });
});
