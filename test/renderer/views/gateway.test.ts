import { describe, expect, it } from 'vitest';
import type { EpisodeRow } from '../../../src/shared/contract/rows.ts';
import { doorText } from '../../../src/renderer/parts/advice/Question.tsx';
import { readRequest, uncovered } from '../../../src/renderer/parts/advice/ClientRequest.tsx';
import { cutText } from '../../../src/renderer/parts/advice/Problems.tsx';
import { addressesFor } from '../../../src/renderer/views/connect/address.ts';
import { coveredCode, remoteSnippets } from '../../../src/renderer/views/connect/snippets.ts';
import {
  againstMean,
  groupName,
  groupSummary,
  mergedRows,
} from '../../../src/renderer/views/groups/groupModel.ts';
import { wholeIn } from '../../../src/renderer/views/settings/CreateKey.tsx';
import { keyNoteText } from '../../../src/renderer/views/settings/Keys.tsx';

const known = {
  url: 'http://127.0.0.1:4747',
  expert: 'http://127.0.0.1:4747/v1',
  mcp: null,
  tap: 'http://127.0.0.1:4748/t',
  agent: 'http://127.0.0.1:4747/agent/v1',
};

describe('the addresses a reader is given', () => {
  it('are main’s own for a window, and for a page under another name of this machine', () => {
    expect(addressesFor(known, null).tap).toBe('http://127.0.0.1:4748/t');
    expect(addressesFor(known, 'http://localhost:4747').base).toBe('http://127.0.0.1:4747');
  });

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
  const row = (id: string, over: Partial<EpisodeRow> = {}): EpisodeRow =>
    ({
      id,
      group: 'g',
      seq: 1,
      started_at: 1,
      status: 'ended',
      reward: 0,
      reward_type: null,
      touched: 0,
      ...over,
    }) as EpisodeRow;

  it('takes in what has come since it was read, and nothing of another group', () => {
    const later = new Map([
      ['a', row('a', { seq: 5, reward: 1 })],
      ['b', row('b', { started_at: 0 })],
      ['c', row('c', { group: 'other' })],
    ]);

    expect(mergedRows('g', [row('a')], later).map(({ id, reward }) => [id, reward])).toEqual([
      ['b', 0],
      ['a', 1],
    ]);
  });

  it('says its mean and spread, and when a trainer can learn nothing from it', () => {
    expect(groupSummary([row('a', { reward: 1, reward_type: 'complete' }), row('b')])).toMatchObject({
      size: 2,
      completed: 1,
      mean: 0.5,
      min: 0,
      max: 1,
      isFlat: false,
    });
    expect(groupSummary([row('a'), row('b')]).isFlat).toBe(true);
    expect(groupSummary([row('a'), row('b', { reward: null, status: 'running' })]).isFlat).toBe(false);
    expect([againstMean(1, 0.5), againstMean(0, 0.5), againstMean(0, 0), againstMean(null, 1)]).toEqual([
      '+0.5',
      '−0.5',
      'equal to the mean',
      '',
    ]);
  });
});

describe('a group', () => {
  it('is called by what its rollouts do and the name its trainer gave it, an id of our own by nothing', () => {
    const row = { scenario: 's', task_idx: 3 };
    expect(groupName({ ...row, group: 'grpo-7 · step 12 · task-3' })).toBe(
      's #3 · grpo-7 · step 12 · task-3',
    );
    expect(groupName({ ...row, group: '1m81g63kkc19qqrg83x' })).toBe('s #3');
    expect(groupName({ scenario: null, task_idx: null, group: 'g' })).toBe('unknown scenario · g');
  });
});

describe('a client’s question', () => {
  it('says which episode it is of, or why none', () => {
    const none = { by: 'none' as const, score: 0 };

    expect(doorText({ via: 'loop', link: null })).toBeNull();
    expect(doorText({ via: 'mcp', link: none })).toBe('Asked over MCP. Not linked to an episode');
    expect(doorText({ via: 'mcp', link: { ...none, why: 'ambiguous' } })).toBe(
      'Asked over MCP. Not linked to an episode: several episodes have its name at the same time',
    );
    expect(doorText({ via: 'mcp', link: { by: 'only_live', score: 1 } })).toContain('so it makes no rows');
    expect(doorText({ via: 'chat_completions', link: { by: 'header', score: 1 } })).toBe(
      'Asked as a model in this episode',
    );
  });

  it('reads as its messages and tools, with what was covered put back as it was written', () => {
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

  it('counts against the cut that its client makes', () => {
    expect(cutText(10, null)).toBeNull();
    expect(cutText(2999, 3000)).toEqual({
      text: '2,999 of 3,000 characters kept by the client',
      isOver: false,
    });
    expect(cutText(3010, 3000)?.text).toBe('3,010 of 3,000 characters: the client drops the last 10');
  });
});

describe('the record of use', () => {
  it('reads as who did what where', () => {
    const note = {
      at: 0,
      key: 'k',
      name: 'cluster',
      door: 'expert' as const,
      what: 'used' as const,
      times: 3,
    };

    expect(keyNoteText(note)).toBe('“cluster” used the expert, 3 times');
    expect(keyNoteText({ ...note, key: null, name: null, what: 'wrong_key', times: 1 })).toBe(
      'Someone used an unknown key (the expert)',
    );
    expect([wholeIn(' '), wholeIn('12'), wholeIn('0'), wholeIn('x')]).toEqual([
      null,
      12,
      undefined,
      undefined,
    ]);
  });
});
