import type { CallOptions } from './caller.ts';
import type { Body, Query, ResponseBody } from './operation-types.ts';
import { Resource } from './resource.ts';

/** A provider configured in an environment. */
export type Integration = ResponseBody<'createIntegration'>['data'];

/** Providers configured in an environment. */
export class Integrations extends Resource {
  list(options: CallOptions = {}): Promise<ResponseBody<'listIntegrations'>> {
    return this.caller.call('listIntegrations', options);
  }

  /** @param query `include` adds the webhook URL and the credentials */
  get(
    uniqueKey: string,
    query: Query<'getIntegration'> = {},
    options: CallOptions = {},
  ): Promise<ResponseBody<'getIntegration'>> {
    return this.caller.call('getIntegration', { path: { uniqueKey }, query, ...options });
  }

  create(integration: Body<'createIntegration'>, options: CallOptions = {}): Promise<ResponseBody<'createIntegration'>> {
    return this.caller.call('createIntegration', { body: integration, ...options });
  }

  /** Creates an integration that uses the operator's shared developer app instead of your own client. */
  quickstart(
    integration: Body<'createQuickstartIntegration'>,
    options: CallOptions = {},
  ): Promise<ResponseBody<'createQuickstartIntegration'>> {
    return this.caller.call('createQuickstartIntegration', { body: integration, ...options });
  }

  /** Updates the fields that the body contains. If `unique_key` changes, the connections are kept under the new key. */
  update(
    uniqueKey: string,
    changes: Body<'updateIntegration'>,
    options: CallOptions = {},
  ): Promise<ResponseBody<'updateIntegration'>> {
    return this.caller.call('updateIntegration', { path: { uniqueKey }, body: changes, ...options });
  }

  /** Deletes an integration and all of its connections. */
  delete(uniqueKey: string, options: CallOptions = {}): Promise<ResponseBody<'deleteIntegration'>> {
    return this.caller.call('deleteIntegration', { path: { uniqueKey }, ...options });
  }
}
