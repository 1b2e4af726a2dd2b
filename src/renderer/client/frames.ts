// Reads the frames of a socket.
import type { ToView } from '../../shared/contract/envelope.ts';
import { createFrameReader } from '../../shared/contract/frames.ts';
import type { FailureShape } from '../../shared/failure.ts';
import { isRecord, parseJson } from '../../shared/json.ts';

const BAD_FRAME: FailureShape = {
  code: 'internal',
  message: 'The server sent a frame that is not in the agreed form.',
  next: 'Reload the page: the console and the server may be of different versions.',
};

/** A frame as the contract has it; one that is not becomes the failure of what it was meant for. */
export function createSocketReader(): (data: unknown) => ToView {
  const read = createFrameReader();
  return (data) => {
    const raw = readJson(data);
    return read(raw) ?? { type: 'failure', id: idOf(raw), failure: BAD_FRAME };
  };
}

function readJson(data: unknown): unknown {
  try {
    return typeof data === 'string' ? parseJson(data) : null;
  } catch {
    return null;
  }
}

const idOf = (raw: unknown): number => (isRecord(raw) && typeof raw['id'] === 'number' ? raw['id'] : -1);
