// The settings of each command of the command line, and what it began: its models, split and answers hold for that
// alone, and what has not ended is stopped when the command leaves.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { AnswerLine } from '../../shared/answerLine.ts';
import type { CommandSettings } from '../../shared/contract/commandLine.ts';
import type { Caller, Handlers } from '../../shared/contract/contract.ts';
import { seatActor, type Actor } from '../../shared/events/actor.ts';
import type { Desk } from '../desk/desk.ts';
import { answerOpen, attachAnswers } from '../desk/scriptedAnswers.ts';
import type { SeatRegistry } from '../desk/seats.ts';
import type { Tokens } from '../llm/tokenCommand.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { SettingsStore } from '../settings/settings.ts';

/** A command that is there. */
export type CommandLine = {
  /** An episode is its own from now on: its answers answer there. */
  takes(episode: string): void;
  /** Ends something that it began, where it leaves before; returns the undo. */
  onLeave(stop: () => unknown): () => void;
};

export type CommandLines = {
  /** Does something as a command asked for it; as anybody else does it where the caller is none. */
  within<T>(caller: Caller, act: () => T): T;
  /** The command for which something is done now; null where none asked for it. */
  current(): CommandLine | null;
  /** The command is gone. Resolves when nothing of it goes on. */
  leave(caller: Caller): Promise<void>;
  handlers: Pick<Handlers, 'command.begin' | 'command.token' | 'command.stop'>;
};

/** A person, at the seat that asks or at a terminal. */
export const actorOf = ({ seat, isCommand = false }: Caller): Actor => seatActor(isCommand ? null : seat);

type Dependencies = {
  log: EventLog;
  desk: Desk;
  seats: SeatRegistry;
  settings: Pick<SettingsStore, 'describe' | 'ofCommands'>;
  tokens: Pick<Tokens, 'hand'>;
  report: (thrown: unknown) => void;
};

type Line = CommandLine & {
  settings: CommandSettings;
  answer: (lines: readonly AnswerLine[] | null) => void;
  stop: () => Promise<void>;
  end: () => Promise<void>;
};

export function createCommandLines(parts: Dependencies): CommandLines {
  const { settings, tokens } = parts;
  const context = new AsyncLocalStorage<Line>();
  const lines = new Map<string, Line>();
  const lineOf = ({ seat }: Caller): Line => {
    const line = lines.get(seat) ?? openLine(parts);
    lines.set(seat, line);
    return line;
  };
  return {
    within: (caller, act) => {
      if (caller.isCommand !== true) return act();
      const line = lineOf(caller);
      return context.run(line, () => settings.ofCommands.within(line.settings, act));
    },
    current: () => context.getStore() ?? null,
    leave: async (caller) => {
      const line = lines.get(caller.seat);
      lines.delete(caller.seat);
      await line?.end();
    },
    handlers: {
      'command.begin': async ({ settings: said, answers }, caller) => {
        const line = lineOf(caller);
        line.settings = said;
        line.answer(answers);
        return settings.ofCommands.within(said, () => settings.describe());
      },
      'command.stop': async (_, caller) => {
        await lineOf(caller).stop();
        return {};
      },
      'command.token': async ({ name, token }, caller) => {
        if (token === null) await tokens.hand(name, null);
        else {
          const undo = lineOf(caller).onLeave(() => tokens.hand(name, null));
          await tokens.hand(name, { value: token.value, expiresAt: token.expires_at });
          undo();
        }
        return {};
      },
    },
  };
}

function openLine({ log, desk, seats, report }: Dependencies): Line {
  const episodes = new Set<string>();
  const stops = new Set<() => unknown>();
  let answers: readonly AnswerLine[] = [];
  let detach = (): void => undefined;
  const stop = async (): Promise<void> => {
    const ended = await Promise.allSettled([...stops].map(async (one) => one()));
    for (const one of ended) if (one.status === 'rejected') report(one.reason);
  };
  return {
    settings: {},
    takes: (episode) => {
      episodes.add(episode);
      answerOpen({ log, desk }, log.record(episode), answers);
    },
    onLeave: (stop) => {
      stops.add(stop);
      return () => void stops.delete(stop);
    },
    answer: (lines) => {
      detach();
      detach = () => undefined;
      answers = lines ?? [];
      if (lines === null) return;
      const leave = seats.attend((episode) => episodes.has(episode));
      const unhear = attachAnswers({ log, desk }, lines, ({ id }) => episodes.has(id));
      detach = () => {
        unhear();
        leave();
      };
    },
    stop,
    end: async () => {
      await stop();
      detach();
    },
  };
}
