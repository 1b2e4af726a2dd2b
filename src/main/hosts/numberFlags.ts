// Numbers as flags give them.
import { InvalidArgumentError } from 'commander';

export const seconds = (text: string): number => {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('a number of seconds above 0 is needed.');
  return value;
};

export const parseNumber = (text: string): number => {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('a number is needed.');
  return value;
};
