import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import type { DeviationScene } from './deviation.ts';
import { matchAll } from './hooked.ts';

export const BODY = '{"type":"thing.made","account":"a-1"}';
/** Webhook rules of a definition that find the event type and the connection in `BODY`. */
export const EVENTS = { type: 'body.type', connection: [{ by: 'connection_config', field: 'account', path: 'body.account' }] };

type Delivery = Parameters<DeviationScene['deliver']>[0];

export function digest(secret: string | Buffer, text: string, encoding: 'hex' | 'base64' = 'hex'): string {
  return createHmac('sha256', secret).update(text).digest(encoding);
}

/** Creates an integration with a webhook secret and a connection for the account in `BODY`. @returns the connection ID */
export async function prepare(scene: DeviationScene, config: object = {}): Promise<string> {
  const { db } = scene.app.services;
  await scene.integrate({ credentials: { webhook_secret: scene.webhookSecret } });
  await db('environments').update({ webhook_url: 'https://application.example/webhooks' });
  const { body } = await scene.connect({ type: 'API_KEY', apiKey: 'example-api-key' });
  const change = { connection_config: { account: 'a-1', ...config } };
  await db('connections').where({ connection_id: body.connection_id }).update(change);
  return body.connection_id;
}

/** Asserts that the service accepts a delivery and forwards it to the application once, for this connection. */
export async function expectForwarded(scene: DeviationScene, delivery: Delivery, connectionId: string): Promise<void> {
  const before = (await matchAll(scene.app)).length;
  const { status, text } = await scene.deliver(delivery);
  expect(status, text).to.equal(200);
  const sent = (await matchAll(scene.app)).slice(before);
  expect(sent.map(({ body }) => body.connectionId)).to.deep.equal([connectionId]);
}

export async function expectRefused(scene: DeviationScene, ...deliveries: Delivery[]): Promise<void> {
  for (const delivery of deliveries) expect((await scene.deliver(delivery)).status).to.equal(401);
}

/** Returns the service's current time in seconds since 1970, or that of this many seconds ago. */
export function seconds({ app }: DeviationScene, ago = 0): string {
  return String(Math.floor(app.clock.now().getTime() / 1000) - ago);
}
