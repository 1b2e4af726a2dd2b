// Template of the app's menu. Of its accelerators only Ctrl+A is a key of the console too: the page hears keys first,
// and on a list takes that one for its own.
import type { MenuItemConstructorOptions } from 'electron';

export type MenuActs = {
  go: (view: string) => void;
  about: () => void;
  version: string;
  platform: string;
  openDataFolder: () => void;
  copyDiagnostics: () => void;
  quit: () => void;
  /** Lines about updates, where there is a place to look for them. */
  updates: MenuItemConstructorOptions[];
};

export const SEPARATOR = { type: 'separator' as const };

const VIEW: MenuItemConstructorOptions = {
  label: '&View',
  submenu: [
    { role: 'reload' },
    SEPARATOR,
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    SEPARATOR,
    { role: 'togglefullscreen' },
    { role: 'toggleDevTools' },
  ],
};

export function menuTemplate({
  go,
  about,
  version,
  platform,
  openDataFolder,
  copyDiagnostics,
  quit,
  updates,
}: MenuActs): MenuItemConstructorOptions[] {
  const setup = { label: 'Setup…', accelerator: 'CmdOrCtrl+,', click: () => go('setup') };
  const leave = { label: 'Quit Interject', accelerator: 'CmdOrCtrl+Q', click: quit };
  const isMac = platform === 'darwin';
  return [
    ...(isMac
      ? [
          {
            label: 'Interject',
            submenu: [
              { role: 'about' as const },
              SEPARATOR,
              setup,
              SEPARATOR,
              { role: 'hide' as const },
              SEPARATOR,
              leave,
            ],
          },
        ]
      : []),
    {
      label: '&File',
      submenu: [
        { label: 'Open data folder', click: openDataFolder },
        SEPARATOR,
        { role: 'close' },
        ...(isMac ? [] : [setup, SEPARATOR, leave]),
      ],
    },
    { role: 'editMenu' },
    VIEW,
    { role: 'windowMenu' },
    {
      label: '&Help',
      submenu: [
        ...updates,
        { label: 'Copy diagnostics', click: copyDiagnostics },
        ...(isMac ? [] : [{ label: `About Interject ${version}`, click: about }]),
      ],
    },
  ];
}
