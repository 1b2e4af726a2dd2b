import { describe, expect, it } from 'vitest';
import type { GroupRow } from '../../../src/shared/contract/gateway.ts';
import { readRequest, uncovered } from '../../../src/renderer/parts/advice/ClientRequest.tsx';
import { addressesFor } from '../../../src/renderer/views/setup/address.ts';
import { coveredCode, remoteSnippets } from '../../../src/renderer/views/setup/snippets.ts';
import { groupFigures } from '../../../src/renderer/views/episodes/GroupList.tsx';

const known = {
  url: 'http://127.0.0.1:4747',
  expert: 'http://127.0.0.1:4747/v1',
  mcp: null,
  tap: 'http://127.0.0.1:4748/t',
  agent: 'http://127.0.0.1:4747/agent/v1',
};

describe('the addresses a reader is given', () => {
  it('are the tunnel’s for a page that came through one, the tap included', () => {
    const at = addressesFor(known, 'http://127.0.0.1:9000');

    expect([at.expert, at.tap]).toEqual(['http://127.0.0.1:9000/v1', 'http://127.0.0.1:9000/t']);
    expect(remoteSnippets(at.base)[0]?.code).toContain('-L 9000:127.0.0.1:9000');
  });

  it('all come through the tunnel that is printed for another computer, the tap’s own port too', () => {
    const at = addressesFor(known, null);
    expect(remoteSnippets(at.base, at.tap).map(({ code }) => code)).toEqual([
      'ssh -N -L 4747:127.0.0.1:4747 -L 4748:127.0.0.1:4748 THIS-HOST',
      'ssh -N -R 4747:127.0.0.1:4747 -R 4748:127.0.0.1:4748 CLUSTER-HOST',
    ]);
  });

  it('hide the keys they need, however often they stand there', () => {
    expect(coveredCode('a KEY b KEY', ['KEY', ''])).toBe('a •••••••••••• b ••••••••••••');
  });
});

describe('a group', () => {
  const row = {
    group: 'g',
    run: null,
    step: null,
    scenario: 's',
    task_idx: 3,
    task: null,
    conditions: [],
    size: 2,
    ended: 2,
    completed: 1,
    reward_mean: 0.5,
    reward_min: 0,
    reward_max: 1,
    started_at: 1,
  } satisfies GroupRow;

  it('says its mean and spread, and when a trainer can learn nothing from it', () => {
    expect(groupFigures(row)).toBe('1 complete · mean reward 0.5, from 0 to 1');
    const flat = { ...row, completed: 0, reward_mean: 0, reward_max: 0 };
    expect(groupFigures(flat)).toContain('reward 0 of all, so a trainer that compares them learns nothing');
    expect(groupFigures({ ...flat, ended: 1 })).toBe('1 running · 0 complete · reward 0');
    expect(groupFigures({ ...row, reward_mean: null, reward_min: null, reward_max: null })).toContain(
      'no reward yet',
    );
  });
});

it('a client’s question reads as its messages and tools, with what was covered put back as it was written', () => {
  const mark = '⟦covered⟧';
  const json = JSON.stringify({
    messages: [{ role: 'user', content: `a ${mark} b` }],
    tools: ['t'],
    model: 'm',
  });
  const start = json.indexOf(mark);
  const whole = uncovered(json, [{ start, end: start + mark.length, text: 'say "x"\nand y' }]);

  expect(readRequest(json).messages).toEqual([{ role: 'user', text: `a ${mark} b` }]);
  expect(readRequest(whole)).toEqual({
    messages: [{ role: 'user', text: 'a say "x"\nand y b' }],
    tools: ['t'],
    rest: '{\n  "model": "m"\n}',
  });
  expect(readRequest('no json').rest).toBe('no json');
});
