// Forbids a window of the console to leave its page, open others, ask for anything but the clipboard, reach a network.
import { app as electron, type Session, type WebContents } from 'electron';
import { isOwnContent, isOwnPage } from './addresses.ts';
import { askBeforeOpening } from './externalLinks.ts';

/** For every page that is ever made, whoever made it. */
export function lockDownPages(): void {
  electron.on('web-contents-created', (_event, contents) => lockDownPage(contents));
}

function lockDownPage(contents: WebContents): void {
  contents.setWindowOpenHandler(({ url }) => {
    void askBeforeOpening(url);
    return { action: 'deny' };
  });
  // Ctrl+R and the page's own reload lead to the page itself.
  contents.on('will-navigate', (event) => {
    if (!isOwnPage(event.url)) event.preventDefault();
  });
  contents.on('will-frame-navigate', (event) => {
    if (!isOwnPage(event.url)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
}

/** For everything pages of a session ask for. */
export function lockDownSession(session: Session): void {
  session.setPermissionRequestHandler((contents, permission, answer) =>
    answer(permission === 'clipboard-sanitized-write' && isOwnPage(contents.getURL())),
  );
  session.setPermissionCheckHandler(
    (contents, permission) =>
      permission === 'clipboard-sanitized-write' && contents !== null && isOwnPage(contents.getURL()),
  );
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !isOwnContent(url) }));
}
