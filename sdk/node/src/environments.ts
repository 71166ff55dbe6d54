import type { CallOptions } from './caller.ts';
import type { Body, Query, ResponseBody } from './operation-types.ts';
import { Resource } from './resource.ts';

/** The environments of an account, which are isolated from each other. All calls require an account key. */
export class Environments extends Resource {
  list(options: CallOptions = {}): Promise<ResponseBody<'listEnvironments'>> {
    return this.caller.call('listEnvironments', options);
  }

  /** Creates an environment. Only this response contains the environment's full-access key. */
  create(environment: Body<'createEnvironment'>, options: CallOptions = {}): Promise<ResponseBody<'createEnvironment'>> {
    return this.caller.call('createEnvironment', { body: environment, ...options });
  }

  /** Deletes an environment and everything in it. */
  delete(id: number, options: CallOptions = {}): Promise<ResponseBody<'deleteEnvironment'>> {
    return this.caller.call('deleteEnvironment', { path: { id }, ...options });
  }
}

/** The API keys of environments. All calls require an account key. */
export class ApiKeys extends Resource {
  /** Returns all keys that have not been revoked, without their secrets. */
  list(query: Query<'listApiKeys'>, options: CallOptions = {}): Promise<ResponseBody<'listApiKeys'>> {
    return this.caller.call('listApiKeys', { query, ...options });
  }

  /** Creates a key. Only this response contains its secret. */
  create(key: Body<'createApiKey'>, options: CallOptions = {}): Promise<ResponseBody<'createApiKey'>> {
    return this.caller.call('createApiKey', { body: key, ...options });
  }

  delete(key: Body<'deleteApiKey'>, options: CallOptions = {}): Promise<ResponseBody<'deleteApiKey'>> {
    return this.caller.call('deleteApiKey', { body: key, ...options });
  }
}

/** The variables of an environment, which its scripts can read. */
export class EnvironmentVariables extends Resource {
  list(options: CallOptions = {}): Promise<ResponseBody<'listEnvironmentVariables'>> {
    return this.caller.call('listEnvironmentVariables', options);
  }
}
