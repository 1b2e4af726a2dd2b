// What the status line says. Pure.
import type { EpisodeRow } from '../../../shared/contract/rows.ts';
import type { ConnectionStatus } from '../../client/transport.ts';
import type { RecordSlice } from '../../state/store.ts';

type ConnectionLine = { tone: 'idle' | 'waiting' | 'error'; text: string };

/** How the line to main is doing. */
export function connectionLine(status: ConnectionStatus, now: number): ConnectionLine {
  switch (status.state) {
    case 'open':
      return { tone: 'idle', text: 'Connected' };
    case 'connecting':
      return { tone: 'waiting', text: 'Connecting' };
    case 'refused':
      return { tone: 'error', text: 'Refused' };
    case 'closed': {
      const left = Math.max(0, Math.ceil((status.retryAt - now) / 1000));
      return {
        tone: 'error',
        text: left === 0 ? 'No connection, trying' : `No connection, trying in ${String(left)} s`,
      };
    }
  }
}

/** How many of the rows go on: those that broke off with the program wait for a person's word. */
export const runningCount = (rows: Iterable<EpisodeRow>): number => {
  let running = 0;
  for (const row of rows) if (row.status !== 'ended' && row.broke_off === undefined) running += 1;
  return running;
};

/** When the oldest began to wait, question or stop; null when nothing waits. */
export function oldestWaiting({ items, holds }: Pick<RecordSlice['desk'], 'items' | 'holds'>): number | null {
  const since = [...items.map((item) => item.asked_at), ...holds.map((hold) => hold.since)];
  return since.length === 0 ? null : Math.min(...since);
}

/** Which models act here. */
export function modelLine(app: RecordSlice['app']): string {
  if (app === null) return '';
  const agent = app.agent_model === null ? 'Rehearsal agent, no model' : `Agent ${app.agent_model}`;
  return app.expert_model === null ? agent : `${agent} · drafts ${app.expert_model}`;
}

/** `0.4/s` while slow, whole numbers above. */
export const rateText = (perSecond: number): string =>
  `${perSecond > 0 && perSecond < 10 ? perSecond.toFixed(1) : String(Math.round(perSecond))} events/s`;

/** The window's title: what waits comes first, so that it shows in a narrow tab. */
export const titleText = (waiting: number, view: string, task: string | null = null): string =>
  `${waiting > 0 ? `(${String(waiting)}) ` : ''}${task === null ? '' : `${task} · `}${view} · Interject`;
