import { describe, expect, it } from 'vitest';
import { readRequest, uncovered } from '../../../src/renderer/parts/advice/ClientRequest.tsx';
import { addressesFor } from '../../../src/renderer/views/connect/address.ts';
import { coveredCode, remoteSnippets } from '../../../src/renderer/views/connect/snippets.ts';

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

describe('a client’s question', () => {
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
});
