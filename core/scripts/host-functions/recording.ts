import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type HostFunction, ScriptCallError } from '../../../scripts-runtime/script-run.ts';
import { parseJson } from '../../kit/exact-json.ts';
import { isSecretName } from '../../kit/redact.ts';
import type { Hide } from '../run-secrets.ts';
import type { HostFunctions } from './unwritten-metadata.ts';

const HIDDEN = '[redacted]';
const RECORDED = ['getIntegration', 'getConnection', 'getVariable', 'proxy'] as const;

const callSchema = z.strictObject({
  name: z.enum(RECORDED),
  args: z.array(z.unknown()),
  answer: z.unknown().optional(),
  /** Present instead of a result when the call failed. */
  fault: z.strictObject({ code: z.string(), message: z.string(), status: z.number().optional() }).optional(),
});
const recordingSchema = z.strictObject({
  version: z.literal(1),
  connectionId: z.string(),
  providerConfigKey: z.string(),
  /** The metadata before the run; values written by the script are not recorded. */
  metadata: z.record(z.string(), z.json()),
  calls: z.array(callSchema),
});

export type RecordedCall = z.output<typeof callSchema>;
/** The results of the service and the provider for one run, in the order of the calls. */
export type Recording = z.output<typeof recordingSchema>;

/** @returns undefined if the text is not a recording */
export function readRecording(text: string): Recording | undefined {
  try {
    return recordingSchema.safeParse(parseJson(text)).data;
  } catch {
    return undefined;
  }
}

/**
 * Returns the recording as text for a file, without secrets and without response headers such as cookies. The webhook secret,
 * too, is replaced by the same text wherever it occurs.
 */
export function recordingText(recording: Recording, hide: Hide): string {
  const calls = recording.calls.map((call) =>
    call.name === 'proxy' ? { ...call, answer: withoutSecretHeaders(call.answer) } : call,
  );
  const hidden = (_name: string, value: unknown) => (typeof value === 'string' ? hide(value) : value);
  return `${JSON.stringify({ ...recording, calls }, hidden, 2)}\n`;
}

/** Wraps the functions to add their results to `calls`. */
export function recorded(functions: HostFunctions, calls: RecordedCall[]): HostFunctions {
  const recording = RECORDED.map((name) => [name, recordedCall(name, functions, calls)] as const);
  return { ...functions, ...Object.fromEntries(recording) };
}

/**
 * Returns functions that return what was recorded, each result once.
 *
 * A call gets the result of the same call; else, since scripts send times and random values, the next result for its method and
 * endpoint.
 */
export function replayed({ metadata, calls }: Recording): HostFunctions {
  const left = [...calls];
  const resultOf = (name: RecordedCall['name'], args: readonly unknown[]): unknown => {
    const ofName = left.filter((call) => call.name === name);
    const call =
      ofName.find((one) => isDeepStrictEqual(one.args, args)) ?? ofName.find((one) => placeOf(one.args) === placeOf(args));
    if (call === undefined)
      throw new ScriptCallError('not_recorded', `the recording has no result of ${name} ${placeOf(args)}`.trim());
    left.splice(left.indexOf(call), 1);
    if (call.fault === undefined) return call.answer;
    const { code, message, status } = call.fault;
    throw new ScriptCallError(code, message, status === undefined ? {} : { status });
  };
  const replaying = RECORDED.map((name) => [name, async (args: readonly unknown[]) => resultOf(name, args)] as const);
  return { ...Object.fromEntries(replaying), getMetadata: async () => metadata };
}

function recordedCall(name: RecordedCall['name'], functions: HostFunctions, calls: RecordedCall[]): HostFunction {
  return async (args, signal) => {
    const index = calls.push({ name, args: [...args] }) - 1;
    try {
      const result = await functions[name]?.(args, signal);
      calls[index] = { name, args: [...args], answer: result };
      return result;
    } catch (error) {
      calls[index] = { name, args: [...args], fault: faultOf(error) };
      throw error;
    }
  };
}

function faultOf(error: unknown): NonNullable<RecordedCall['fault']> {
  if (!(error instanceof ScriptCallError)) return { code: 'internal_error', message: 'the call failed' };
  const { code, message, status } = error;
  return { code, message, ...(status !== undefined && { status }) };
}

function withoutSecretHeaders(response: unknown): unknown {
  if (typeof response !== 'object' || response === null) return response;
  const { headers = {} }: { readonly headers?: object } = response;
  const kept = Object.entries(headers).map(([name, value]) => [name, isSecretName(name) ? HIDDEN : value] as const);
  return { ...response, headers: Object.fromEntries(kept) };
}

function placeOf([request]: readonly unknown[]): string {
  if (typeof request !== 'object' || request === null) return '';
  const { method = 'GET', endpoint = '' }: { readonly method?: unknown; readonly endpoint?: unknown } = request;
  return `${method} ${String(endpoint).split(/[?#]/)[0]}`;
}
