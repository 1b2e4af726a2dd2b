// Text that a terminal would obey, and how to find such text.
/* oxlint-disable no-control-regex -- control characters are what this is about */

/** A title (OSC), a colour (CSI), their one-byte forms, backspaces, a reversed direction, what nobody sees. */
export const HOSTILE =
  '\u001b]0;owned\u0007\u001b[31mred\u009b2J\u009d0;x\u009c\b\b\r\u007f\u202egpj.exe\u2066\u200b';

/** Everything but tab and line feed that is a control, turns the direction or is invisible. */
export const OBEYED =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;
