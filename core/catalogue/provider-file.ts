import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, SLUG } from '#contract';
import { errorCode } from '../kit/error-code.ts';
import { JsonError, parseWithLines } from '../kit/strict-json.ts';
import type { Fault, Folder } from './folders.ts';

export const FACTS_FILE = 'facts.json';
const DATE = /^\d{4}-\d{2}-\d{2}$/;

export const PROVIDER_FILE = 'provider.json';
const MAX_CHARACTERS = 262_144;

/** A `provider.json` as its author wrote it. */
export interface ProviderFile {
  readonly folder: Folder;
  readonly value: unknown;
  /** When its facts were last compared with the provider's documentation; undefined when unknown. */
  readonly checked: string | undefined;
  /** Returns the line in which a field is, for fault messages. */
  readonly lineOf: (path: readonly (string | number)[]) => number;
}

/** @returns undefined for a folder that contains only a plugin */
export function readProviderFile(folder: Folder): ProviderFile | { readonly faults: readonly Fault[] } | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(join(folder.directory, PROVIDER_FILE));
  } catch (cause) {
    const code = errorCode(cause);
    return code === 'ENOENT' ? undefined : { faults: [faultOf(folder, `cannot be read (${code})`)] };
  }
  if (!isUtf8(bytes)) return { faults: [faultOf(folder, 'is not valid UTF-8')] };
  const parsed = parse(folder, bytes.toString('utf8'));
  return 'lineOf' in parsed ? { folder, ...parsed, checked: readChecked(folder.directory) } : { faults: [parsed] };
}

function parse(folder: Folder, text: string): Omit<ProviderFile, 'folder' | 'checked'> | Fault {
  if (!SLUG.test(folder.name)) {
    return faultOf(
      folder,
      'the folder name must be lower-case letters, digits and hyphens, at most 63, not beginning with a hyphen',
    );
  }
  if (text.length > MAX_CHARACTERS) return faultOf(folder, `is longer than ${MAX_CHARACTERS} characters`);
  try {
    return parseWithLines(text);
  } catch (cause) {
    if (cause instanceof JsonError) return faultOf(folder, jsonFault(cause), cause.line);
    throw cause;
  }
}

/** Returns the line of a field; for one that is inherited from another provider, the line of `extends`. */
export function memberLine(file: ProviderFile, path: readonly (string | number)[]): number {
  const [member = ''] = path;
  const isInherited = isObject(file.value) && Object.hasOwn(file.value, 'extends') && !Object.hasOwn(file.value, member);
  return file.lineOf(isInherited ? ['extends'] : path);
}

/** Describes a JSON error to the author of the file. */
export function jsonFault({ code, message, path }: JsonError): string {
  return code === 'malformed' ? `is not JSON: ${message}` : [path.slice(-1).join(''), message].filter(Boolean).join(': ');
}

export function faultOf(folder: Folder, reason: string, line?: number): Fault {
  return {
    folder: folder.name,
    file: join(folder.directory, PROVIDER_FILE),
    ...(line !== undefined && { line }),
    reason,
    publicReason: reason,
  };
}

/**
 * Reads when the facts of a provider were last compared with its documentation: `checked` of `facts.json`. Only the displayed
 * proof depends on that file, so an unreadable one counts as missing; `test/contract` checks the files that come with the
 * service.
 */
function readChecked(directory: string): string | undefined {
  try {
    const facts: unknown = JSON.parse(readFileSync(join(directory, FACTS_FILE), 'utf8'));
    const checked = isObject(facts) ? facts['checked'] : undefined;
    return typeof checked === 'string' && DATE.test(checked) ? checked : undefined;
  } catch {
    return undefined;
  }
}
