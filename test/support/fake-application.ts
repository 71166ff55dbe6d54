import type { ScriptedResponse } from './scripted-server/behaviour.ts';
import { ScriptedServer } from './scripted-server/scripted-server.ts';

/** An application that receives the service's webhooks, keeps them in `ledger`, and responds with 200 by default. */
export class FakeApplication extends ScriptedServer<'webhook'> {
  protected override endpointOf(): 'webhook' {
    return 'webhook';
  }

  protected override async work(): Promise<ScriptedResponse> {
    return { status: 200, body: 'ok' };
  }
}

/** Starts an application on a free port of loopback. */
export async function startFakeApplication(): Promise<FakeApplication> {
  const application = new FakeApplication();
  await application.listen();
  return application;
}
