// New versions, with consent at each step: whether they are looked for, fetched, and when the app restarts into one.
import { failureShape } from '../../shared/failure.ts';
import { compareVersions, type Channel, type Update } from './updateFeed.ts';

/** A person's choices on updates; kept beside the window's place. */
export type UpdateChoices = {
  /** Null until they were asked. */
  isCheckedAtStart: boolean | null;
  channel: Channel;
  /** A version they want to hear no more of. */
  skipped: string | null;
};

export type UpdateQuestion = { message: string; detail: string; buttons: string[]; keepId: number };

export type UpdateEdges = {
  version: string;
  host: string;
  newest: (channel: Channel) => Promise<Update | null>;
  choices: { read: () => UpdateChoices; write: (choices: UpdateChoices) => void };
  /** Resolves with the place of the chosen button. */
  ask: (question: UpdateQuestion) => Promise<number>;
  /** Fetches a version and resolves once it is checked and ready; null where this app cannot replace itself. */
  download: ((update: Update, channel: Channel) => Promise<void>) | null;
  showPage: (page: string) => void;
  /** Closes in order, which asks where episodes run, and starts the new version. */
  restart: () => void;
  say: (text: string) => void;
  changed: () => void;
};

export type Updates = {
  /** Once, when the window is there. Looks only where a person said yes to that. */
  start: () => Promise<void>;
  /** Because a person asks; tells them also that there is nothing new, and what failed. */
  check: () => Promise<void>;
  ready: () => string | null;
  offerRestart: () => Promise<void>;
};

export function createUpdates(edges: UpdateEdges): Updates {
  const { version, host, choices } = edges;
  const alone = oneAtATime();
  let ready: string | null = null;

  const change = (part: Partial<UpdateChoices>): void => {
    choices.write({ ...choices.read(), ...part });
    edges.changed();
  };
  const offerRestart = async (): Promise<void> => {
    if (ready !== null && (await choose(edges, restartQuestion(ready))) === RESTART) edges.restart();
  };
  const install = async (update: Update): Promise<void> => {
    if (edges.download === null) return edges.showPage(update.page);
    await edges.download(update, choices.read().channel);
    ready = update.version;
    edges.changed();
    await offerRestart();
  };
  const offer = async (update: Update): Promise<void> => {
    const chosen = await choose(edges, offerQuestion(edges, update));
    if (chosen === SKIP) change({ skipped: update.version });
    else if (chosen === DOWNLOAD || chosen === SHOW_PAGE) await install(update);
  };
  const newer = (): Promise<Update | null> => newerThan(version, edges);

  return {
    ready: () => ready,
    offerRestart: () => alone(offerRestart),
    start: () =>
      alone(async () => {
        if (choices.read().isCheckedAtStart === null)
          change({ isCheckedAtStart: (await choose(edges, consentQuestion(host))) === LOOK });
        if (choices.read().isCheckedAtStart !== true) return;
        try {
          const update = await newer();
          if (update !== null && update.version !== choices.read().skipped) await offer(update);
        } catch (thrown) {
          edges.say(failureShape(thrown).message);
        }
      }),
    check: () =>
      alone(async () => {
        if (ready !== null) return offerRestart();
        try {
          const update = await newer();
          if (update === null) await edges.ask(nothingNew(version));
          else await offer(update);
        } catch (thrown) {
          await edges.ask(failedQuestion(thrown));
        }
      }),
  };
}

async function newerThan(version: string, { newest, choices }: UpdateEdges): Promise<Update | null> {
  const found = await newest(choices.read().channel);
  return found !== null && compareVersions(found.version, version) > 0 ? found : null;
}

/** Runs what it is given, and leaves out what comes while that runs. */
function oneAtATime(): (run: () => Promise<void>) => Promise<void> {
  let isBusy = false;
  return async (run) => {
    if (isBusy) return;
    isBusy = true;
    try {
      await run();
    } finally {
      isBusy = false;
    }
  };
}

const choose = async ({ ask }: UpdateEdges, question: UpdateQuestion): Promise<string | undefined> =>
  question.buttons[await ask(question)];

const LOOK = 'Look at each start';
const DOWNLOAD = 'Download';
const SHOW_PAGE = 'Show the page';
const SKIP = 'Skip this version';
const RESTART = 'Restart';
const LATER = 'Later';

const consentQuestion = (host: string): UpdateQuestion => ({
  message: 'Look for new versions when Interject starts?',
  detail: `It then asks ${host} for one small file. Nothing about you, your episodes or this machine is sent with it, and nothing is downloaded or installed before you say so.\n\nThe Help menu looks at any time, and changes this.`,
  buttons: [LOOK, 'No'],
  keepId: 1,
});

const offerQuestion = ({ version, download }: UpdateEdges, update: Update): UpdateQuestion => ({
  message: `Interject ${update.version} is available.`,
  detail: `This is ${version}. ${download === null ? 'It cannot replace itself here: its page has the new version.' : 'You are asked again before it restarts.'}`,
  buttons: [download === null ? SHOW_PAGE : DOWNLOAD, LATER, SKIP],
  keepId: 1,
});

const restartQuestion = (version: string): UpdateQuestion => ({
  message: `Interject ${version} is ready.`,
  detail: 'It starts when you restart. Where episodes run you are asked what becomes of them.',
  buttons: [RESTART, LATER],
  keepId: 1,
});

const nothingNew = (version: string): UpdateQuestion => ({
  message: `Interject ${version} is the newest version.`,
  detail: '',
  buttons: ['OK'],
  keepId: 0,
});

function failedQuestion(thrown: unknown): UpdateQuestion {
  const { message, next } = failureShape(thrown);
  return {
    message: 'The update failed.',
    detail: [message, next].filter(Boolean).join('\n\n'),
    buttons: ['OK'],
    keepId: 0,
  };
}
