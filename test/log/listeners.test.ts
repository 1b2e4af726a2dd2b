import { expect, it } from 'vitest';
import { drafted, openLog, openQuestion, SYSTEM } from '../support/log.ts';

it('whoever listens to a stream for one event and leaves does not keep others from hearing of it', () => {
  const log = openLog(':memory:', Date.now);
  const heard: string[] = [];
  const leave = log.subscribe(() => {
    heard.push('first');
    leave();
  }, 'e1');
  log.subscribe(() => heard.push('second'), 'e1');
  openQuestion(log, 'e1');
  log.append('e1', SYSTEM, drafted());

  expect(heard.filter((who) => who === 'first')).toHaveLength(1);
  expect(heard.filter((who) => who === 'second').length).toBeGreaterThan(1);
});
