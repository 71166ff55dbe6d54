import type { JsonObject } from '#contract';
import { ScriptCallError } from '../../../scripts-runtime/script-run.ts';
import { jsonBytes, MAX_OBJECT_BYTES, setMetadataOf } from '../../connections/metadata.ts';
import { parseSafeJson } from '../../kit/strict-json.ts';
import type { ScriptDeps } from '../deps.ts';
import type { RunSubject } from '../subject.ts';
import { ownConnection } from './own-connection.ts';

export const NOT_STORED_YET = 'the connection does not exist yet, so its metadata cannot be written';

export async function getMetadata(deps: ScriptDeps, subject: RunSubject): Promise<JsonObject> {
  return (await ownConnection(deps, subject)).metadata;
}

/**
 * Writes metadata by the rules of the API: JSON without forbidden names, at most 64 KB, and a notice to every instance.
 *
 * @returns the resulting metadata
 * @throws ScriptCallError `invalid_arguments` if the rules forbid it, `not_available` if the connection is not stored;
 *   ServiceError `unknown_connection` if it was deleted, `invalid_body` if merging makes the metadata too large
 */
export async function writeMetadata(
  deps: ScriptDeps,
  { kind, connection }: RunSubject,
  { metadata, merge }: { readonly metadata: unknown; readonly merge: boolean },
): Promise<JsonObject> {
  const checked = readMetadata(metadata);
  if (kind !== 'live') throw new ScriptCallError('not_available', NOT_STORED_YET);
  return setMetadataOf(deps, connection, { metadata: checked, merge });
}

export function readMetadata(input: unknown): JsonObject {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) throw invalid('metadata must be an object');
  const safe = parseSafeJson(JSON.stringify(input));
  if (safe === undefined) throw invalid('metadata contains a name or a string that must not be stored');
  const metadata = safe.value as JsonObject; // the JSON text was written from an object
  if (jsonBytes(metadata) > MAX_OBJECT_BYTES) throw invalid(`metadata may have at most ${MAX_OBJECT_BYTES / 1024} KB as JSON`);
  return metadata;
}

function invalid(message: string): ScriptCallError {
  return new ScriptCallError('invalid_arguments', message);
}
