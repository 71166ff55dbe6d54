import type { ProviderPlugin } from '#contract';
import { findOrganization } from './organization.ts';

export default { contract: 1, connection: { afterAuthorization: findOrganization } } satisfies ProviderPlugin;
