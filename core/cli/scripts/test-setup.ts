import type { Config } from '../../config/schema.ts';
import { requireConnection } from '../../connections/connections.ts';
import { requireIntegration } from '../../connections/integrations/integrations.ts';
import { createLogger } from '../../kit/logger.ts';
import { hostFunctionsOf } from '../../scripts/host-functions/host-functions.ts';
import { readRecording, replayed } from '../../scripts/host-functions/recording.ts';
import type { HostFunctions } from '../../scripts/host-functions/unwritten-metadata.ts';
import { type Hide, hiderOf } from '../../scripts/run-secrets.ts';
import { ScriptRunner } from '../../scripts/script-runner.ts';
import type { RunSubject } from '../../scripts/subject.ts';
import { openServices } from '../../services.ts';
import { openContext, requireEnvironment } from '../command-context.ts';
import { commandError } from '../output.ts';
import { textOf } from './script-files.ts';

/** The subject of a script's test: an existing connection, or a recording. */
export interface TestSetup {
  readonly runner: Pick<ScriptRunner, 'run'>;
  readonly environmentId: number;
  readonly facts: { readonly connectionId: string; readonly providerConfigKey: string };
  readonly functions: HostFunctions;
  readonly hide: Hide;
  /** Returns `hide` for use after the run: it also hides the credentials that the run may have refreshed. */
  hideNow(): Promise<Hide>;
}

interface TestedConnection {
  readonly environment: string;
  readonly connectionId: string;
  readonly providerConfigKey: string;
}

/**
 * Tests against a connection with the real services, so provider calls are real.
 *
 * @throws CommandError for an unknown environment; ServiceError for an unknown integration or connection
 */
export async function withConnection(opened: AsyncDisposableStack, tested: TestedConnection): Promise<TestSetup> {
  const context = opened.use(await openContext());
  const { id: environmentId } = await requireEnvironment(context.db, tested.environment);
  const services = opened.use(await openServices(context.config, context));
  const facts = { connectionId: tested.connectionId, providerConfigKey: tested.providerConfigKey };
  const integration = await requireIntegration(services, environmentId, facts.providerConfigKey);
  const connection = await requireConnection(services, { environmentId, ...facts });
  const subject: RunSubject = { kind: 'live', integration, connection };
  const variables = new Set<string>();
  return {
    runner: services.scriptRunner,
    environmentId,
    facts,
    functions: hostFunctionsOf(services, subject, { variables }),
    hide: (text) => hiderOf(subject, connection, variables)(text),
    hideNow: async () => {
      const current = await requireConnection(services, { environmentId, ...facts });
      return hiderOf({ ...subject, connection: current }, connection, variables);
    },
  };
}

/** Tests against a recording, with neither the database nor the network. @throws CommandError when the file is not a recording */
export async function withRecording(opened: AsyncDisposableStack, config: Config, file: string): Promise<TestSetup> {
  const recording = readRecording(await textOf(file));
  if (recording === undefined) throw commandError(`${file} was not recorded by \`scripts test --record\``);
  const { connectionId, providerConfigKey } = recording;
  const log = createLogger({ level: 'warn', write: (line) => process.stderr.write(line) });
  const limits = { timeoutMs: config.SVC_SCRIPT_TIMEOUT_MS, memoryMb: config.SVC_SCRIPT_MEMORY_MB, workers: 1 };
  const runner = opened.use(new ScriptRunner({ limits, log }));
  const facts = { connectionId, providerConfigKey };
  const hide: Hide = (text) => text; // nothing in a recording is secret
  return { runner, environmentId: 0, facts, functions: replayed(recording), hide, hideNow: async () => hide };
}
