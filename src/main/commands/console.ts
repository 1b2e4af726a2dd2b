// Commands on the product itself: its version, long texts, settings.
import type { Caller, Handlers } from '../../shared/contract/contract.ts';
import { roleOf } from '../../shared/contract/roles.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { CameWith } from '../settings/cameWith.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { models } from '../../shared/contract/models.ts';
import { Failure } from '../../shared/failure.ts';
import { probeModel } from '../llm/probes.ts';
import type { Tokens } from '../llm/tokenCommand.ts';

type ConsoleDependencies = {
  log: EventLog;
  settings: SettingsStore;
  version: string;
  host: 'desktop' | 'browser';
  dataFolder: string;
  notices: () => string[];
  mayReview: (caller: Caller) => boolean;
  cameWith: CameWith;
  /** Tells who watches them that there are other environments. */
  environmentsChanged: () => void;
};
type ConsoleHandlers = Pick<Handlers, 'app.describe' | 'folder.settle' | 'text.read'>;

export function consoleCommands(parts: ConsoleDependencies): ConsoleHandlers {
  const { log, settings, dataFolder } = parts;
  return {
    'app.describe': async (_input, caller) => {
      const isOwner = roleOf(caller) === 'owner';
      const waiting = isOwner && caller.key === undefined ? parts.cameWith.list() : [];
      return {
        version: parts.version,
        host: parts.host,
        seat: caller.seat,
        role: roleOf(caller),
        data_folder: isOwner ? dataFolder : '',
        ...(isOwner ? { log_bytes: log.bytes() } : {}),
        agent_model: settings.model('agent')?.model ?? null,
        expert_model: settings.model('expert')?.model ?? null,
        notices: isOwner ? parts.notices() : [],
        cut_chars: settings.gateway().cut_chars,
        may_review: parts.mayReview(caller),
        ...(isGuideRequired(log, caller) ? { is_guide_required: true } : {}),
        // Named only where something waits, and to the owner alone.
        ...(waiting.length === 0 ? {} : { came_with: waiting }),
      };
    },
    'folder.settle': async ({ keep }) => {
      parts.cameWith.settle(keep);
      if (keep) {
        settings.configureGateway({});
        parts.environmentsChanged();
      }
      return {};
    },
    'text.read': async ({ sha256, offset, length }) => log.texts.stretch(sha256, offset, length),
  };
}

/** An invited seat is led through its first question once; the owner never has to be. */
const isGuideRequired = (log: EventLog, { seat, invite }: Caller): boolean =>
  invite !== undefined && !log.read(`seat/${seat}`).some(({ event }) => event.kind === 'guide.ended');

export type Requests = {
  /** Does the work; `giveUp` is aborted when the seat gives it up under that name. */
  run<T>(seat: string, id: string, work: (giveUp: AbortSignal) => Promise<T>): Promise<T>;
  handlers: Pick<Handlers, 'request.cancel'>;
};

export function createRequests(): Requests {
  const underWay = new Map<string, AbortController>();
  return {
    run: async (seat, id, work) => {
      const key = `${seat} ${id}`;
      const stop = new AbortController();
      underWay.set(key, stop);
      try {
        return await work(stop.signal);
      } finally {
        if (underWay.get(key) === stop) underWay.delete(key);
      }
    },
    handlers: {
      'request.cancel': async ({ id }, { seat }) => {
        underWay.get(`${seat} ${id}`)?.abort();
        return {};
      },
    },
  };
}

type ModelHandlers = Pick<Handlers, keyof typeof models>;

type ModelDependencies = { settings: SettingsStore; tokens: Tokens; requests: Requests };

export const modelCommands = ({ settings, tokens, requests }: ModelDependencies): ModelHandlers => ({
  'models.probe': async ({ role, profile, probe, id }, { seat }) => {
    const config = settings.model(role, profile);
    if (config === null) throw notConfigured(role);
    return requests.run(seat, id, (signal) => probeModel(probe, { config, tokens, signal }));
  },
});

const notConfigured = (role: 'agent' | 'expert'): Failure =>
  new Failure('model_not_configured', `no model is set for the ${role}`, {
    next: 'Set a base URL, a model name and a key, then try again.',
  });
