import type { ProviderPlugin } from '#contract';

const CONTRACT = 1;

/** The contract's parts and what each may hold. A misspelt member would otherwise be silently without effect. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  auth: ['authorizationParams', 'readTokens', 'refresh', 'isRevoked'],
  connection: ['afterAuthorization', 'verify', 'beforeDeletion'],
  webhook: ['signature', 'handshake', 'events', 'deliveryId', 'forwardHeaders', 'reply'],
  proxy: ['decorate', 'retryAfter'],
  subscriptions: ['subscribe', 'renew', 'unsubscribe'],
};

const SCHEMES: readonly string[] = ['hmac', 'token', 'jwt', 'custom', 'unverified'];

/** Checks what a `plugin.ts` exports. @throws Error with what is wrong, for the plugin's author */
export function readPlugin(loaded: unknown): ProviderPlugin {
  const plugin = isObject(loaded) ? loaded['default'] : undefined;
  if (!isPlugin(plugin)) throw new Error(`must export default { contract: ${CONTRACT}, … }`);
  for (const [part, value] of Object.entries(plugin)) checkPart(part, value);
  return plugin;
}

function isPlugin(value: unknown): value is ProviderPlugin {
  return isObject(value) && value['contract'] === CONTRACT;
}

function checkPart(part: string, value: unknown): void {
  if (part === 'contract' || value === undefined) return;
  const members = PARTS[part];
  if (members === undefined) throw new Error(`exports an unknown part: ${part}`);
  if (part === 'webhook' && typeof value === 'function') return;
  if (!isObject(value)) throw new Error(`its part "${part}" must be an object`);
  const unknown = Object.keys(value).filter((name) => !members.includes(name));
  if (unknown.length > 0) throw new Error(`its part "${part}" has unknown members: ${unknown.join(', ')}`);
  if (part === 'webhook') checkWebhook(value);
}

function checkWebhook(rules: Readonly<Record<string, unknown>>): void {
  const { signature, events, forwardHeaders = [] } = rules;
  if (!Array.isArray(signature) || signature.length === 0) throw new Error('webhook.signature must hold at least one rule');
  for (const rule of signature) checkRule(rule);
  if (typeof events !== 'function') throw new Error('webhook.events must be a function');
  if (!Array.isArray(forwardHeaders) || !forwardHeaders.every(isHeaderName)) {
    throw new Error('webhook.forwardHeaders must hold header names in lower case');
  }
}

function checkRule(rule: unknown): void {
  const scheme = isObject(rule) ? rule['scheme'] : undefined;
  if (typeof scheme !== 'string' || !SCHEMES.includes(scheme))
    throw new Error(`webhook.signature has an unknown scheme: ${scheme}`);
  const header = isObject(rule) ? rule['header'] : undefined;
  if (header !== undefined && !isHeaderName(header)) throw new Error('webhook.signature must name headers in lower case');
}

function isHeaderName(name: unknown): boolean {
  return typeof name === 'string' && /^[a-z0-9-]+$/.test(name);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
