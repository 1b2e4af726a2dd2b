// MCP sessions: whose they are, and which of their requests are under way, so that a client can cancel one.
import { randomUUID } from 'node:crypto';
import type { RequestId } from './protocol.ts';

export type McpSession = {
  id: string;
  /** Requests under way, and how to end each. */
  pending: Map<RequestId, () => void>;
};
export type McpSessions = {
  open(key: string): McpSession;
  /** The session of this key; null for one that is not there, or is another key's. */
  find(id: string, key: string): McpSession | null;
  end(id: string): void;
};

/** Beyond these the ones longest unused make place; their clients begin anew when they are told so. */
const SESSIONS_MAX = 2_000;

export function createMcpSessions(): McpSessions {
  const sessions = new Map<string, McpSession & { key: string }>();
  const end = (id: string): void => {
    const session = sessions.get(id);
    sessions.delete(id);
    for (const cancel of session?.pending.values() ?? []) cancel();
  };
  return {
    open: (key) => {
      const session = { id: randomUUID(), key, pending: new Map() };
      sessions.set(session.id, session);
      if (sessions.size > SESSIONS_MAX) {
        const idle = [...sessions.values()].find(({ pending }) => pending.size === 0);
        if (idle !== undefined) end(idle.id);
      }
      return session;
    },
    find: (id, key) => {
      const session = sessions.get(id);
      if (session === undefined || session.key !== key) return null;
      sessions.delete(id);
      sessions.set(id, session);
      return session;
    },
    end,
  };
}
