import type { Config } from '../../config/schema.ts';
import { requireConnection } from '../../connections/connections.ts';
import { requireIntegration } from '../../integrations/integrations.ts';
import { createLogger } from '../../kit/logger.ts';
import { hostFunctionsOf } from '../../scripts/host-functions/host-functions.ts';
import { readRecording, replayed } from '../../scripts/host-functions/recording.ts';
import type { HostFunctions } from '../../scripts/host-functions/unwritten-metadata.ts';
import { type Hide, hiderOf } from '../../scripts/run-secrets.ts';
import { ScriptRunner } from '../../scripts/runner.ts';
import type { RunSubject } from '../../scripts/subject.ts';
import { openServices } from '../../services.ts';
import { joinDatabase, requireEnvironment } from '../join.ts';
import { refused } from '../output.ts';
import { textOf } from './script-files.ts';

/** What a script is tried with: a connection that is there, or what was recorded of one. */
export interface Rehearsal {
  readonly runner: Pick<ScriptRunner, 'run'>;
  readonly environmentId: number;
  readonly facts: { readonly connectionId: string; readonly providerConfigKey: string };
  readonly functions: HostFunctions;
  readonly hide: Hide;
  /** The same after the run, which may have renewed the credentials. */
  hideNow(): Promise<Hide>;
}

export interface WantedConnection {
  readonly environment: string;
  readonly connectionId: string;
  readonly providerConfigKey: string;
}

/** With the service's own parts; what they call is called. @throws CommandError, ServiceError when there is no such connection */
export async function withConnection(opened: AsyncDisposableStack, wanted: WantedConnection): Promise<Rehearsal> {
  const joined = opened.use(await joinDatabase());
  const { id: environmentId } = await requireEnvironment(joined.db, wanted.environment);
  const services = opened.use(await openServices(joined.config, joined));
  const facts = { connectionId: wanted.connectionId, providerConfigKey: wanted.providerConfigKey };
  const integration = await requireIntegration(services, environmentId, facts.providerConfigKey);
  const connection = await requireConnection(services, { environmentId, ...facts });
  const subject: RunSubject = { way: 'live', integration, connection };
  const variables = new Set<string>();
  return {
    runner: services.scriptRunner,
    environmentId,
    facts,
    functions: hostFunctionsOf(services, subject, { onVariable: (value) => variables.add(value) }),
    hide: (text) => hiderOf(subject, connection, variables)(text),
    hideNow: async () => {
      const current = await requireConnection(services, { environmentId, ...facts });
      return hiderOf({ ...subject, connection: current }, connection, variables);
    },
  };
}

/** Without a database and without the network. @throws CommandError when the file is no recording */
export async function withRecording(opened: AsyncDisposableStack, config: Config, file: string): Promise<Rehearsal> {
  const recording = readRecording(await textOf(file));
  if (recording === undefined) throw refused(`${file} is no recording of \`scripts test --record\``);
  const { connectionId, providerConfigKey } = recording;
  const log = createLogger({ level: 'warn', write: (line) => process.stderr.write(line) });
  const limits = { timeoutMs: config.SVC_SCRIPT_TIMEOUT_MS, memoryMb: config.SVC_SCRIPT_MEMORY_MB, workers: 1 };
  const runner = opened.use(new ScriptRunner({ limits, log }));
  const facts = { connectionId, providerConfigKey };
  const hide: Hide = (text) => text; // nothing in a recording is secret
  return { runner, environmentId: 0, facts, functions: replayed(recording), hide, hideNow: async () => hide };
}
