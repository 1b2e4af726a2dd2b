// Stands before what no test can click or see: the system's dialogs, and what is shown outside the window. Each question is
// noted and answered as the test says, else left open. Loaded before the app, so that its first moment is noted too.
'use strict';
const { appendFileSync } = require('node:fs');
const { app, dialog, Notification, safeStorage, Tray } = require('electron');

const asked = [];
let answer = process.env['TEST_DIALOG_ANSWER'] ?? '';
const outside = { tray: '', badge: 0, announced: [] };
Object.assign(globalThis, {
  askedOfPerson: asked,
  answerDialogsWith: (button) => {
    answer = button;
  },
  shownOutside: outside,
});

dialog.showMessageBox = (...given) => {
  const { message, detail = '', buttons, signal } = given.at(-1);
  const question = { message, detail, buttons };
  asked.push(question);
  const file = process.env['TEST_DIALOG_FILE'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ message, detail, buttons })}\n`);
  return new Promise((resolve) => {
    const look = setInterval(() => {
      const chosen = buttons.indexOf(answer);
      if (chosen === -1 && !signal?.aborted) return;
      clearInterval(look);
      question.answered = buttons[chosen];
      resolve({ response: Math.max(0, chosen), checkboxChecked: false });
    }, 20);
  });
};

// A test's display has no tray, no dock and no announcements.
const setToolTip = Object.getOwnPropertyDescriptor(Tray.prototype, 'setToolTip')?.value ?? (() => undefined);
Tray.prototype.setToolTip = function (text) {
  outside.tray = text;
  return Reflect.apply(setToolTip, this, [text]);
};
app.setBadgeCount = (count) => {
  outside.badge = count;
  return true;
};
Notification.isSupported = () => true;
Notification.prototype.show = function () {
  outside.announced.push(this);
};

// A keychain of the system's own, where a test wants one: what it encrypts only it can read.
if (process.env['TEST_CIPHER'] === '1') {
  const turned = (bytes) => Buffer.from(bytes).map((byte) => byte ^ 0x5a);
  Object.assign(safeStorage, {
    isAsyncEncryptionAvailable: async () => true,
    encryptStringAsync: async (text) => turned(Buffer.from(text)),
    decryptStringAsync: async (data) => ({ result: String(turned(data)), shouldReEncrypt: false }),
    getSelectedStorageBackend: () => 'gnome_libsecret',
  });
}
