import * as z from 'zod';
import { members, type ProviderDefinition } from './definition/members.ts';
import {
  checkSteps,
  requireApi,
  requireBoundHosts,
  requireFixedOwner,
  requireKeyPlace,
  requireSandboxPaths,
  requireSecretPlaces,
  requireWholeMaps,
} from './definition/rules.ts';

export type { ProviderDefinition } from './definition/members.ts';
export { SLUG } from './definition/parts.ts';

/** Properties of `provider.json` that only some auth modes read, and that would have no effect in others. */
const TOKEN_MEMBERS = ['token_params', 'refresh_params', 'token_headers', 'revocation_url'] as const;

/** The properties that an auth mode requires of definitions. */
export interface ModeRules {
  readonly name: string;
  /** Properties that a definition of this mode must have. */
  readonly requires?: readonly (keyof ProviderDefinition)[];
  /** A property that makes the required ones unnecessary, because missing values are discovered through it. */
  readonly standIn?: keyof ProviderDefinition;
  /** Properties of which a definition of this mode must have exactly one. */
  readonly requiresOneOf?: readonly (keyof ProviderDefinition)[];
  /** The `TOKEN_MEMBERS` that a definition of this mode may have. Default: none. */
  readonly reads?: readonly (typeof TOKEN_MEMBERS)[number][];
}

/**
 * Returns the strict schema of `provider.json`: unknown properties are rejected, and so are hosts that a user could choose
 * freely.
 */
export function providerSchema(modes: readonly ModeRules[]) {
  const auth_mode = z.enum(modes.map(({ name }) => name)).describe('how connections are authorized');
  const rules = new Map(modes.map((mode) => [mode.name, mode]));
  return members
    .extend({ auth_mode })
    .superRefine((definition, check) => requireMembers(rules.get(definition.auth_mode), definition, check))
    .superRefine((definition, check) => refuseUnread(rules.get(definition.auth_mode), definition, check))
    .superRefine(requireApi)
    .superRefine(requireKeyPlace)
    .superRefine(requireFixedOwner)
    .superRefine(requireWholeMaps)
    .superRefine(requireBoundHosts)
    .superRefine(requireSecretPlaces)
    .superRefine(requireSandboxPaths)
    .superRefine(checkSteps);
}

function requireMembers(mode: ModeRules | undefined, definition: ProviderDefinition, check: z.core.$RefinementCtx): void {
  const { requires = [], standIn, requiresOneOf: choices = [] } = mode ?? {};
  const isMissing = (field: keyof ProviderDefinition) => definition[field] === undefined;
  const isReplaced = standIn !== undefined && !isMissing(standIn);
  const needed = new Set([
    ...(isReplaced ? [] : requires),
    ...(definition.assertion === undefined ? [] : (['token_url'] as const)),
  ]);
  for (const field of [...needed].filter(isMissing))
    check.addIssue({
      code: 'custom',
      path: [field],
      message: `${field} is required for ${definition.auth_mode}${standIn === undefined ? '' : ` without ${standIn}`}`,
    });
  if (choices.length > 0 && choices.filter((field) => !isMissing(field)).length !== 1)
    check.addIssue({ code: 'custom', message: `${definition.auth_mode} needs either ${choices.join(' or ')}` });
}

function refuseUnread(mode: ModeRules | undefined, definition: ProviderDefinition, check: z.core.$RefinementCtx): void {
  const { reads = [] } = mode ?? {};
  for (const field of TOKEN_MEMBERS.filter((member) => definition[member] !== undefined && !reads.includes(member)))
    check.addIssue({ code: 'custom', path: [field], message: `${field} has no effect in ${definition.auth_mode}` });
}
