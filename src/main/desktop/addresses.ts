// The console's own addresses, and those that may be shown to the system's browser.

export const ORIGIN = 'app://console';

/** Only the console's own page, with whatever it has behind `#`. */
export const isOwnPage = (address: string): boolean => {
  if (!URL.canParse(address)) return false;
  const { protocol, host, pathname } = new URL(address);
  return protocol === 'app:' && host === 'console' && (pathname === '/' || pathname === '/index.html');
};

/** True if a page may load it: its own files, and what it made itself. */
export const isOwnContent = (address: string): boolean =>
  /^(app:\/\/console\/|blob:app:\/\/console\/|data:|devtools:)/.test(address);

/** The host of an address that a browser may be shown; null for any other scheme, and for addresses with a login in them. */
export function browsableHost(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, host, username, password } = new URL(address);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && username === '' && password === '' && host !== '' ? host : null;
}
