// Types of the product's build: what a host gives, and what it gets.
import type { Caller } from '../../shared/contract/contract.ts';
import type { Topic } from '../../shared/contract/envelope.ts';
import type { SplitManifest } from '../../shared/split.ts';
import { type Benches } from '../commands/benches.ts';
import { type EnvironmentCatalog } from '../commands/environments.ts';
import { type CanSend, type FeedSchedule, type Send } from '../commands/feeds.ts';
import { type RouteCommand } from '../commands/router.ts';
import type { Curriculum } from '../training/curriculum.ts';
import type { Desk } from '../desk/desk.ts';
import type { SeatRegistry } from '../desk/seats.ts';
import type { AfterCrash } from '../episode/restart.ts';
import type { RunBudgets } from '../episode/budget.ts';
import type { Supervisor } from '../episode/supervisor.ts';
import type { GatewayHouse } from '../gateway/gatewayContext.ts';
import type { ModelOptions } from '../llm/openModels.ts';
import type { StartThread } from '../log/checkpoints.ts';
import type { Owner } from '../log/dataFolder.ts';
import { type EventLog } from '../log/eventLog.ts';
import type { SpawnTap } from '../gateway/tap/tapLink.ts';
import type { CameWith } from '../settings/cameWith.ts';
import type { AwmFlags } from '../settings/awmSettings.ts';
import type { GatewayPatch } from '../settings/gatewaySettings.ts';
import type { GatewayKeys } from '../settings/keys.ts';
import type { Secrets } from '../settings/fileSecrets.ts';
import { type SettingsStore } from '../settings/settings.ts';
import { type Worlds } from '../worlds/worlds.ts';

export type AppConfig = {
  version: string;
  host: 'desktop' | 'browser';
  dataFolder: string;
  /** The folder that holds prompts and worlds, and a pack of a person's own, or a folder of them. */
  resources: string;
  worldDir?: string | null;
  environment: Readonly<Record<string, string | undefined>>;
  /** What becomes of the episodes that a killed process had left open. */
  afterCrash: AfterCrash;
  /** How many episodes run at once; more wait for a place. */
  places: number;
  /** Which tasks are held out, of the manifest that was given; null or absent without one. */
  split?: SplitManifest | null;
  /** What the command line said about the gateway and the Agent World Model. */
  gateway?: GatewayPatch;
  modelTape?: ModelOptions['modelTape'];
  awm?: AwmFlags;
};

export type AppEdges = {
  /** UTC ms. It jumps when somebody sets it. */
  clock: () => number;
  /** ms since some moment, on a clock that never jumps: what deadlines and limits run on. */
  monotonic: () => number;
  schedule: FeedSchedule;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  random: () => number;
  /** Resolves when it is one's turn to do some milliseconds of work: at once, but in a crowd. Absent where none comes. */
  turn?: () => Promise<void>;
  /** Ids that sort by the time they were made. */
  newId: () => string;
  secrets: (dataFolder: string) => Secrets;
  /** What this user has on this machine and nobody else: by it a data folder is known as made here. */
  userKey: () => Promise<Buffer>;
  /** Opens a loopback port for the built-in worlds, which are reached through a real socket like any other. */
  listenWorlds: (worlds: Worlds) => Promise<{ url: string; close(): Promise<void> }>;
  /** Starts the tap's own process, which outlives this one. */
  spawnTap: SpawnTap;
  /** Threads of this process, for what would hold it up; without them it does that work itself. */
  startThread?: StartThread;
  report: (thrown: unknown) => void;
  /** Says something a person should know. */
  tell: (notice: string) => void;
  /** Opens a folder in the system's own window for files, where the host has one; says what went wrong, or nothing. */
  openFolder?: (path: string) => Promise<string>;
};

export type App = {
  route: RouteCommand;
  subscribe(topic: Topic, send: Send, canSend?: CanSend, caller?: Caller): () => void;
  /** A command of the command line is gone: what it began ends. */
  leave(caller: Caller): Promise<void>;
  /** Clients of the tap may be served on after this process has ended. */
  close(how?: { keepServing: boolean }): Promise<void>;
  /** The data folder. */
  folder: string;
  settings: SettingsStore;
  /** What came with a folder that was made elsewhere, and holds nothing until the owner says so. */
  cameWith: CameWith;
  keys: GatewayKeys;
  gateway: GatewayHouse;
  log: EventLog;
  desk: Desk;
  seats: SeatRegistry;
  supervisor: Supervisor;
  environments: EnvironmentCatalog;
  worlds: Worlds;
  benches: Benches;
  curriculum: Curriculum;
  runBudgets: RunBudgets;
  /** Episodes that a killed process had left open and that did not go on; they are marked as interrupted now. */
  interrupted: string[];
  /** They were stopped when Interject was closed, or came with the data folder, and wait for a person's word. */
  closed: string[];
  /**
   * Those that go on, or wait for a person's word, once `continueEpisodes` says so. A program that leaves them to another never does.
   */
  goingOn: string[];
  /** How many of both waited for a place. */
  queued: number;
  continueEpisodes(): void;
  /** The process that had the data folder before and ended without giving it back; null where it ended in order. */
  killed: Owner | null;
};
