import { expect, it } from 'vitest';
import { drafted, ended, openLog, openQuestion, SYSTEM } from '../support/log.ts';

it('an event reaches who listens to its stream and who listens to all, and nobody once they left', () => {
  const log = openLog(':memory:', Date.now);
  const heard: string[] = [];
  const note = (who: string) =>
    log.subscribe(({ stream, event }) => heard.push(`${who} ${stream} ${event.kind}`), who);
  const leave = note('e1');
  note('e2');
  log.subscribe(({ stream }) => heard.push(`all ${stream}`));
  openQuestion(log, 'e1');
  heard.length = 0;

  log.append('e1', SYSTEM, drafted());
  leave();
  log.append('e1', SYSTEM, ended());

  expect(heard).toEqual(['all e1', 'e1 e1 advice.drafted', 'all e1']);
});

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
