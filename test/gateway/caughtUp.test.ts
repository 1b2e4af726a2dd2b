// When it may be said that the log has everything the tap told its clients: a scripted link, log and clock.
import { describe, expect, it } from 'vitest';
import { createCaughtUp, tapMark } from '../../src/main/gateway/tap/recorder.ts';
import type { ToTap } from '../../src/main/gateway/tap/linkProtocol.ts';
import type { TapLink } from '../../src/main/gateway/tap/tapLink.ts';
import { createClock } from '../support/log.ts';

function open() {
  const clock = createClock();
  const marks = new Map<string, number>();
  const caughtUp = createCaughtUp({
    log: { mark: (name) => marks.get(name) ?? 0 },
    schedule: clock.schedule,
  });
  const pinged: number[] = [];
  const attach = (run: string): void => {
    const link = {
      hello: { run } as TapLink['hello'],
      send: (message: ToTap) => void (message.type === 'ping' && pinged.push(message.id)),
    };
    caughtUp.attached({ link, recorder: { writeSome: () => false } });
  };
  const commit = (run: string, seq: number): void => {
    marks.set(tapMark(run), seq);
    caughtUp.committed();
  };
  return { clock, caughtUp, pinged, attach, commit };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('whether the log has what the tap told its clients', () => {
  it('is said once the last record of that moment is in, not before', async () => {
    const { caughtUp, pinged, attach, commit } = open();
    attach('a');
    let said: boolean | null = null;
    void caughtUp.recorded().then((is) => (said = is));
    caughtUp.ponged(pinged[0] ?? 0, 7);
    await settle();
    commit('a', 6);
    await settle();
    expect(said).toBeNull();

    commit('a', 7);
    await settle();
    expect(said).toBe(true);
  });

  it('waits for the process that takes the place of one that died, and for what that one left', async () => {
    const { caughtUp, pinged, attach } = open();
    attach('a');
    const said = caughtUp.recorded();
    caughtUp.detached();
    await settle();
    attach('b');
    await settle();
    caughtUp.ponged(pinged.at(-1) ?? 0, 0);

    expect(await said).toBe(true);
  });

  it.each([
    ['the tap does not answer', () => undefined],
    [
      'the log takes nothing',
      ({ caughtUp, pinged }: ReturnType<typeof open>) => caughtUp.ponged(pinged[0] ?? 0, 7),
    ],
    ['the tap is gone', ({ caughtUp }: ReturnType<typeof open>) => caughtUp.detached()],
  ])('is denied after four seconds where %s', async (_why, happens) => {
    const scene = open();
    scene.attach('a');
    const said = scene.caughtUp.recorded();
    happens(scene);
    await settle();
    scene.clock.advance(4_000);

    expect(await said).toBe(false);
  });
});
