// The console's files under `app://console/`: those of one folder as they are at the start, and nothing else.
import { protocol } from 'electron';
import { join } from 'node:path';
import { SECURITY_HEADERS } from '../hosts/consoleDoor.ts';
import { productFolder } from '../hosts/paths.ts';
import { createStaticFiles } from '../hosts/staticFiles.ts';

export const APP_SCHEME = 'app';

/** Answers for a host other than `console`, or a file that is not there, are 404. */
export function consoleFiles(folder: string): (request: Request) => Response {
  const serveFile = createStaticFiles(folder, SECURITY_HEADERS);
  return (request) => {
    const { host, pathname } = new URL(request.url);
    if (host !== 'console') return new Response('not found', { status: 404, headers: SECURITY_HEADERS });
    return serveFile(request, pathname);
  };
}

/** Before the app is ready: a scheme's rights cannot be given later. */
export const claimScheme = (): void =>
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);

export const serveFiles = (): void =>
  protocol.handle(APP_SCHEME, consoleFiles(join(productFolder(), 'out', 'renderer')));
