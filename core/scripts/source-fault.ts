/** The largest source of a script in bytes of UTF-8. */
export const MAX_SOURCE_BYTES = 256 * 1024;

/** A position in the author's source; line and column count from 1. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

type SourceFaultCode =
  | 'source_too_large'
  | 'source_not_readable'
  | 'syntax_error'
  | 'unsupported_syntax'
  | 'import_refused'
  | 'export_missing'
  | 'export_invalid';

/** A reason why a source is not a valid script. */
export interface SourceFault {
  readonly code: SourceFaultCode;
  readonly message: string;
  /** Absent when the fault concerns the source as a whole. */
  readonly at?: SourcePosition;
}

/** Reported when the call stack of the recursive parsers is exceeded. */
export const TOO_DEEP: SourceFault = { code: 'source_not_readable', message: 'it cannot be parsed: it is nested too deeply' };

/** Thrown by the parser, and caught where the fault is reported. */
export class SourceError extends Error {
  readonly faults: readonly SourceFault[];

  constructor(...faults: readonly SourceFault[]) {
    super('the source is not a valid script');
    this.faults = faults;
  }
}

/** Returns the fault with its position, for authors. */
export function faultText({ message, at }: SourceFault): string {
  return at === undefined ? message : `line ${at.line}, column ${at.column}: ${message}`;
}
