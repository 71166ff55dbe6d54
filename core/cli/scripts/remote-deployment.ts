import { z } from 'zod';
import { createOutbound, type Outbound, OutboundError } from '../../kit/outbound.ts';
import { commandError, usageError } from '../output.ts';
import type { Deployed, Deployment, ReadyScript } from './deployment.ts';

const TIMEOUT_MS = 60_000;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

const integrations = z.object({ data: z.array(z.object({ unique_key: z.string() })) });
const scripts = z.object({ data: z.array(z.object({ event: z.string(), version: z.number() })) });
const script = z.object({ data: z.object({ version: z.number() }) });
const failure = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

interface Service {
  readonly url: string;
  /** API key of the environment, with the scopes `environment:integrations:list` and `environment:scripts:*`. */
  readonly key: string;
}

/** Deploys through the API of a remote service, one script at a time: if one is rejected, those before it stay deployed. */
export function remoteDeployment({ url, key }: Service): Deployment {
  const base = URL.parse(url);
  if (base === null || !['http:', 'https:'].includes(base.protocol))
    throw usageError(`--url must be the URL of the service, such as https://svc.example.com, not "${url}"`);
  // The user named the address, so it may be private or without TLS.
  const outbound = createOutbound({ allow: [base.host] });
  const api = new Api(outbound, { url: base.href.replace(/\/$/, ''), key });
  return {
    integrationKeys: async () =>
      (await api.call({ method: 'GET', path: '/integrations' }, integrations)).data.map((one) => one.unique_key),
    deploy: async (ready) => {
      const deployed: Deployed[] = [];
      for (const one of ready) deployed.push(await deployOne(api, one));
      return deployed;
    },
    [Symbol.asyncDispose]: () => outbound[Symbol.asyncDispose](),
  };
}

async function deployOne(api: Api, { integrationKey, event, language, source }: ReadyScript): Promise<Deployed> {
  const path = `/integrations/${encodeURIComponent(integrationKey)}/scripts`;
  const before = (await api.call({ method: 'GET', path }, scripts)).data.find((one) => one.event === event)?.version;
  const { version } = (await api.call({ method: 'PUT', path: `${path}/${event}`, body: { language, source } }, script)).data;
  return { integration: integrationKey, event, version, status: version === before ? 'unchanged' : 'deployed' };
}

interface DeploymentCall {
  readonly method: 'GET' | 'PUT';
  readonly path: string;
  readonly body?: unknown;
}

class Api {
  readonly #outbound: Outbound;
  readonly #service: Service;

  constructor(outbound: Outbound, service: Service) {
    this.#outbound = outbound;
    this.#service = service;
  }

  /** @throws CommandError when the service cannot be reached, or responds with an error or unexpectedly */
  async call<T>(call: DeploymentCall, schema: z.ZodType<T>): Promise<T> {
    const { status, text } = await this.#send(call);
    const json = parsed(text);
    const read = schema.safeParse(json);
    if (status === 200 && read.success) return read.data;
    const { error } = failure.safeParse(json).data ?? {};
    const reason = error === undefined ? 'unexpected response' : `${error.message} (${error.code})`;
    throw commandError(`${call.method} ${this.#service.url}${call.path}: ${status}: ${reason}`);
  }

  async #send({ method, path, body }: DeploymentCall) {
    const { url, key } = this.#service;
    const content = body === undefined ? {} : { 'content-type': 'application/json' };
    try {
      const response = await this.#outbound.call(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, ...content },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_RESPONSE_BYTES,
      });
      return { status: response.status, text: response.body.toString('utf8') };
    } catch (error) {
      if (error instanceof OutboundError) throw commandError(`${url} cannot be reached: ${error.message}`);
      throw error;
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
