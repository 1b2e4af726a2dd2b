// A log with answered, declined and unanswered asks, and exporting it to a folder.
import { writeExport, type WriteRequest } from '../../src/main/dataset/export/runExport.ts';
import { attachAnswers } from '../../src/main/desk/scriptedAnswers.ts';
import type { EventLog } from '../../src/main/log/eventLog.ts';
import { createFlow, spec, type serveEnvironment } from './flow.ts';
import { rulesOf } from './exporting.ts';

export const GOOD = 'rename_workflow({"id": 2})';

/** A log with one edited answer that completed, one accepted wrong draft, one decline, one timeout. */
export async function exampleLog(
  environment: Awaited<ReturnType<typeof serveEnvironment>>,
  protocol: 'native' | 'xml' = 'native',
) {
  const { log, desk, supervisor } = createFlow({ places: 1 });
  const agent = { policy: 'rehearsal' as const, protocol, model: null };
  const run = async (line: Parameters<typeof attachAnswers>[1][number] | null): Promise<string> => {
    const undo = attachAnswers({ log, desk }, line === null ? [] : [line]);
    const { id, ended } = supervisor.start(spec(environment.url, { agent, fallback: 'proceed' }));
    await ended;
    undo();
    return id;
  };
  const edited = await run({ ask: 1, do: 'send', text: GOOD });
  environment.calls.length = 0;
  await run({ ask: 1, do: 'accept' });
  await run({ ask: 1, do: 'decline', reason: 'no' });
  await run(null);
  return { log, edited };
}

export const HOOKS = { signal: new AbortController().signal, onProgress: () => undefined };

export const write = (log: EventLog, folder: string, over: Partial<WriteRequest> = {}) =>
  writeExport(
    log,
    {
      format: 'sft',
      rules: rulesOf(),
      files: 'jsonl',
      kit: null,
      despite: [],
      folder,
      isForced: false,
      ...over,
    },
    HOOKS,
  );
