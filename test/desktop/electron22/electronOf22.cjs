// Electron 22 under the names of the current one: `protocol.handle` came with 25, asynchronous safeStorage later.
'use strict';
const electron = require('electron');

const handle = (scheme, answer) =>
  electron.protocol.registerBufferProtocol(scheme, async ({ url, method, headers }, callback) => {
    const response = await answer(new Request(url, { method, headers }));
    callback({
      statusCode: response.status,
      headers: Object.fromEntries(response.headers),
      mimeType: response.headers.get('content-type') ?? 'text/plain',
      data: Buffer.from(await response.arrayBuffer()),
    });
  });
const protocol = new Proxy(electron.protocol, {
  get: (real, name) => {
    if (name === 'handle') return handle;
    const value = real[name];
    return typeof value === 'function' ? value.bind(real) : value;
  },
});

const { safeStorage } = electron;
/** A test may have put a keychain in place of the system's. */
const isReplaced = Object.hasOwn(safeStorage, 'encryptStringAsync');
const keychain = {
  isAsyncEncryptionAvailable: async () => safeStorage.isEncryptionAvailable(),
  encryptStringAsync: async (text) => safeStorage.encryptString(text),
  decryptStringAsync: async (data) => ({ result: safeStorage.decryptString(data), shouldReEncrypt: false }),
  getSelectedStorageBackend: () => 'basic_text',
};

// Events of a page gained details in place of arguments.
electron.app.on('web-contents-created', (_event, contents) => {
  const on = contents.on.bind(contents);
  contents.on = (name, listener) => {
    if (name === 'did-start-navigation')
      return on(name, (event, url, isSameDocument, isMainFrame) =>
        listener(Object.assign(event, { url, isSameDocument, isMainFrame })),
      );
    if (name === 'will-navigate' || name === 'will-redirect')
      return on(name, (event, url) => listener(Object.assign(event, { url })));
    return on(name, listener);
  };
});

// Sessions learnt to fetch with 25.
const session = new Proxy(electron.session, {
  get: (real, name) =>
    name === 'fromPartition'
      ? (...given) =>
          Object.assign(real.fromPartition(...given), { fetch: (url, options) => fetch(url, options) })
      : real[name],
});

// Of what a test watches, 22 keeps the methods on each object.
const { shownOutside: outside } = globalThis;
function Tray(image) {
  const tray = new electron.Tray(image);
  const setToolTip = tray.setToolTip.bind(tray);
  tray.setToolTip = (text) => {
    outside.tray = text;
    setToolTip(text);
  };
  return tray;
}
function Notification(options) {
  const notification = new electron.Notification(options);
  notification.show = () => outside.announced.push(notification);
  return notification;
}
Notification.isSupported = () => true;
const watched = outside === undefined ? {} : { Tray, Notification };

const OURS = { ...watched, protocol, safeStorage: isReplaced ? safeStorage : keychain, session };
module.exports = new Proxy(electron, { get: (real, name) => OURS[name] ?? real[name] });
