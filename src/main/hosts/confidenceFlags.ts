// What `--confidence` and its companions say: whether the agent states how sure it is, and what comes of an unsure call.
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { StartEpisode } from '../../shared/contract/areas.ts';

type ConfidenceOptions = {
  confidence?: boolean;
  confidenceBelow?: number;
  confidenceTo?: 'desk' | 'advisor';
};

const share = (text: string): number => {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError('a number from 0 to 1 is needed.');
  return value;
};

export const addConfidenceFlags = (command: Command): Command =>
  command
    .option('--confidence', 'the agent states how sure it is of each move')
    .option('--confidence-below <p>', 'calls it is less sure of (0 to 1) wait; implies --confidence', share)
    .addOption(
      new Option('--confidence-to <whom>', 'who sees unsure calls first (desk)').choices(['desk', 'advisor']),
    );

export function confidenceOf({
  confidence,
  confidenceBelow,
  confidenceTo,
}: ConfidenceOptions): Pick<StartEpisode, 'confidence'> {
  if (confidence !== true && confidenceBelow === undefined) return {};
  return { confidence: { below: confidenceBelow ?? null, to: confidenceTo ?? 'desk' } };
}
