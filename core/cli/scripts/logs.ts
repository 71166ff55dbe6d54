import { parseArgs } from 'node:util';
import { isScriptEvent, SCRIPT_EVENTS, type ScriptEvent } from '../../scripts/event.ts';
import { type IntegrationAddress, listRuns, listScripts } from '../../scripts/scripts.ts';
import { type CommandContext, openContext, requireEnvironment } from '../command-context.ts';
import { usageError } from '../output.ts';

const OPTIONS = { json: { type: 'boolean' }, env: { type: 'string', default: 'dev' } } as const;

/**
 * `scripts logs <unique_key> [event]`: prints the latest runs, newest first.
 *
 * @throws CommandError for wrong arguments or an unknown environment; ServiceError for an unknown integration
 */
export async function logsCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  const [uniqueKey, event, ...more] = positionals;
  if (uniqueKey === undefined || more.length > 0 || (event !== undefined && !isScriptEvent(event)))
    throw usageError(`scripts logs <unique_key> [event], where the event is ${SCRIPT_EVENTS.join(', ')}`);
  await using context = await openContext();
  const { id: environmentId } = await requireEnvironment(context.db, values.env);
  const runs = await runsOf(context, { environmentId, uniqueKey }, event);
  if (values.json === true) console.log(JSON.stringify({ data: runs }));
  else for (const run of runs) console.log(linesOf(run).join('\n'));
}

type ShownRun = Awaited<ReturnType<typeof runsOf>>[number];

async function runsOf({ db }: CommandContext, address: IntegrationAddress, event: ScriptEvent | undefined) {
  const events = event === undefined ? (await listScripts(db, address)).map((script) => script.event) : [event];
  const runs = await Promise.all(
    events.map(async (one) => (await listRuns(db, address, { event: one })).map((run) => ({ event: one, ...run }))),
  );
  return runs
    .flat()
    .toSorted((one, other) => other.started_at.getTime() - one.started_at.getTime())
    .map(({ id, event: of, version, connection_id, status, cause, started_at, duration_ms, memory_mb, log }) => {
      return { id, event: of, version, connection_id, status, cause, started_at, duration_ms, memory_mb, log };
    });
}

function linesOf({ started_at, event, version, connection_id, status, cause, duration_ms, memory_mb, log }: ShownRun): string[] {
  const ended = cause === null ? status : `${status} (${cause})`;
  const head = [started_at.toISOString(), event, `version ${version}`, connection_id ?? '-', ended];
  const lines = log.map((line) => `    ${JSON.stringify(line)}`);
  return [[...head, `${duration_ms} ms`, `${memory_mb} MB`].join('  '), ...lines];
}
