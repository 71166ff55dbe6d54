import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { ScriptOutcome } from '../../../scripts-runtime/script-run.ts';
import { readConfig } from '../../config/read.ts';
import { copyWithTexts, parseJson } from '../../kit/exact-json.ts';
import { writePrivateFile } from '../../kit/private-file.ts';
import { type CallReport, formatCall, reportingCalls } from '../../scripts/call-report.ts';
import { Compiler } from '../../scripts/compiler.ts';
import { entryOf, isScriptEvent, SCRIPT_EVENTS } from '../../scripts/event.ts';
import { type RecordedCall, type Recording, recorded, recordingText } from '../../scripts/host-functions/recording.ts';
import { type HostFunctions, withUnwrittenMetadata, withWritesOf } from '../../scripts/host-functions/unwritten-metadata.ts';
import { type Hide, hidden } from '../../scripts/run-secrets.ts';
import { commandError, usageError } from '../output.ts';
import { prepare } from './prepare.ts';
import { eventOf, textOf } from './script-files.ts';
import { type TestSetup, withConnection, withRecording } from './test-setup.ts';

const TEXT = { type: 'string' } as const;
const READ_MS = 10_000;
const SWITCH = { type: 'boolean', default: false } as const;
const OPTIONS = {
  connection: TEXT,
  integration: TEXT,
  event: TEXT,
  payload: TEXT,
  record: TEXT,
  replay: TEXT,
  write: SWITCH,
  env: { ...TEXT, default: 'dev' },
  json: SWITCH,
} as const;
const USAGE =
  'scripts test <file> --connection ID --integration KEY, or scripts test <file> --replay FILE (see docs/command-line.md)';

const eventSchema = z.strictObject({
  type: z.string(),
  payload: z.json(),
  headers: z.record(z.string(), z.string()).default({}),
  verified: z.boolean().default(true),
});

/**
 * `scripts test <file>`: runs a script once in the sandbox and reports every call.
 *
 * @throws CommandError for wrong arguments or an invalid script, and when the script fails
 */
export async function testCommand(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  const script = await prepare(new Compiler(), options.event, options.file);
  if ('faults' in script) throw commandError(script.faults.join('\n'));
  const scriptArgs = options.payload === undefined ? [] : [await readEvent(options.payload)];

  await using opened = new AsyncDisposableStack();
  const setup = await openSetup(opened, options);
  const { runner, environmentId, facts } = setup;
  const { functions: hostFunctions, calls, save } = await instrument(setup, options);
  const code = { source: script.compiled.code, entry: entryOf(options.event), args: scriptArgs };
  const outcome = await runner.run({ environmentId, facts, hostFunctions, ...code });

  const hide = await setup.hideNow();
  await save(hide);
  print(hidden(reportOf(outcome), hide), { calls: hidden(calls, hide), asJson: options.json });
  if (outcome.status !== 'done') throw commandError(`the script ${outcome.status}: ${reasonOf(outcome, hide)}`);
}

/** Wraps the host functions: reports every call, writes metadata only with `--write`, and records with `--record`. */
async function instrument({ functions, facts, hide }: TestSetup, { event, write, json, record }: TestOptions) {
  const calls: CallReport[] = [];
  const responses: RecordedCall[] = [];
  const metadata = record === undefined ? {} : await metadataOf(functions);
  const recording = record === undefined ? functions : recorded(functions, responses);
  const written = withWritesOf(event, write ? recording : withUnwrittenMetadata(recording));
  const onCall = (call: CallReport) => {
    calls.push(call);
    if (!json) console.log(formatCall(hidden(call, hide)));
  };
  const save = async (hideNow: Hide): Promise<void> => {
    if (record !== undefined)
      await writePrivateFile(record, recordingText({ version: 1, ...facts, metadata, calls: responses }, hideNow));
  };
  return { functions: reportingCalls(written, onCall), calls, save };
}

type TestOptions = ReturnType<typeof readOptions>;

function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  const [file, ...more] = positionals;
  const { connection, integration, replay, record, write } = values;
  if (file === undefined || more.length > 0) throw usageError(USAGE);
  const isOffline = replay !== undefined;
  if (isOffline ? connection !== undefined || integration !== undefined : !connection || !integration) throw usageError(USAGE);
  if (isOffline && (write || record !== undefined)) throw usageError('--replay cannot be combined with --write or --record');
  const event = values.event ?? eventOf(file);
  if (event === undefined || !isScriptEvent(event))
    throw usageError(`the file is not named after an event: --event must be one of ${SCRIPT_EVENTS.join(', ')}`);
  if ((event === 'on-webhook') !== (values.payload !== undefined))
    throw usageError(
      'an on-webhook script requires --payload FILE, with {"type", "payload", "headers", "verified"}; others do not allow it',
    );
  return { ...values, file, event };
}

async function readEvent(file: string): Promise<unknown> {
  try {
    return eventSchema.parse(copyWithTexts(parseJson(await textOf(file))));
  } catch (error) {
    if (!(error instanceof z.ZodError || error instanceof SyntaxError)) throw error;
    throw commandError(`${file} is not an event: expected {"type", "payload", "headers", "verified"} as JSON`);
  }
}

function openSetup(opened: AsyncDisposableStack, options: TestOptions): Promise<TestSetup> {
  const { replay, connection = '', integration = '', env } = options;
  if (replay !== undefined) return withRecording(opened, readConfig().config, replay);
  return withConnection(opened, { environment: env, connectionId: connection, providerConfigKey: integration });
}

async function metadataOf({ getMetadata }: HostFunctions): Promise<Recording['metadata']> {
  const metadata = await getMetadata?.([], AbortSignal.timeout(READ_MS));
  return metadata as Recording['metadata'];
}

type Report = ReturnType<typeof reportOf>;

function reportOf({ status, cause, error, result, durationMs, memoryMb, log }: ScriptOutcome) {
  const numbers = { duration_ms: Math.round(durationMs), memory_mb: Math.round(memoryMb * 10) / 10 };
  return { status, cause: cause ?? null, error: error ?? null, result: result ?? null, ...numbers, log };
}

function print(report: Report, { calls, asJson }: { readonly calls: readonly CallReport[]; readonly asJson: boolean }): void {
  const { status, cause, result, duration_ms, memory_mb, log } = report;
  if (asJson) {
    console.log(JSON.stringify({ ...report, calls }));
    return;
  }
  for (const line of log) console.log(JSON.stringify(line));
  if (result !== null) console.log(JSON.stringify(result));
  console.log(`${cause === null ? status : `${status} (${cause})`}  ${duration_ms} ms  ${memory_mb} MB`);
}

function reasonOf({ cause, error }: ScriptOutcome, hide: Hide): string {
  return error === undefined ? String(cause) : hide(`${error.name}: ${error.message}`);
}
