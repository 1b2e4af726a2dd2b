// The app's menu. No accelerator of it is a key of the console, whose keys are single letters and Ctrl+Enter.
import { app as electron, Menu, type BrowserWindow, type MenuItemConstructorOptions } from 'electron';
import { ORIGIN } from './addresses.ts';

type MenuActs = {
  window: BrowserWindow;
  openDataFolder: () => void;
  copyDiagnostics: () => void;
  quit: () => void;
  /** Lines about updates, where there is a place to look for them. */
  updates: MenuItemConstructorOptions[];
};

const SEPARATOR = { type: 'separator' as const };

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
  window,
  openDataFolder,
  copyDiagnostics,
  quit,
  updates,
}: MenuActs): MenuItemConstructorOptions[] {
  const go = (hash: string) => (): void => {
    void window.loadURL(`${ORIGIN}/index.html#/${hash}`);
    window.show();
  };
  const settings = { label: 'Settings…', accelerator: 'CmdOrCtrl+,', click: go('settings') };
  const leave = { label: 'Quit Interject', accelerator: 'CmdOrCtrl+Q', click: quit };
  const isMac = process.platform === 'darwin';
  return [
    ...(isMac
      ? [
          {
            label: 'Interject',
            submenu: [
              { role: 'about' as const },
              SEPARATOR,
              settings,
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
        ...(isMac ? [] : [settings, SEPARATOR, leave]),
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
        ...(isMac
          ? []
          : [{ label: `About Interject ${electron.getVersion()}`, click: () => electron.showAboutPanel() }]),
      ],
    },
  ];
}

export const setMenu = (acts: MenuActs): void =>
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(acts)));

/** The menu of a right click: what can be done with the words under it. */
export function openContextMenus(window: BrowserWindow): void {
  const contents = window.webContents;
  contents.on(
    'context-menu',
    (_event, { dictionarySuggestions, editFlags, isEditable, misspelledWord, selectionText }) => {
      const spelling: MenuItemConstructorOptions[] = dictionarySuggestions.map((word) => ({
        label: word,
        click: () => contents.replaceMisspelling(word),
      }));
      const learn: MenuItemConstructorOptions[] =
        misspelledWord === ''
          ? []
          : [
              {
                label: 'Add to dictionary',
                click: () => void contents.session.addWordToSpellCheckerDictionary(misspelledWord),
              },
              SEPARATOR,
            ];
      const edit: MenuItemConstructorOptions[] = isEditable
        ? [
            { role: 'undo', enabled: editFlags.canUndo },
            { role: 'redo', enabled: editFlags.canRedo },
            SEPARATOR,
            { role: 'cut', enabled: editFlags.canCut },
            { role: 'copy', enabled: editFlags.canCopy },
            { role: 'paste', enabled: editFlags.canPaste },
            SEPARATOR,
            { role: 'selectAll', enabled: editFlags.canSelectAll },
          ]
        : selectionText === ''
          ? []
          : [{ role: 'copy', enabled: editFlags.canCopy }];
      const items = [...spelling, ...learn, ...edit];
      if (items.length > 0) Menu.buildFromTemplate(items).popup({ window });
    },
  );
}
