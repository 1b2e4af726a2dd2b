// Notices for a person who opens the console: that it was killed, of the data folder, settings that could not be read,
// packs that are broken.
import { countText } from '../../shared/countText.ts';
import type { Owner } from '../log/dataFolder.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { Worlds } from '../worlds/worlds.ts';

type NoticeSources = {
  settings: SettingsStore;
  worlds: Worlds;
  folderNotices: readonly string[];
} & Restart;

/** The state that the process before this one left. */
type Restart = {
  killed: Owner | null;
  goingOn: readonly string[];
  interrupted: readonly string[];
  closed: readonly string[];
  /** How many of these waited for a place. */
  queued: number;
};

export const noticesOf = ({ settings, worlds, folderNotices, ...restart }: NoticeSources): string[] => [
  ...crashWords(restart),
  ...folderNotices,
  ...settings.notices(),
  ...worlds.problems().map(({ message }) => message),
];

/** Empty where the process before this one ended in order. */
export const crashWords = ({ killed, ...episodes }: Restart): string[] =>
  killed === null
    ? []
    : [
        [
          `Interject ended unexpectedly the last time${killed.since === undefined ? '' : ` (it had run since ${killed.since})`}: it crashed or was killed, or the power went.`,
          ...restartWords(episodes),
        ].join(' '),
      ];

/** Says how many episodes of the process before this one go on by themselves, and how many do not. */
export const restartWords = ({ goingOn, interrupted, closed, queued }: Omit<Restart, 'killed'>): string[] => [
  ...(goingOn.length === 0
    ? []
    : [
        goingOn.length === 1
          ? `1 episode was ${workText(queued)} when Interject last ended; it goes on.`
          : `${String(goingOn.length)} episodes were ${workText(queued)} when Interject last ended; they go on.`,
      ]),
  ...(interrupted.length === 0
    ? []
    : [
        interrupted.length === 1
          ? '1 episode was open when Interject last ended; it shows as interrupted.'
          : `${String(interrupted.length)} episodes were open when Interject last ended; they show as interrupted.`,
      ]),
  ...(closed.length === 0
    ? []
    : [
        `${countText(closed.length, 'episode')} ${closed.length === 1 ? 'is' : 'are'} stopped: say on the desk whether to go on.`,
      ]),
];

/** Lines of the command line on a folder that was made elsewhere; the desk asks. */
export const cameWithWords = (list: readonly string[]): string[] =>
  list.length === 0
    ? []
    : [
        `This data folder was not made by you on this machine. What came with it holds nothing until you say so: ${list.join('; ')}.`,
        'Say it on the desk, or with `interject serve --keep-settings` or `--no-keep-settings`.',
      ];

/** The work of episodes when Interject ended. */
export const workText = (queued: number): string =>
  queued === 0 ? 'running' : 'running or waiting for a place';
