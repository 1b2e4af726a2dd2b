// What a card may ask of main: the acts on a question, as functions the parts are given.
import { useMemo } from 'react';
import type { Inputs, Outputs } from '../../shared/contract/contract.ts';
import { useSession } from './hooks.ts';

type DeskCommands = {
  answer: 'desk.answer';
  decline: 'desk.decline';
  claim: 'desk.claim';
  pass: 'desk.pass';
  redraft: 'desk.redraft';
  similar: 'advice.similar';
  adviseLate: 'desk.advise_late';
  makePlan: 'advice.make_plan';
};
export type DeskPorts = {
  [A in keyof DeskCommands]: (input: Inputs[DeskCommands[A]]) => Promise<Outputs[DeskCommands[A]]>;
};

export function useDeskPorts(): DeskPorts {
  const { call } = useSession();
  return useMemo(
    () => ({
      answer: (input) => call('desk.answer', input),
      decline: (input) => call('desk.decline', input),
      claim: (input) => call('desk.claim', input),
      pass: (input) => call('desk.pass', input),
      redraft: (input) => call('desk.redraft', input),
      similar: (input) => call('advice.similar', input),
      adviseLate: (input) => call('desk.advise_late', input),
      makePlan: (input) => call('advice.make_plan', input),
    }),
    [call],
  );
}
