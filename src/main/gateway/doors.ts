// Building the doors that clients use beside the tap: the expert as a model, transcripts, the agent's model, MCP.
import type { GatewaySettings } from '../../shared/contract/gateway.ts';
import type { Roster } from '../../shared/experts/roster.ts';
import type { ModelConfig } from '../../shared/modelConfig.ts';
import type { Schedule } from '../desk/waiting.ts';
import type { Consult } from '../episode/consult.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { Prompts } from '../settings/prompts.ts';
import { type Asking, createAsking } from './expert/asking.ts';
import { createExpertDoor } from './expert/door.ts';
import { createKnownCriteria, type KnownCriteria } from './expert/coverRequest.ts';
import { createRejoin, cutOffQuestions, KEPT_MS, type Rejoin } from './expert/rejoin.ts';
import type { Curriculum } from '../training/curriculum.ts';
import { createCurriculumDoor } from './curriculum/door.ts';
import type { GatewayDoors } from './gateway.ts';
import { createLinker, type Linker } from './link/link.ts';
import { createMcpDoor } from './mcp/door.ts';
import { createAgentNotes } from './transcripts/agentNotes.ts';
import { createAgentProxy } from './transcripts/agentProxy.ts';
import { createTranscriptsDoor } from './transcripts/door.ts';

type ClientDoorsParts = {
  log: EventLog;
  consult: Pick<Consult, 'ask' | 'resume'>;
  prompts: Prompts;
  newId: () => string;
  clock: () => number;
  schedule: Schedule;
  settings: () => GatewaySettings;
  expertModel: () => string | null;
  /** Who may be asked by name; absent where there is never a roster. */
  roster?: () => Roster;
  /** Seats on duty, those that are waited for after a restart, and questions that wait for people. */
  attendance: () => { onDuty: number; expected?: number; waiting: number };
  /** With how much help trainers play their next step. */
  curriculum: Pick<Curriculum, 'next' | 'report'>;
  /** The agent's own model, for the pass-through; null while none is configured. */
  agent: () => Promise<ModelConfig | null>;
  /** Resolves with whether all that the tap has told its clients by now is in the log. */
  recorded: () => Promise<boolean>;
  report: (thrown: unknown) => void;
  version: string;
  graceMs?: number;
  keepAliveMs?: number;
  /** Questions that come at the same moment are asked one after another. */
  turn?: (() => Promise<void>) | undefined;
};

/** Dependencies of each door. */
export type DoorParts = ClientDoorsParts & {
  linker: Linker;
  asking: Asking;
  rejoin: Rejoin;
  known: KnownCriteria;
};

export type ClientDoors = {
  doors: GatewayDoors;
  /** Goes on with the questions whose clients a restart has cut off. */
  restore(): void;
  close(): void;
};

export function createDoors(parts: ClientDoorsParts): ClientDoors {
  const { log, clock } = parts;
  const linker = createLinker(parts);
  const asking = createAsking(parts);
  const rejoin = createRejoin(parts);
  const shared: DoorParts = { ...parts, linker, asking, rejoin, known: createKnownCriteria() };
  const notes = createAgentNotes(parts);
  return {
    doors: {
      expert: createExpertDoor(shared),
      mcp: createMcpDoor(shared),
      transcripts: createTranscriptsDoor(shared),
      agent: createAgentProxy({ ...shared, notes }),
      curriculum: createCurriculumDoor(parts),
    },
    restore: () => {
      for (const { episode, consultation, identity } of cutOffQuestions(log, clock() - KEPT_MS))
        rejoin.restore(identity, (signal) => asking.reopen(episode, consultation, signal));
    },
    close: () => {
      rejoin.close();
      notes.close();
      linker.close();
    },
  };
}
