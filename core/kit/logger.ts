import { destination, type LevelWithSilent, pino, stdTimeFunctions } from 'pino';
import { LineLimit } from './line-limit.ts';
import { redact, safeText } from './redact.ts';

const BEYOND_ASCII = /[\u007f-\uffff]/;
/**
 * Matches characters that JSON does not escape but that are dangerous in a log: terminals act on C1 controls, some readers split
 * lines at U+2028 and U+2029, and format characters hide text or change its direction.
 */
const UNSAFE_IN_TERMINALS = /[\u007f-\u009f\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const RESERVED = new Set(['level', 'time', 'message']);

/**
 * The process log: each call writes one line of JSON. Facts whose names indicate a secret are replaced, and long texts are cut.
 */
export interface Logger {
  debug(message: string, facts?: Record<string, unknown>): void;
  info(message: string, facts?: Record<string, unknown>): void;
  warn(message: string, facts?: Record<string, unknown>): void;
  error(message: string, facts?: Record<string, unknown>): void;
  /** Returns a logger that adds these facts to every line. */
  child(facts: Record<string, unknown>): Logger;
}

interface LoggerOptions {
  readonly level: LevelWithSilent;
  /** Writes one line, which includes its line feed. Default: to standard output. */
  readonly write?: (line: string) => void;
  /** Maximum number of lines with the same level and message that are written in a second. Default: all are. */
  readonly alikePerSecond?: number;
}

type Level = 'debug' | 'info' | 'warn' | 'error';

/**
 * Creates a logger of lines `{level, time, message, …facts}`. A fact with one of the first three names is written with a
 * trailing underscore.
 *
 * Of lines with the same level and message, `alikePerSecond` are written, and then how many there were more. Level debug has no
 * limit: who asks for it wants everything.
 */
export function createLogger(options: LoggerOptions): Logger {
  const write = options.write ?? toStandardOutput();
  const sink = pino(
    {
      level: options.level,
      base: null,
      messageKey: 'message',
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    { write: (line: string) => write(BEYOND_ASCII.test(line) ? line.replace(UNSAFE_IN_TERMINALS, escapeCharacter) : line) },
  );

  const limit = new LineLimit(options.alikePerSecond ?? Number.POSITIVE_INFINITY);
  const log: WriteLine = (level, message, bound, facts) => {
    // Checked first: most lines at level debug are never written, and describing their facts would cost more than they are worth.
    if (!sink.isLevelEnabled(level)) return;
    const text = safeText(message);
    const tellMore = (more: number) => sink[level]({ more }, `${text} … ${more} more`);
    if (level !== 'debug' && !limit.admits(`${level} ${text}`, tellMore)) return;
    sink[level](facts === undefined ? bound : { ...bound, ...described(facts) }, text);
  };
  return boundLogger(log, {});
}

type Facts = Record<string, unknown>;
type WriteLine = (level: Level, message: string, bound: Facts, facts?: Facts) => void;

function boundLogger(log: WriteLine, bound: Facts): Logger {
  const at = (level: Level) => (message: string, facts?: Facts) => log(level, message, bound, facts);
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (facts) => boundLogger(log, { ...bound, ...described(facts) }),
  };
}

function described(facts: Facts): Facts {
  return Object.fromEntries(
    Object.entries(redact(facts)).map(([name, value]) => [RESERVED.has(name) ? `${name}_` : name, value]),
  );
}

function toStandardOutput(): (line: string) => void {
  const stdout = destination({ dest: 1, sync: true });
  return (line) => void stdout.write(line);
}

/** Escapes each UTF-16 code unit, as JSON does (RFC 8259 §7). */
function escapeCharacter(character: string): string {
  return Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
    '',
  );
}
