import { join } from 'node:path';
import type { CaseDelivery, WebhookCase, WebhookRules } from '#contract';
import { readCatalogue } from '../../core/catalogue/catalogue.ts';
import { loadPlugins } from '../../core/catalogue/plugins/load.ts';
import { joinPlugins } from '../../core/catalogue/plugins/plugins.ts';
import { readWebhookCase } from '../../core/cli/rehearsal/webhook-case.ts';
import { DIRS, exampleSource, PLUGINS_DIR } from '../contract/catalogue-cases.ts';
import type { TestApp } from './app.ts';
import { canary } from './canaries.ts';
import { firstEnvironmentUuid } from './hooked.ts';
import { type ClientResponse, client } from './http-client.ts';
import { storeConnection } from './stored.ts';

/** A plugin or a provider definition that states how the provider's webhooks are verified and read. */
export interface WebhookPlugin {
  readonly name: string;
  readonly rules: WebhookRules;
  /** The content of `webhook-case.ts`; undefined if the folder has no such file. */
  readonly sample: WebhookCase | undefined;
}

const OWN_APPS: ReadonlySet<string> = new Set(['OAUTH1', 'OAUTH2']);

/** Returns all plugins with a webhook part, and all provider definitions that declare a signature. */
export async function webhookPlugins(): Promise<WebhookPlugin[]> {
  const loaded = await loadPlugins(DIRS);
  const catalogue = await readCatalogue(DIRS);
  const plugins = joinPlugins(catalogue, loaded);
  const coded = [...loaded.plugins].filter(([, { webhook }]) => webhook !== undefined).map(([name]) => name);
  const declared = catalogue.list().filter(({ definition }) => definition.webhook?.signature !== undefined);
  const folders = new Map([
    ...coded.map((name) => [name, join(PLUGINS_DIR, name)] as const),
    ...declared.map(({ slug, directory }) => [slug, directory] as const),
  ]);
  return Promise.all(
    [...folders].map(async ([name, folder]) => {
      const sample = await readWebhookCase(folder);
      const rules = plugins.webhookRules(sample?.provider ?? name);
      if (rules === undefined) throw new Error(`the provider of ${name} has no webhook part`);
      return { name, rules, sample };
    }),
  );
}

/** An integration that a provider sends webhooks to, and the connection that they are for. */
export interface WebhookScene {
  readonly key: string;
  /** The address to which the provider sends. */
  readonly url: string;
  readonly secret: string;
  readonly connectionId: string;
}

/** Creates the integration and the connection that the webhook case of a plugin needs. */
export async function storeScene(
  app: TestApp,
  name: string,
  sample: Pick<WebhookCase, 'provider' | 'secret' | 'connection'>,
): Promise<WebhookScene> {
  const secrets = { webhookSecret: canary(`webhook secret of ${name}`), clientSecret: canary(`client secret of ${name}`) };
  await storeIntegrationOf(app, name, { provider: sample.provider ?? name, ...secrets });
  if (sample.secret === 'handshake') throw new Error(`${name}: no handshake brings this scene a secret`);
  const { connectionId: wanted, connectionConfig = {}, metadata = {} } = sample.connection;
  const { connectionId } = await storeConnection(app, { key: name, ...(wanted && { connectionId: wanted }) });
  const change = { connection_config: connectionConfig, metadata };
  await app.services.db('connections').where({ connection_id: connectionId }).update(change);
  const url = `${app.url}/webhook/${await firstEnvironmentUuid(app)}/${name}`;
  return { key: name, url, secret: secrets[sample.secret], connectionId };
}

interface IntegrationOptions {
  readonly provider: string;
  readonly webhookSecret: string;
  readonly clientSecret: string;
}

/** Creates an integration of a provider, with app credentials only if the provider's users authorize an app by OAuth. */
async function storeIntegrationOf(app: TestApp, key: string, { provider: slug, ...secrets }: IntegrationOptions): Promise<void> {
  const provider = app.services.catalogue.find(slug);
  if (provider === undefined) throw new Error(`there is no provider ${slug}`);
  const { definition, integrationConfig } = exampleSource(provider);
  const ownApp = { client_id: 'client', client_secret: secrets.clientSecret };
  const { status, text } = await app.api.post('/integrations', {
    unique_key: key,
    provider: slug,
    credentials: { ...(OWN_APPS.has(definition.auth_mode) && ownApp), webhook_secret: secrets.webhookSecret },
    ...(definition.integration_config && { integration_config: integrationConfig }),
  });
  if (status !== 200) throw new Error(`the integration was not created: ${text}`);
}

/**
 * Sends a delivery exactly as given. The response is not checked against the API's description, because the plugin chooses it.
 */
export function sendDelivery(
  { url }: Pick<WebhookScene, 'url'>,
  { headers, body, query }: CaseDelivery,
): Promise<ClientResponse> {
  const search = new URLSearchParams(query).toString();
  return client(url).call('POST', search === '' ? url : `${url}?${search}`, { headers, body });
}
