// What a command tells of what is tried again: the start of an episode, and a model that could not be asked.
import type { Recorded } from '../../shared/events/vocabulary.ts';
import type { CommandOutput } from './output.ts';

/** Says it of an event that tells of it; nothing of any other. */
export function tellRetry(
  { stream: episode, event }: Recorded,
  output: Pick<CommandOutput, 'line' | 'say'>,
): void {
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
}

const secondsText = (ms: number): string => String(Math.round(ms / 100) / 10);
