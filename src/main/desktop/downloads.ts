// Files that the page gives out: where they are saved is asked under their own name, in the person's downloads.
import { app as electron, type Session } from 'electron';
import { join } from 'node:path';

/** Chromium would name the dialog after an address that only the page knows. */
export function nameDownloads(session: Session): void {
  session.on('will-download', (_event, item) => {
    const name = item.getFilename();
    item.setSaveDialogOptions({
      title: `Save ${name}`,
      defaultPath: join(electron.getPath('downloads'), name),
    });
  });
}
