import type { CallOptions } from './caller.ts';
import type { Body, Query, ResponseBody } from './operation-types.ts';
import { Resource } from './resource.ts';

/** Isolated parts of an account. Requires an account key. */
export class Environments extends Resource {
  list(options: CallOptions = {}): Promise<ResponseBody<'listEnvironments'>> {
    return this.caller.call('listEnvironments', options);
  }

  /** Creates an environment. This response is the only one to contain the environment's full-access key. */
  create(environment: Body<'createEnvironment'>, options: CallOptions = {}): Promise<ResponseBody<'createEnvironment'>> {
    return this.caller.call('createEnvironment', { body: environment, ...options });
  }

  /** Deletes an environment, and everything in it. */
  delete(id: number, options: CallOptions = {}): Promise<ResponseBody<'deleteEnvironment'>> {
    return this.caller.call('deleteEnvironment', { path: { id }, ...options });
  }
}

/** Keys of environments. Requires an account key. */
export class ApiKeys extends Resource {
  /** Returns the keys that are not revoked, without their secrets. */
  list(query: Query<'listApiKeys'>, options: CallOptions = {}): Promise<ResponseBody<'listApiKeys'>> {
    return this.caller.call('listApiKeys', { query, ...options });
  }

  /** Creates a key. This response is the only one to contain the secret. */
  create(key: Body<'createApiKey'>, options: CallOptions = {}): Promise<ResponseBody<'createApiKey'>> {
    return this.caller.call('createApiKey', { body: key, ...options });
  }

  delete(key: Body<'deleteApiKey'>, options: CallOptions = {}): Promise<ResponseBody<'deleteApiKey'>> {
    return this.caller.call('deleteApiKey', { body: key, ...options });
  }
}

/** Values that the operator sets for an environment. */
export class EnvironmentVariables extends Resource {
  list(options: CallOptions = {}): Promise<ResponseBody<'listEnvironmentVariables'>> {
    return this.caller.call('listEnvironmentVariables', options);
  }
}
