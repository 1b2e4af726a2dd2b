// Reads the frames of a socket. The server that sent the page sends them too, made by the types of the contract, and a
// greeting of another version closes the line: to parse them once more would cost every page the schemas of all commands
// and events before it shows anything.
import { deskAfter } from '../../shared/contract/deskChanges.ts';
import type { DeskPush, ToView } from '../../shared/contract/envelope.ts';
import type { Frame } from '../../shared/contract/frames.ts';
import type { FailureShape } from '../../shared/failure.ts';
import { isRecord, tryExactJson } from '../../shared/json.ts';

const BAD_FRAME: FailureShape = {
  code: 'internal',
  message: 'The server sent a frame that is not in the agreed form.',
  next: 'Reload the page: the console and the server may be of different versions.',
};

const isFrame = (raw: unknown): raw is Frame =>
  isRecord(raw) && typeof raw['id'] === 'number' && typeof raw['type'] === 'string';

/** One reader for each line; a frame it cannot read becomes the failure of what it was meant for. */
export function createSocketReader(): (data: unknown) => ToView {
  let desk: DeskPush | null = null;
  const changed = ({ id, desk: changes }: Extract<Frame, { type: 'desk' }>): ToView => {
    const push = desk === null ? null : deskAfter(desk, changes);
    if (push === null) return { type: 'failure', id, failure: BAD_FRAME };
    desk = push;
    return { type: 'push', id, push };
  };
  return (data) => {
    const frame = typeof data === 'string' ? tryExactJson(data) : undefined;
    if (!isFrame(frame)) return { type: 'failure', id: -1, failure: BAD_FRAME };
    if (frame.type === 'desk') return changed(frame);
    if (frame.type === 'push' && frame.push.topic === 'desk') desk = frame.push;
    return frame;
  };
}
