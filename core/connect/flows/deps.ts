import type { LifecycleDeps } from '../deps.ts';

export type AuthorizationDeps = LifecycleDeps;
