import { Caller, type SvcOptions } from './caller.ts';
import { ConnectSessions } from './connect-sessions.ts';
import { Connections } from './connections.ts';
import { ApiKeys, Environments, EnvironmentVariables } from './environments.ts';
import { Integrations } from './integrations.ts';
import { Logs } from './logs.ts';
import { Providers } from './providers.ts';
import { ConnectionProxy } from './proxy.ts';
import { Scripts } from './scripts.ts';
import { WebhookInbox } from './webhook-inbox.ts';
import { WebhookMessages } from './webhook-messages.ts';

export type { CallOptions, SvcOptions } from './caller.ts';
export type { ConnectSession } from './connect-sessions.ts';
export type { Connection, ConnectionAddress, ForcedRefresh, ImportOptions, ListedConnection } from './connections.ts';
export { type ErrorCode, type ErrorDetail, InvalidCredentialsError, SvcError } from './errors.ts';
export type { Integration } from './integrations.ts';
export type { ListedLog } from './logs.ts';
export type { Body, OperationId, Query, ResponseBody } from './operation-types.ts';
export { type AuthWebhook, type ForwardWebhook, InvalidWebhookError, parseWebhook, type Webhook } from './parse-webhook.ts';
export type { Provider } from './providers.ts';
export type { ProxyOptions } from './proxy.ts';
export type { Script, ScriptAddress, ScriptEvent, ScriptRun } from './scripts.ts';
export { verifyWebhook, verifyWebhookHmac, type WebhookHeaders } from './verify-webhook.ts';
export type { ListedWebhookMessage, WebhookMessage } from './webhook-messages.ts';

/** The client of the service. */
export class Svc {
  readonly connections: Connections;
  readonly integrations: Integrations;
  readonly providers: Providers;
  readonly scripts: Scripts;
  readonly connectSessions: ConnectSessions;
  readonly environments: Environments;
  readonly apiKeys: ApiKeys;
  readonly environmentVariables: EnvironmentVariables;
  readonly logs: Logs;
  readonly webhookInbox: WebhookInbox;
  readonly webhookMessages: WebhookMessages;
  readonly proxy: ConnectionProxy;

  constructor(options: SvcOptions) {
    const caller = new Caller(options);
    this.connections = new Connections(caller);
    this.integrations = new Integrations(caller);
    this.providers = new Providers(caller);
    this.scripts = new Scripts(caller);
    this.connectSessions = new ConnectSessions(caller);
    this.environments = new Environments(caller);
    this.apiKeys = new ApiKeys(caller);
    this.environmentVariables = new EnvironmentVariables(caller);
    this.logs = new Logs(caller);
    this.webhookInbox = new WebhookInbox(caller);
    this.webhookMessages = new WebhookMessages(caller);
    this.proxy = new ConnectionProxy(caller);
  }
}
