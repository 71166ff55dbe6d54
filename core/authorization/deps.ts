import type { LifecycleDeps } from '../lifecycle/deps.ts';

export type AuthorizationDeps = LifecycleDeps;
