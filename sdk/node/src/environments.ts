import type { CallOptions } from './caller.ts';
import type { Answer, Body, Query } from './operation-types.ts';
import { Resource } from './resource.ts';

/** Isolated parts of an account. Requires an account key. */
export class Environments extends Resource {
  list(options: CallOptions = {}): Promise<Answer<'listEnvironments'>> {
    return this.caller.call('listEnvironments', options);
  }

  /** The response is the only one to contain the environment's full-access key. */
  create(environment: Body<'createEnvironment'>, options: CallOptions = {}): Promise<Answer<'createEnvironment'>> {
    return this.caller.call('createEnvironment', { body: environment, ...options });
  }

  /** Deletes everything in it, too. */
  delete(id: number, options: CallOptions = {}): Promise<Answer<'deleteEnvironment'>> {
    return this.caller.call('deleteEnvironment', { path: { id }, ...options });
  }
}

/** Keys of environments. Requires an account key. */
export class ApiKeys extends Resource {
  /** Keys that are not revoked, without their secrets. */
  list(query: Query<'listApiKeys'>, options: CallOptions = {}): Promise<Answer<'listApiKeys'>> {
    return this.caller.call('listApiKeys', { query, ...options });
  }

  /** The response is the only one to contain the secret. */
  create(key: Body<'createApiKey'>, options: CallOptions = {}): Promise<Answer<'createApiKey'>> {
    return this.caller.call('createApiKey', { body: key, ...options });
  }

  delete(key: Body<'deleteApiKey'>, options: CallOptions = {}): Promise<Answer<'deleteApiKey'>> {
    return this.caller.call('deleteApiKey', { body: key, ...options });
  }
}

/** Values that the operator sets for an environment. */
export class EnvironmentVariables extends Resource {
  list(options: CallOptions = {}): Promise<Answer<'listEnvironmentVariables'>> {
    return this.caller.call('listEnvironmentVariables', options);
  }
}
