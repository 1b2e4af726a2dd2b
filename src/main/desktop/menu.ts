// The app's menu, and that of a right click.
import { app as electron, Menu, type BrowserWindow, type MenuItemConstructorOptions } from 'electron';
import { ORIGIN } from './addresses.ts';
import { menuTemplate, SEPARATOR, type MenuActs } from './menuTemplate.ts';

type Acts = Pick<MenuActs, 'openDataFolder' | 'copyDiagnostics' | 'quit' | 'updates'> & {
  window: BrowserWindow;
};

export const setMenu = ({ window, ...acts }: Acts): void =>
  Menu.setApplicationMenu(
    Menu.buildFromTemplate(
      menuTemplate({
        ...acts,
        go: (view) => {
          void window.loadURL(`${ORIGIN}/index.html#/${view}`);
          window.show();
        },
        about: () => electron.showAboutPanel(),
        version: electron.getVersion(),
        platform: process.platform,
      }),
    ),
  );

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
