export class ImportStop extends Error {
  readonly code: string;
  readonly pointer: string | null;

  constructor(code: string, message: string, pointer: string | null = null) {
    super(message);
    this.name = 'ImportStop';
    this.code = code;
    this.pointer = pointer;
  }
}
