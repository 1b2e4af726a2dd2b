// The one place that writes to a terminal: text from models, environments and files never moves a cursor, sets a title or
// turns the reading direction. `test/hosts/terminal.test.ts` holds that nothing else in main writes to stdout or stderr.
import { stderr, stdout } from 'node:process';

/** C0 but tab and line feed, DEL, C1; bidi controls; zero width and other invisible characters; line separators. */
const UNSAFE =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

const escapedControl = (char: string): string => {
  const code = char.codePointAt(0) ?? 0;
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`;
};

/** Text for people with what a terminal would obey made visible: `\\x1b` for ESC, `\\u202e` for a reversed direction. */
export const terminalText = (text: string): string =>
  text.replaceAll('\r\n', '\n').replaceAll(UNSAFE, escapedControl);

/** A text of JSON, the same in value: what a terminal would obey stands as JSON's own escapes. */
export const terminalJson = (json: string): string =>
  json.replaceAll(UNSAFE, (char) =>
    char === '\r'
      ? char
      : char.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );

/** Text to a person, on stderr. */
export const writeText = (text: string): void => void stderr.write(`${terminalText(text)}\n`);

/** True if a person's terminal shows what is said to people. */
export const hasTerminal: boolean = stderr.isTTY;

/** A line on a terminal that the next one replaces; null takes it away. */
export const writeStatus = (text: string | null): void =>
  void stderr.write(`\r\u001b[2K${text === null ? '' : terminalText(text)}`);

/** One JSON object to a program, on stdout. */
export const writeJson = (value: unknown): void =>
  void stdout.write(`${terminalJson(JSON.stringify(value))}\n`);

/** Help and versions, on stdout. */
export const writeHelp = (text: string): void => void stdout.write(terminalText(text));
