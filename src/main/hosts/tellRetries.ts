// What `interject run` tells of what is tried again: the start of an episode, and a model that could not be asked.
import type { EventLog } from '../log/eventLog.ts';
import type { CommandOutput } from './output.ts';

/** Watches the episodes of this command; returns its undo. */
export const tellRetries = (
  { log }: { log: Pick<EventLog, 'subscribe'> },
  output: CommandOutput,
): (() => void) =>
  log.subscribe(({ stream: episode, event }) => {
    if (event.kind === 'start.retried') {
      const { tries, retries, wait_ms, failure } = event;
      const { code, message, next } = failure;
      output.line({ type: 'retry', episode, tries, retries, wait_ms, code, message, next });
      output.say(`  ${message}; retry ${String(tries)} of ${String(retries)} in ${secondsText(wait_ms)} s`);
    }
    if (event.kind === 'model.failed' && event.retry_in_ms !== null) {
      const { turn, code, message, retry_in_ms: wait_ms } = event;
      output.line({ type: 'retry', episode, turn, wait_ms, code, message, next: null });
      output.say(`  ${message}; asked again in ${secondsText(wait_ms)} s`);
    }
  });

const secondsText = (ms: number): string => String(Math.round(ms / 100) / 10);
