import type { JsonObject } from '#contract';
import { callHook } from '../../catalogue/plugins/call-hook.ts';
import type { Connection } from '../../connections/connection.ts';
import { hookFacts, type Subject } from '../../credentials/call-provider.ts';
import type { Stage } from './stage.ts';
import { notApplicable, ok, type StepOutcome } from './step.ts';

const URL_OF_CONNECTION = 'http://localhost:3003/webhook/rehearsal/rehearsal?svcConnectionId=rehearsal&svcTag=rehearsal';

/** What the plugin registers at the provider for one connection, and takes back when it is deleted. */
export async function subscribe(stage: Stage, connection: Connection): Promise<StepOutcome> {
  const { mode, plugin, integration } = stage;
  const { subscribe: register, renew, unsubscribe } = plugin.subscriptions ?? {};
  if (register === undefined) return notApplicable('the plugin registers no webhooks');
  const subject: Subject = { connection, mode, input: stage.inputWith(connection.connectionConfig), plugin };
  const facts = hookFacts(subject);
  const target = { url: URL_OF_CONNECTION, secret: integration.client.webhookSecret };
  const call = (hook: string, subscription: JsonObject) => ({ ...facts, hook: `subscriptions.${hook}`, subscription });
  const subscription = await callHook(stage, call('subscribe', {}), (ctx) => register(ctx, target));
  if (Object.keys(subscription).length === 0) return ok('there was nothing to register');
  if (renew !== undefined) await callHook(stage, call('renew', subscription), (ctx) => renew.run(ctx));
  if (unsubscribe !== undefined) await callHook(stage, call('unsubscribe', subscription), (ctx) => unsubscribe(ctx));
  const done = ['registered', ...(renew === undefined ? [] : ['renewed']), ...(unsubscribe === undefined ? [] : ['removed'])];
  return ok(done.join(', '));
}
