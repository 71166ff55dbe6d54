import { Program } from './program.ts';
import { type OurService, startOurService } from './service.ts';

const CONNECTIONS = 10_000;
const CALLERS = 8;
const GOAL_SECONDS = 60;

/** Measures imports over HTTP, each in its own request, from several concurrent callers. */
export async function run(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const upstream = stack.use(await Program.start('upstream'));
  const service = await startOurService(stack, `http://127.0.0.1:${upstream.port}`);
  if (service === undefined) return;
  const started = performance.now();
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => importShare(service, caller)));
  const seconds = (performance.now() - started) / 1000;
  const rate = (CONNECTIONS / seconds).toFixed(0);
  console.log(
    `  ${CONNECTIONS} connections by ${CALLERS} callers: ${seconds.toFixed(1)} s, ${rate}/s (goal: at most ${GOAL_SECONDS} s)`,
  );
}

async function importShare({ api, integration }: OurService, caller: number): Promise<void> {
  for (let index = caller; index < CONNECTIONS; index += CALLERS) {
    const response = await api.post('/connections', {
      provider_config_key: integration,
      connection_id: `imported-${index}`,
      credentials: { type: 'OAUTH2', access_token: `token-${index}`, refresh_token: `refresh-${index}` },
      tags: { end_user_id: `user-${index % 1000}`, organization_id: `org-${index % 50}` },
      metadata: { index },
    });
    if (response.status !== 200) throw new Error(`an import failed: ${response.status} ${response.text}`);
  }
}
