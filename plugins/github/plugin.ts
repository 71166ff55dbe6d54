import type { ProviderPlugin } from '#contract';
import { findUser } from './account.ts';

export default { contract: 1, connection: { afterAuthorization: findUser } } satisfies ProviderPlugin;
