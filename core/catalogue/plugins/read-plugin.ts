import type * as z from 'zod';
import { isObject, type ProviderPlugin, type WebhookRules } from '#contract';
import { pluginShape, webhookShape } from './plugin-shape.ts';

const CONTRACT = 1;

/** An error in a plugin, in words for its author that contain no path. */
export class PluginFault extends Error {
  override readonly name = 'PluginFault';
}

/** Checks what a `plugin.ts` exports. @throws PluginFault naming each property that is wrong, and what it should be */
export function readPlugin(loaded: unknown): ProviderPlugin {
  const plugin = isObject(loaded) ? loaded['default'] : undefined;
  if (!isPlugin(plugin)) throw new PluginFault(`must export default { contract: ${CONTRACT}, … }`);
  check(pluginShape, plugin, []);
  if (plugin.webhook !== undefined && typeof plugin.webhook !== 'function') checkWebhookRules(plugin.webhook);
  return plugin;
}

/** Checks the webhook rules that a plugin exports, or creates for a provider. @throws PluginFault as `readPlugin` */
export function checkWebhookRules(rules: unknown): asserts rules is WebhookRules {
  check(webhookShape, rules, ['webhook']);
}

function check(shape: z.ZodType, value: unknown, at: readonly string[]): void {
  const { error } = shape.safeParse(value);
  if (error !== undefined) throw new PluginFault(error.issues.map((issue) => sentence(issue, at)).join('; '));
}

function sentence(issue: z.core.$ZodIssue, at: readonly string[]): string {
  const path = [...at, ...issue.path.map(String)].join('.');
  if (issue.code !== 'unrecognized_keys') return `${path} ${issue.message}`;
  const names = issue.keys.join(', ');
  return path === '' ? `exports an unknown part: ${names}` : `its part "${path}" has unknown properties: ${names}`;
}

function isPlugin(value: unknown): value is ProviderPlugin {
  return isObject(value) && value['contract'] === CONTRACT;
}
