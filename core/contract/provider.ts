import * as z from 'zod';
import { requireApi } from './definition/api-calls.ts';
import { requireBoundHosts } from './definition/bound-hosts.ts';
import { requireKeyPlace } from './definition/key-settings.ts';
import { members, type ProviderDefinition } from './definition/members.ts';
import { requireSecretPlaces } from './definition/secret-places.ts';
import { checkSteps } from './definition/step-rules.ts';

export type { ProviderDefinition } from './definition/members.ts';
export { SLUG } from './definition/parts.ts';

/** The rules of an auth mode for definitions. */
export interface ModeRules {
  readonly name: string;
  /** Fields that a definition of this mode must have. */
  readonly requires?: readonly (keyof ProviderDefinition)[];
}

/** `provider.json`, strictly: unknown fields are rejected, and so are hosts that a user could choose freely. */
export function providerSchema(modes: readonly ModeRules[]) {
  const auth_mode = z.enum(modes.map(({ name }) => name)).describe('how connections are authorized');
  const required = new Map(modes.map(({ name, requires = [] }) => [name, requires]));
  return members
    .extend({ auth_mode })
    .superRefine((definition, check) => {
      for (const field of required.get(definition.auth_mode) ?? []) {
        if (definition[field] === undefined)
          check.addIssue({ code: 'custom', path: [field], message: `${field} is required for ${definition.auth_mode}` });
      }
    })
    .superRefine(requireApi)
    .superRefine(requireKeyPlace)
    .superRefine(requireBoundHosts)
    .superRefine(requireSecretPlaces)
    .superRefine(checkSteps);
}
