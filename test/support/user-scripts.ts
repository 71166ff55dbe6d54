import type { ScriptEvent } from '../../core/scripts/event.ts';
import { type AppOptions, startApp, type TestApp } from './app.ts';
import { type Connected, connect, connectAgain, mustBe, type Service } from './connect.ts';
import { type FakeProvider, startFakeProvider } from './fake-provider/fake-provider.ts';
import { until } from './until.ts';

/** The time limit of a script, which is short because tests wait for scripts that never end. */
export const TIMEOUT_MS = 4_000;

/** A run of a script as the API shows it. */
export interface ShownRun {
  readonly id: string;
  readonly version: number;
  readonly status: 'done' | 'failed' | 'killed';
  readonly duration_ms: number;
  readonly memory_mb: number;
  readonly cause: string | null;
  readonly log: readonly { readonly level: string; readonly message: string; readonly facts?: unknown }[];
}

/** The whole service, its provider, the integration `fake`, and the scripts of this integration. */
export interface ScriptedService extends AsyncDisposable {
  readonly app: TestApp;
  readonly provider: FakeProvider;
  deploy(event: ScriptEvent, source: string): Promise<void>;
  /** Removes the script of an event. */
  remove(event: ScriptEvent): Promise<void>;
  /** Creates one more connection. */
  connect(): Promise<Connected>;
  /** Returns the runs of an event, the newest first. */
  runs(event: ScriptEvent): Promise<readonly ShownRun[]>;
  /** Returns the newest run of an event, once there are `count` runs. */
  ran(event: ScriptEvent, count?: number): Promise<ShownRun>;
}

/** @param options `withJobs` also starts the queue of scripts, which runs the scripts that no request waits for */
export async function startScriptedService({
  withJobs = false,
  env = {},
  ...options
}: AppOptions & { readonly withJobs?: boolean } = {}): Promise<ScriptedService> {
  await using opened = new AsyncDisposableStack();
  const provider = opened.use(await startFakeProvider());
  const app = opened.use(await startApp({ ...options, env: { SVC_SCRIPT_TIMEOUT_MS: String(TIMEOUT_MS), ...env } }));
  if (withJobs) app.services.scriptQueue.start();
  await connect(app, provider);
  const runs = async (event: ScriptEvent) => (await app.api.get(`/integrations/fake/scripts/${event}/runs`)).body.data;
  const closing = opened.move();
  return {
    app,
    provider,
    deploy: (event, source) => deploy(app, { event, source }),
    remove: async (event) => mustBe(204, await app.api.delete(`/integrations/fake/scripts/${event}`)),
    connect: () => connectAgain(app),
    runs,
    ran: async (event, count = 1) => {
      await until(`${count} runs of ${event}`, async () => (await runs(event)).length >= count);
      return (await runs(event))[0];
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

interface DeployedScript {
  readonly event: ScriptEvent;
  readonly source: string;
  /** The key of the integration. */
  readonly key?: string;
}

export async function deploy({ api }: Service, { event, source, key = 'fake' }: DeployedScript): Promise<void> {
  mustBe(200, await api.put(`/integrations/${key}/scripts/${event}`, { source, language: 'typescript' }));
}
