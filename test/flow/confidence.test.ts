import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Policy } from '../../src/main/agent/policy.ts';
import type { RunSpec } from '../../src/main/episode/stage.ts';
import type { EpisodeRecord } from '../../src/shared/episode/record.ts';
import { statedOutcome } from '../../src/shared/calibration.ts';
import { openProduct, removeFolder, startInput } from '../support/product.ts';
import { createFlow, serveEnvironment, spec } from '../support/flow.ts';

let environment: Awaited<ReturnType<typeof serveEnvironment>>;
beforeEach(async () => {
  environment = await serveEnvironment();
});
afterEach(() => environment.close());

const call = (content: string, id: number) => ({
  content,
  toolCalls: [{ id: `c${String(id)}`, name: 'rename_workflow', arguments: JSON.stringify({ id }) }],
});
/** Calls on 1, then on 2, then the final answer, each with how sure it is. */
const SURE = [
  call('<confidence>0.3</confidence>', 1),
  call('<confidence>0.9</confidence>', 2),
  { content: 'It is renamed. <confidence>70 %</confidence>', toolCalls: [] },
];

function start(over: Partial<RunSpec>) {
  const prompts: string[] = [];
  let turn = 0;
  const policy: Policy = {
    next: ({ messages }) => {
      prompts.push(messages.map(({ content }) => content).join('\n'));
      const said = SURE[Math.min(turn, SURE.length - 1)] ?? { content: '', toolCalls: [] };
      turn += 1;
      return Promise.resolve({ ...said, reasoning: null, model: 'm', stopReason: 'stop', usage: null });
    },
  };
  const flow = createFlow({ policy });
  const agent = { policy: 'chat' as const, protocol: 'native' as const, model: 'm' };
  const running = flow.supervisor.start(spec(environment.url, { agent, condition: 'none', ...over }));
  return { ...flow, ...running, prompts };
}
const statedIn = ({ turns }: EpisodeRecord): (number | undefined)[] =>
  turns.map(({ confidence }) => confidence);

describe('stated confidence', () => {
  it('is asked for in the prompt, kept with each move, and kept from tools and verifier', async () => {
    const { ended, prompts } = start({ confidence: { below: null, to: 'desk' } });
    const record = await ended;

    expect(prompts[0]).toContain('<confidence>0.8</confidence>');
    expect(statedIn(record)).toEqual([0.3, 0.9, 0.7]);
    expect(record.turns[2]).toMatchObject({ repairs: ['confidence_percent'] });
    expect(record.turns[2]?.content).toContain('<confidence>');
    expect(record.ended?.final_answer).toBe('It is renamed.');
    expect(record.started?.confidence).toEqual({ below: null, to: 'desk' });
    expect(statedOutcome(record)).toEqual({ stated: 0.7, isRight: true });
  });

  it('is not asked for, nor looked for, where the run does not want it', async () => {
    const { ended, prompts } = start({});
    const record = await ended;

    expect(prompts[0]).not.toContain('<confidence>');
    expect(statedIn(record)).toEqual([undefined, undefined, undefined]);
    expect(record.started).not.toHaveProperty('confidence');
  });

  it('below the limit holds the call for a person; a surer one goes', async () => {
    const { ended, id, log, desk } = start({ confidence: { below: 0.5, to: 'desk' } });
    const held = await new Promise<string>((resolve) => {
      const look = (): void => {
        const turn = log.record(id).turns.find((one) => one.call?.held && one.call.decision === null);
        if (turn?.callId) resolve(turn.callId);
      };
      log.subscribe(look);
      look();
    });
    expect(log.projections.holds(5).map(({ why }) => why)).toEqual([
      'the agent is unsure (30 % sure, below 50 %)',
    ]);
    desk.decideCall(
      id,
      { type: 'human', id: 'seat-one' },
      {
        kind: 'call.rejected',
        call: held,
        reason: 'It is the second.',
        seen_seq: log.record(id).seq,
        timing: { first_seen_at: null, active_ms: null },
        privilege: [],
      },
    );
    const record = await ended;

    expect(record.turns.map(({ call: made }) => made?.held?.why ?? null)).toEqual(['confidence', null, null]);
    expect(environment.calls.filter(({ tool }) => tool === 'rename_workflow')).toEqual([
      { tool: 'rename_workflow', args: { id: 2 } },
    ]);
  });

  it('below the limit asks the advisor instead, and the agent decides again', async () => {
    const { ended } = start({ condition: 'model', confidence: { below: 0.5, to: 'advisor' } });
    const record = await ended;
    const [asked] = record.consultations;

    expect(asked).toMatchObject({ trigger: 'confidence', answeredBy: 'model', turn: 1 });
    expect(asked?.question).toBe('30 % sure, below 50 % that this call is right: rename_workflow({"id":1})');
    expect(record.turns[0]?.call?.refused?.reason).toBe('confidence');
    const read = record.messages.find(({ origin }) => origin === 'advice');
    expect(read?.content).toContain('Your call was not made: you said you were 30 % sure');
    expect(record.counts.consultations).toBe(1);
    expect(environment.calls.filter(({ tool }) => tool === 'rename_workflow')).toHaveLength(1);
  });
});

describe('an advisor for unsure calls', () => {
  it('is refused where the condition has none', async () => {
    const product = await openProduct();
    const confidence = { below: 0.5, to: 'advisor' as const };
    const starting = product.as('seat-one')('episode.start', startInput({ condition: 'none', confidence }));

    await expect(starting).rejects.toThrow('unsure calls go to the advisor, and the condition none has none');
    await product.close();
    removeFolder(product.folder);
  });
});
