import type { ScriptEvent } from '../../core/scripts/event.ts';
import { type AppOptions, startApp, type TestApp } from './app.ts';
import { type Connected, connect, connectAgain, mustBe, type Service } from './connect.ts';
import { type FakeProvider, startFakeProvider } from './fake-provider/fake-provider.ts';
import { until } from './until.ts';

/** Short, since tests wait for scripts that never end. */
export const TIMEOUT_MS = 4_000;

/** A run as the interface shows it. */
export interface ShownRun {
  readonly id: string;
  readonly version: number;
  readonly status: 'done' | 'failed' | 'killed';
  readonly duration_ms: number;
  readonly memory_mb: number;
  readonly cause: string | null;
  readonly log: readonly { readonly level: string; readonly message: string; readonly facts?: unknown }[];
}

/** The whole service, its provider, the integration `fake`, and scripts of it. */
export interface ScriptedService extends AsyncDisposable {
  readonly app: TestApp;
  readonly provider: FakeProvider;
  deploy(event: ScriptEvent, source: string): Promise<void>;
  /** No script of that event any more. */
  remove(event: ScriptEvent): Promise<void>;
  /** One more connection. */
  connect(): Promise<Connected>;
  /** Newest first. */
  runs(event: ScriptEvent): Promise<readonly ShownRun[]>;
  /** The newest run, once there are so many. */
  ran(event: ScriptEvent, count?: number): Promise<ShownRun>;
}

/** @param options with jobs of scripts: those that nobody waits for are run, too */
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
  /** Of the integration. */
  readonly key?: string;
}

export async function deploy({ api }: Service, { event, source, key = 'fake' }: DeployedScript): Promise<void> {
  mustBe(200, await api.put(`/integrations/${key}/scripts/${event}`, { source, language: 'typescript' }));
}
