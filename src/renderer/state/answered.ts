// The last questions this console answered, so that what became of them can be shown.
import { changeUi, type AnsweredQuestion, type ConsoleStore } from './store.ts';

/** Of one act on more of them, all are kept. */
const ANSWERED_MAX = 5;

export const noteAnswered = (store: ConsoleStore, questions: readonly AnsweredQuestion[]): void =>
  changeUi(store, ({ answered }) => {
    const ids = new Set(questions.map(({ consultation }) => consultation));
    const older = answered.filter(({ consultation }) => !ids.has(consultation));
    return { answered: [...questions, ...older].slice(0, Math.max(ANSWERED_MAX, questions.length)) };
  });
