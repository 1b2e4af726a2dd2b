// Makes the desktop entry by which Linux opens links with an app that no package brought.
import { LINK_SCHEME } from '../../shared/deepLink.ts';

/** Not the name of the entry that a package brings: a person's own entry of that name would stand in its place. */
export const UNPACKAGED_ENTRY = 'interject-from-source.desktop';

/** The entry of a Linux desktop for an app that no package brought: how it is started with a link. */
export const desktopEntry = (program: readonly string[]): string =>
  [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Interject',
    `Exec=${program.map(quoted).join(' ')} %u`,
    'StartupWMClass=interject',
    'NoDisplay=true',
    `MimeType=x-scheme-handler/${LINK_SCHEME};`,
    '',
  ].join('\n');

/** As the specification of desktop entries wants arguments: in quotation marks, with these four escaped, and % doubled. */
const quoted = (argument: string): string =>
  `"${argument.replaceAll(/["`$\\]/g, (char) => `\\${char}`).replaceAll('%', '%%')}"`;
