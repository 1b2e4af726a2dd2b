import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLeakMeter } from '../../src/main/advisor/leakMeter.ts';
import { SYSTEM } from '../../src/shared/events/actor.ts';
import { ended, openLog, openQuestion } from '../support/log.ts';

let log: ReturnType<typeof openLog>;
beforeEach(() => {
  log = openLog();
});
afterEach(() => log.close());

describe('what the leak meter learnt of an episode’s task', () => {
  it('is measured while the episode runs, and forgotten with its end', () => {
    openQuestion(log);
    const meter = createLeakMeter(log, () => null);
    const measure = () => meter('e1', 'e1:c1', 'Pay invoice INV-4711.');
    expect(measure()).toBeNull();

    meter.learn?.('e1', ['The verifier compares "INV-4711".']);
    expect(measure()).toMatchObject({ count: 1, values: ['INV-4711'] });

    log.append('e1', SYSTEM, ended());
    expect(measure()).toBeNull();
  });

  it('is not kept of an episode that is over already', () => {
    openQuestion(log);
    log.append('e1', SYSTEM, ended());
    const meter = createLeakMeter(log, () => null);
    meter.learn?.('e1', ['The verifier compares "INV-4711".']);

    expect(meter('e1', 'e1:c1', 'Pay invoice INV-4711.')).toBeNull();
  });
});
