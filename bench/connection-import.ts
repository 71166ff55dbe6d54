import type { ClientResponse } from '../test/support/http-client.ts';
import { Program } from './program.ts';
import { type OurService, startOurService } from './service.ts';

const CONNECTIONS = 10_000;
const CALLERS = 8;
const GOAL_SECONDS = 60;

/** Measures imports and changes of tags over HTTP, each in its own request, from several concurrent callers. */
export async function run(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const upstream = stack.use(await Program.start('upstream'));
  const service = await startOurService(stack, `http://127.0.0.1:${upstream.port}`);
  if (service === undefined) return;
  const print = (what: string, seconds: number, goal = '') =>
    console.log(
      `  ${CONNECTIONS} ${what} by ${CALLERS} callers: ${seconds.toFixed(1)} s, ${(CONNECTIONS / seconds).toFixed(0)}/s${goal}`,
    );
  print('imports', await timed(service, importOne), ` (goal: at most ${GOAL_SECONDS} s)`);
  print('changes of tags', await timed(service, changeTags));
}

/** Calls `work` for the number of each connection. @returns seconds until all calls have returned */
async function timed(
  service: OurService,
  work: (service: OurService, index: number) => Promise<ClientResponse>,
): Promise<number> {
  const started = performance.now();
  const share = async (caller: number) => {
    for (let index = caller; index < CONNECTIONS; index += CALLERS) {
      const { status, text } = await work(service, index);
      if (status !== 200) throw new Error(`it failed: ${status} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => share(caller)));
  return (performance.now() - started) / 1000;
}

function importOne({ api, integration }: OurService, index: number) {
  return api.post('/connections', {
    provider_config_key: integration,
    connection_id: `imported-${index}`,
    credentials: { type: 'OAUTH2', access_token: `token-${index}`, refresh_token: `refresh-${index}` },
    tags: tagsOf(index, 'Jane'),
    metadata: { index },
  });
}

function changeTags({ api, integration }: OurService, index: number) {
  const tags = tagsOf(index, 'Joan');
  return api.patch(`/connections/imported-${index}?provider_config_key=${integration}`, { tags });
}

function tagsOf(index: number, firstName: string) {
  return {
    end_user_id: `user-${index % 1000}`,
    end_user_display_name: `${firstName} Doe ${index}`,
    end_user_email: `${firstName.toLowerCase()}.doe${index}@acme.example`,
    organization_id: `org-${index % 50}`,
  };
}
