import * as z from 'zod';
import { parseJson } from '../../kit/exact-json.ts';
import type { ExportedTable } from './tables.ts';

export const FORMAT = 'svc environment';
/**
 * Incremented when the meaning of a record changes. A new column needs no new version: releases that do not know its name refuse
 * the export.
 */
export const FORMAT_VERSION = 1;

const columns = z.record(z.string(), z.unknown());
const plain = { row: columns, sealed: z.record(z.string(), z.string().nullable()) };
const counts = z.record(z.string(), z.int().nonnegative());

const header = z.object({
  kind: z.literal('header'),
  format: z.literal(FORMAT),
  version: z.int(),
  exported_at: z.string(),
  environment: z.string(),
});

/** A line of an export, in JSON. Integrations are identified by their key, scripts by integration and event. */
const record = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('environments'), ...plain }),
  z.strictObject({ kind: z.literal('environment_variables'), ...plain }),
  z.strictObject({ kind: z.literal('webhook_logins'), ...plain }),
  z.strictObject({ kind: z.literal('integrations'), ...plain }),
  z.strictObject({ kind: z.literal('integration_aliases'), integration: z.string(), ...plain }),
  z.strictObject({ kind: z.literal('scripts'), integration: z.string(), ...plain }),
  z.strictObject({ kind: z.literal('script_versions'), integration: z.string(), event: z.string(), ...plain }),
  z.strictObject({ kind: z.literal('connections'), integration: z.string(), ...plain }),
  z.strictObject({ kind: z.literal('end'), counts }),
]);

export type TransferHeader = z.infer<typeof header>;
type TransferRecord = z.infer<typeof record>;
export type RowRecord = Exclude<TransferRecord, { kind: 'end' }>;
export type Counts = Readonly<Partial<Record<ExportedTable, number>>>;

/** Thrown when a file is not an export, or cannot be imported here. */
export class TransferFault extends Error {
  override readonly name = 'TransferFault';
}

/** @throws TransferFault if the line is no header of an export, or of one with another version of the format */
export function readHeader(line: Buffer): TransferHeader {
  const { success, data } = header.safeParse(parsed(line));
  if (!success) throw new TransferFault('this is not an export of an environment');
  if (data.version !== FORMAT_VERSION)
    throw new TransferFault(`the file has version ${data.version} of the format; this release reads version ${FORMAT_VERSION}`);
  return data;
}

/**
 * @param at number of the line, for the message
 * @throws TransferFault for a kind of line that this release does not know
 */
export function readRecord(line: Buffer, at: number): TransferRecord {
  const { success, data } = record.safeParse(parsed(line));
  if (!success) throw new TransferFault(`line ${at} of the export is of a kind that this release does not know`);
  return data;
}

export function lineOf(value: TransferHeader | TransferRecord): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

function parsed(line: Buffer): unknown {
  try {
    return parseJson(line.toString('utf8'));
  } catch {
    return undefined;
  }
}
