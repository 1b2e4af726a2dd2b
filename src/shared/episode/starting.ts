// The wait of an episode for its environment: what for, since when, and until when. Pure.
import { kindOf } from '../environmentKinds.ts';
import type { EnvironmentSpec } from '../events/lifecycle.ts';
import type { EpisodeRecord } from './record.ts';

export type Starting = {
  awaits: 'connection' | 'reset' | 'retry';
  /** The server's host, or the environment's name where its address has none. */
  host: string;
  since: number;
  /** How long it may take; null where that is not known. */
  limitMs: number | null;
  /** Someone has cancelled it. */
  isStopping: boolean;
};

/** Null for an episode that is ready or over, and for a client's: its resets are the client's own. */
export function startingOf(record: EpisodeRecord): Starting | null {
  const { started, ended, reset, timeline, startedAt } = record;
  if (started === null || started.source !== 'run' || reset !== null || ended !== null) return null;
  const facts = {
    host: hostOf(started.environment),
    isStopping: timeline.some(({ type }) => type === 'stop_requested'),
  };
  for (const item of timeline.toReversed()) {
    if (item.type === 'start_retried')
      return { ...facts, awaits: 'retry', since: item.at, limitMs: item.waitMs };
    if (item.type === 'connection' && item.state === 'open')
      return { ...facts, awaits: 'reset', since: item.at, limitMs: item.reset_limit_ms ?? null };
  }
  return { ...facts, awaits: 'connection', since: startedAt ?? 0, limitMs: null };
}

/** `Waiting for 127.0.0.1:8000 to reset` and `42 s of 330 s`. */
export function startingText(starting: Starting, now: number): { label: string; detail: string } {
  const { awaits, host, since, limitMs } = starting;
  const elapsed = `${String(Math.max(0, Math.floor((now - since) / 1000)))} s`;
  const detail = limitMs === null ? elapsed : `${elapsed} of ${String(Math.round(limitMs / 1000))} s`;
  switch (awaits) {
    case 'connection':
      return { label: `Connecting to ${host}`, detail };
    case 'reset':
      return { label: `Waiting for ${host} to reset`, detail };
    case 'retry':
      return { label: `Waiting to try ${host} again`, detail };
  }
}

function hostOf(environment: EnvironmentSpec): string {
  const { name, url } = environment;
  const host = kindOf(environment).isPartOfProduct ? '' : (URL.parse(url)?.host ?? '');
  return host === '' ? name : host;
}
