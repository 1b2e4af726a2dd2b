// Stands before the system's dialogs, which no test can click: each question is noted and answered as the test says, else
// left open. Loaded before the app, so that a question of its first moment is noted too.
'use strict';
const { appendFileSync } = require('node:fs');
const { dialog } = require('electron');

const asked = [];
let answer = process.env['TEST_DIALOG_ANSWER'] ?? '';
Object.assign(globalThis, {
  askedOfPerson: asked,
  answerDialogsWith: (button) => {
    answer = button;
  },
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
