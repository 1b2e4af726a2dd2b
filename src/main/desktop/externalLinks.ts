// Addresses outside the product open in the system's browser, after a question the first time a host is met.
import { BrowserWindow, dialog, shell } from 'electron';
import { browsableHost } from './addresses.ts';

/** Hosts that a person allowed, until the app ends. */
const allowed = new Set<string>();

/** Opens it once a person agrees; whatever is no web address is not opened. */
export async function askBeforeOpening(address: string): Promise<void> {
  const host = browsableHost(address);
  if (host === null) return;
  if (!allowed.has(host)) {
    const parent = BrowserWindow.getFocusedWindow();
    const question = {
      type: 'question' as const,
      message: `Open ${host} in your browser?`,
      detail: address,
      buttons: ['Open', 'Cancel'],
      defaultId: 0,
      cancelId: 1,
    };
    const { response } = await (parent === null
      ? dialog.showMessageBox(question)
      : dialog.showMessageBox(parent, question));
    if (response !== 0) return;
    allowed.add(host);
  }
  await shell.openExternal(address);
}
