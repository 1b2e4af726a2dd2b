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

/** A port to listen on; 0 lets the system choose. */
export const portNumber = (text: string): number => {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < 0 || value > 65_535)
    throw new InvalidArgumentError('a port from 0 to 65535 is needed.');
  return value;
};
