import { describe, expect, it } from 'vitest';
import type { Bridge, BridgeNews } from '../../../src/shared/contract/bridge.ts';
import type { Push, Topic } from '../../../src/shared/contract/envelope.ts';
import { createBridgeTransport, findBridge } from '../../../src/renderer/client/bridge.ts';

type Watch = { topic: Topic; tell: (news: BridgeNews) => void; isEnded: boolean };

function scriptedBridge(reply: unknown): { bridge: Bridge; watches: Watch[] } {
  const watches: Watch[] = [];
  const bridge: Bridge = {
    request: () => Promise.resolve(JSON.stringify(reply)),
    subscribe: (topic, _seat, tell) => {
      const watch: Watch = { topic, tell: (news) => tell(JSON.stringify(news)), isEnded: false };
      watches.push(watch);
      return () => {
        watch.isEnded = true;
      };
    },
  };
  return { bridge, watches };
}

describe('the desktop wire', () => {
  it('is found only where the preload put it', () => {
    const { bridge } = scriptedBridge(null);

    expect(findBridge({ interject: bridge })).toBe(bridge);
    expect(findBridge({ interject: { request: () => null } })).toBeNull();
    expect(findBridge({})).toBeNull();
  });

  it('turns a failure value back into a failure with code and next step', async () => {
    const failure = { code: 'stale', message: 'it changed', next: 'look again' };
    const transport = createBridgeTransport(scriptedBridge({ ok: false, failure }).bridge, 'seat-1');

    await expect(transport.call('app.describe', {})).rejects.toMatchObject(failure);
  });

  it('goes on from the last event when main says that news was missed', () => {
    const { bridge, watches } = scriptedBridge(null);
    const heard: Push[] = [];
    createBridgeTransport(bridge, 'seat-1').subscribe({ topic: 'episode', episode: 'e1', after: 7 }, (push) =>
      heard.push(push),
    );

    watches[0]?.tell({ type: 'push', push: { topic: 'refetch' } });

    expect(watches.map(({ topic, isEnded }) => ({ topic, isEnded }))).toEqual([
      { topic: { topic: 'episode', episode: 'e1', after: 7 }, isEnded: true },
      { topic: { topic: 'episode', episode: 'e1', after: 7 }, isEnded: false },
    ]);
    expect(heard).toEqual([{ topic: 'refetch' }]);
  });
});
