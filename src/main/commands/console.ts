// What the console asks about the product itself: what it is, long texts, settings.
import type { Caller, Handlers } from '../../shared/contract/contract.ts';
import { roleOf } from '../../shared/contract/roles.ts';
import { failureShape } from '../../shared/failure.ts';
import type { Llm } from '../llm/port.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { CameWith } from '../settings/cameWith.ts';
import { notConfigured } from './models.ts';
import type { SettingsStore } from '../settings/settings.ts';

type ConsoleDependencies = {
  log: EventLog;
  settings: SettingsStore;
  version: string;
  host: 'desktop' | 'browser';
  dataFolder: string;
  notices: () => string[];
  llm: (role: 'agent' | 'expert') => Llm | null;
  mayReview: (caller: Caller) => boolean;
  cameWith: CameWith;
  /** Tells who watches them that there are other environments. */
  environmentsChanged: () => void;
};
type ConsoleHandlers = Pick<Handlers, 'app.describe' | 'folder.settle' | 'text.read' | 'settings.try_model'>;

export function consoleCommands(parts: ConsoleDependencies): ConsoleHandlers {
  const { log, settings, dataFolder } = parts;
  return {
    'app.describe': async (_input, caller) => ({
      version: parts.version,
      host: parts.host,
      seat: caller.seat,
      role: roleOf(caller),
      data_folder: roleOf(caller) === 'owner' ? dataFolder : '',
      ...(roleOf(caller) === 'owner' ? { log_bytes: log.bytes() } : {}),
      agent_model: settings.model('agent')?.model ?? null,
      expert_model: settings.model('expert')?.model ?? null,
      notices: roleOf(caller) === 'owner' ? parts.notices() : [],
      cut_chars: settings.gateway().cut_chars,
      may_review: parts.mayReview(caller),
      ...cameWithOf(parts, caller),
    }),
    'folder.settle': async ({ keep }) => {
      parts.cameWith.settle(keep);
      if (keep) {
        settings.configureGateway({});
        parts.environmentsChanged();
      }
      return {};
    },
    'text.read': async ({ sha256, offset, length }) => log.texts.stretch(sha256, offset, length),
    'settings.try_model': async ({ role }) => tryModel(parts.llm(role), role),
  };
}

/** Named only where something waits, and to the owner alone. */
function cameWithOf({ cameWith }: ConsoleDependencies, caller: Caller): { came_with?: string[] } {
  const list = roleOf(caller) === 'owner' && caller.key === undefined ? cameWith.list() : [];
  return list.length === 0 ? {} : { came_with: list };
}

async function tryModel(llm: Llm | null, role: 'agent' | 'expert') {
  const startedAt = performance.now();
  const took = (): number => performance.now() - startedAt;
  if (llm === null) {
    return { ok: false, model: null, latency_ms: took(), failure: failureShape(notConfigured(role)) };
  }
  try {
    const { model } = await llm.complete(
      {
        messages: [{ role: 'user', content: 'Answer with the word ready.' }],
        tools: null,
        maxOutputTokens: null,
        temperature: null,
        seed: null,
      },
      AbortSignal.timeout(30_000),
    );
    return { ok: true, model, latency_ms: took(), failure: null };
  } catch (thrown) {
    return { ok: false, model: llm.model, latency_ms: took(), failure: failureShape(thrown) };
  }
}
