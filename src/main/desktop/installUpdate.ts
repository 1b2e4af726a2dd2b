// The last step of an update: whether this app can be replaced at all, and that somebody hears when it was not.
import { Failure } from '../../shared/failure.ts';

type Kind = {
  platform: string;
  isPackaged: boolean;
  /** An AppImage, which names its own file. */
  isAppImage: boolean;
  /** What electron-builder says about a package of Linux. */
  packageType: string | null;
  /** Signed with a certificate when it was packaged. */
  isSigned: boolean;
};

/** On Linux only an AppImage and a deb know how to be replaced; a Mac replaces nothing that has no certificate's signature. */
export function canReplaceItself({ platform, isPackaged, isAppImage, packageType, isSigned }: Kind): boolean {
  if (platform === 'linux') return isAppImage || packageType === 'deb';
  return isPackaged && (platform !== 'darwin' || isSigned);
}

type Installer = {
  once: (event: 'error', listener: (error: Error) => void) => unknown;
  /** Ends this process when it works. */
  quitAndInstall: () => void;
};

/** Long enough for a system to put a package of some 200 MB in place, and to ask for a password before. */
const INSTALL_MS = 120_000;

/** Never resolves: where the new version is put in place, this process ends. Rejects when it was not. */
export function installNow(installer: Installer, waitMs = INSTALL_MS): Promise<never> {
  return new Promise((_resolve, reject) => {
    const give = (why: string): void =>
      reject(
        new Failure('install_failed', `The new version was not put in place: ${why}`, {
          next: 'Start Interject again: it is the version you had. Help → Check for updates tries once more.',
        }),
      );
    installer.once('error', ({ message }) => give(message));
    const late = setTimeout(() => give('nothing happened'), waitMs);
    late.unref();
    try {
      installer.quitAndInstall();
    } catch (thrown) {
      give(thrown instanceof Error ? thrown.message : String(thrown));
    }
  });
}
