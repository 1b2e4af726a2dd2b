// The set-up of a browser test: one browser for a block of tests, and for each test a server of its own, which is
// stopped and looked over afterwards.
import type { Browser, BrowserContext, Page, ViewportSize } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest';
import type { StartEpisode } from '../../src/shared/contract/areas.ts';
import type { DeskItem } from '../../src/shared/episode/rowShapes.ts';
import { textHead } from '../../src/shared/events/text.ts';
import { findBrowser, launch } from '../support/browser.ts';
import { openConsole } from './console.ts';
import { removeFolder, START, startServer, type Server, type ServerOptions } from './server.ts';

export type ConsoleFixture = {
  browser: Browser;
  server: Server;
  /** The owner's browser. */
  context: BrowserContext;
  /** Everything the pages complained of; a test that leaves any fails. */
  complaints: string[];
  /** Another browser profile, closed after the test. */
  newContext: () => Promise<BrowserContext>;
  /** A page of the owner's browser; `takeBackMs` is how long a decision can be taken back. */
  open: (takeBackMs?: number) => Promise<Page>;
  /** The console of a link, in a profile of its own. */
  openLink: (url: string) => Promise<Page>;
  /** The console of an invited expert, in a profile of its own. */
  openSeat: (label: string) => Promise<Page>;
  /** Ends the server as a power cut would. */
  kill: () => Promise<void>;
  /** Starts the server again where it was, on the same data. */
  restart: (flags?: string[]) => Promise<void>;
  /** Starts an episode by the API, and waits until it asks; its id. */
  ask: (over?: Partial<StartEpisode>) => Promise<string>;
  /** Runs a task without an expert to its end; the episode's id. */
  play: (over?: Partial<StartEpisode>) => Promise<string>;
  /** Answers the question of an episode by the API once its draft is there. */
  answer: (episode: string, change?: (draft: string) => string) => Promise<void>;
  /** Resolves when the episode has ended. */
  ended: (episode: string) => Promise<void>;
};

type FixtureOptions = {
  viewport?: ViewportSize;
  /** What each test's server is started with. */
  serverOptions?: () => Promise<ServerOptions>;
};

const found = findBrowser();
/** Only ends a wait for what never comes. */
const PAGE_TIMEOUT_MS = 50_000;

type Body = (fixture: ConsoleFixture) => void;

/** A `describe` whose tests use the console in a browser; skipped where there is none. */
export const describeConsole = (title: string, body: Body): void => describeConsoleWith({}, title, body);

export function describeConsoleWith(
  { viewport = { width: 1280, height: 800 }, serverOptions }: FixtureOptions,
  title: string,
  body: Body,
): void {
  describe.skipIf(found === null)(title, () => {
    const fixture = {} as ConsoleFixture;
    let contexts: BrowserContext[] = [];
    beforeAll(async () => {
      if (found !== null) fixture.browser = await launch(found);
    });
    afterAll(() => fixture.browser.close());
    beforeEach(async () => {
      fixture.complaints = [];
      contexts = [];
      fixture.server = await startServer(await serverOptions?.());
      fixture.context = await fixture.newContext();
    });
    afterEach(async () => {
      try {
        for (const context of contexts) await context.close();
      } finally {
        await fixture.server.stop();
        removeFolder(fixture.server.folder);
      }
      expect(fixture.complaints).toEqual([]);
    });
    fixture.newContext = async () => {
      const context = await fixture.browser.newContext({ viewport });
      context.setDefaultTimeout(PAGE_TIMEOUT_MS);
      contexts.push(context);
      return context;
    };
    Object.assign(fixture, pageHelpers(fixture), serverHelpers(fixture));
    body(fixture);
  });
}

function pageHelpers(fixture: ConsoleFixture): Pick<ConsoleFixture, 'open' | 'openLink' | 'openSeat'> {
  const openLink = async (url: string): Promise<Page> =>
    openConsole(await fixture.newContext(), { ...fixture.server, url }, fixture.complaints);
  return {
    open: (takeBackMs = 0) => openConsole(fixture.context, fixture.server, fixture.complaints, takeBackMs),
    openLink,
    openSeat: async (label) => {
      const { token } = await fixture.server.call('invites.create', { label });
      const page = await openLink(fixture.server.url.replace(/#.*$/, `#token=${token}`));
      await page.getByRole('button', { name: 'Skip' }).click();
      await page.getByRole('link', { name: 'My answers' }).waitFor();
      return page;
    },
  };
}

function serverHelpers(
  fixture: ConsoleFixture,
): Pick<ConsoleFixture, 'kill' | 'restart' | 'ask' | 'play' | 'answer' | 'ended'> {
  const start = async (over: Partial<StartEpisode>): Promise<string> => {
    const { episodes } = await fixture.server.call('episode.start', { ...START, ...over });
    return episodes[0] ?? '';
  };
  const ended = async (episode: string): Promise<void> => {
    await expect.poll(async () => (await fixture.server.record(episode)).ended).not.toBeNull();
  };
  return {
    kill: () => fixture.server.kill(),
    restart: async (flags = []) => {
      const { folder, url } = fixture.server;
      fixture.server = await startServer({ folder, port: Number(new URL(url).port), flags });
    },
    ask: async (over = {}) => {
      const id = await start(over);
      await expect.poll(async () => (await fixture.server.record(id)).consultations).not.toEqual([]);
      return id;
    },
    play: async (over = {}) => {
      const id = await start({ condition: 'none', ...over });
      await ended(id);
      return id;
    },
    answer: async (episode, change = (draft) => draft) => {
      const { consultation, draft, seq } = await draftedItem(fixture, episode);
      await fixture.server.call('desk.answer', {
        episode,
        consultation,
        text: change(textHead(draft?.text ?? '')),
        draft: draft?.id ?? null,
        seen_seq: seq,
        timing: { first_seen_at: null, active_ms: 1000 },
      });
    },
    ended,
  };
}

/** The question of an episode as the desk has it, with its draft. */
async function draftedItem({ server }: ConsoleFixture, episode: string): Promise<DeskItem> {
  let item: DeskItem | undefined;
  const find = async (): Promise<DeskItem['draft']> => {
    item = (await server.desk()).find((one) => one.episode === episode);
    return item?.draft ?? null;
  };
  await expect.poll(find).not.toBeNull();
  if (item === undefined) throw new Error(`no question of ${episode} waits`);
  return item;
}
