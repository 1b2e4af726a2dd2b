// The cover over an answer key: taken off by a person's act, on again when the page is loaded anew. Must not know:
// how the key is fetched; showing it is a command its owner sends.
import { useCallback, useState } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';

type ShownKey = Outputs['answer_key.show'];
export type AnswerKeyState = {
  key: ShownKey | null;
  isBusy: boolean;
  failure: FailureShape | null;
  show: () => void;
};

export function useAnswerKey(
  episode: string,
  fetchKey: (episode: string) => Promise<ShownKey>,
): AnswerKeyState {
  const [state, setState] = useState<Omit<AnswerKeyState, 'show'> & { episode: string }>({
    episode,
    key: null,
    isBusy: false,
    failure: null,
  });
  const show = useCallback(() => {
    const put = (key: ShownKey | null, isBusy: boolean, failure: FailureShape | null): void =>
      setState({ episode, key, isBusy, failure });
    put(null, true, null);
    fetchKey(episode).then(
      (key) => put(key, false, null),
      (thrown: unknown) => put(null, false, failureShape(thrown)),
    );
  }, [episode, fetchKey]);
  const isHere = state.episode === episode;
  return {
    key: isHere ? state.key : null,
    isBusy: isHere && state.isBusy,
    failure: isHere ? state.failure : null,
    show,
  };
}
