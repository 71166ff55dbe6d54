import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { ScriptOutcome } from '../../../scripts-runtime/script-run.ts';
import { readConfig } from '../../config/read.ts';
import { writePrivateFile } from '../../kit/private-file.ts';
import { Compiler } from '../../scripts/compiler.ts';
import { entryOf, isScriptEvent, SCRIPT_EVENTS } from '../../scripts/event.ts';
import { type RecordedCall, type Recording, recorded, recordingText } from '../../scripts/host-functions/recording.ts';
import { type HostFunctions, withUnwrittenMetadata, withWritesOf } from '../../scripts/host-functions/unwritten-metadata.ts';
import type { Hide } from '../../scripts/run-secrets.ts';
import { refused, usage } from '../output.ts';
import { prepare } from './prepare.ts';
import { type Rehearsal, withConnection, withRecording } from './rehearsal.ts';
import { eventOf, textOf } from './script-files.ts';
import { lineOf, type ShownCall, shown } from './shown-calls.ts';

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

/** `scripts test <file>`: one run in the sandbox, with every call shown. @throws CommandError also when the script fails */
export async function testCommand(args: readonly string[]): Promise<void> {
  const wanted = readWanted(args);
  const script = await prepare(new Compiler(), wanted.event, wanted.file);
  if ('faults' in script) throw refused(script.faults.join('\n'));
  const scriptArgs = wanted.payload === undefined ? [] : [await readEvent(wanted.payload)];

  await using opened = new AsyncDisposableStack();
  const rehearsal = await openRehearsal(opened, wanted);
  const { runner, environmentId, facts } = rehearsal;
  const { functions: hostFunctions, calls, save } = await watched(rehearsal, wanted);
  const code = { source: script.compiled.code, entry: entryOf(wanted.event), args: scriptArgs };
  const outcome = await runner.run({ environmentId, facts, hostFunctions, ...code });

  const hide = await rehearsal.hideNow();
  await save(hide);
  print(hidden(reportOf(outcome), hide), { calls: hidden(calls, hide), asJson: wanted.json });
  if (outcome.status !== 'done') throw refused(`the script ${outcome.status}: ${reasonOf(outcome, hide)}`);
}

/** The rehearsal's functions with every call shown, nothing written without being asked to, and a recording, if one is wanted. */
async function watched({ functions, facts, hide }: Rehearsal, { event, write, json, record }: Wanted) {
  const calls: ShownCall[] = [];
  const answers: RecordedCall[] = [];
  const metadata = record === undefined ? {} : await metadataOf(functions);
  const asked = record === undefined ? functions : recorded(functions, answers);
  const written = withWritesOf(event, write ? asked : withUnwrittenMetadata(asked));
  const tell = (call: ShownCall) => {
    calls.push(call);
    if (!json) console.log(lineOf(hidden(call, hide)));
  };
  const save = async (hideNow: Hide): Promise<void> => {
    if (record !== undefined)
      await writePrivateFile(record, recordingText({ version: 1, ...facts, metadata, calls: answers }, hideNow));
  };
  return { functions: shown(written, tell), calls, save };
}

type Wanted = ReturnType<typeof readWanted>;

function readWanted(args: readonly string[]) {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  const [file, ...more] = positionals;
  const { connection, integration, replay, record, write } = values;
  if (file === undefined || more.length > 0) throw usage(USAGE);
  const isOffline = replay !== undefined;
  if (isOffline ? connection !== undefined || integration !== undefined : !connection || !integration) throw usage(USAGE);
  if (isOffline && (write || record !== undefined))
    throw usage('--replay touches nothing: it goes with neither --write nor --record');
  const event = values.event ?? eventOf(file);
  if (event === undefined || !isScriptEvent(event))
    throw usage(`the file's name is no event: --event needs one of ${SCRIPT_EVENTS.join(', ')}`);
  if ((event === 'on-webhook') !== (values.payload !== undefined))
    throw usage(
      'an on-webhook script needs --payload FILE, the event as {"type", "payload", "headers", "verified"}; others take none',
    );
  return { ...values, file, event };
}

async function readEvent(file: string): Promise<unknown> {
  try {
    return eventSchema.parse(JSON.parse(await textOf(file)));
  } catch (error) {
    if (!(error instanceof z.ZodError || error instanceof SyntaxError)) throw error;
    throw refused(`${file} is no event: {"type", "payload", "headers", "verified"}, as JSON`);
  }
}

function openRehearsal(opened: AsyncDisposableStack, wanted: Wanted): Promise<Rehearsal> {
  const { replay, connection = '', integration = '', env } = wanted;
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

function print(report: Report, { calls, asJson }: { readonly calls: readonly ShownCall[]; readonly asJson: boolean }): void {
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

/** A copy without what the connection and its integration keep secret. */
function hidden<T>(value: T, hide: Hide): T {
  return JSON.parse(JSON.stringify(value), (_name, member) => (typeof member === 'string' ? hide(member) : member));
}
