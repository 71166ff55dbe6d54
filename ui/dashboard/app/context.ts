import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Client } from './client.ts';
import type { Navigation } from './history.ts';
import type { Environment, Me, Role } from './replies.ts';
import type { Resources } from './resources.ts';
import type { Params } from './router.ts';

export interface App {
  readonly client: Client;
  readonly resources: Resources;
  readonly navigation: Navigation;
  /** Shows a confirmation for some seconds. Errors are shown where they happened instead. */
  readonly toast: (text: string) => void;
}

export const AppContext = createContext<App | undefined>(undefined);
export const MeContext = createContext<Me | undefined>(undefined);
export const ParamsContext = createContext<Params>({});
/** Opens the search for everything; undefined where there is no environment to search. */
export const OpenSearchContext = createContext<(() => void) | undefined>(undefined);

export function useApp(): App {
  return present(useContext(AppContext), 'the app');
}

/** Returns the member who has signed in. */
export function useMe(): Me {
  return present(useContext(MeContext), 'a page for members');
}

/** Returns the parameters of the page's address: `env`, `id`, … */
export function useParams(): Params {
  return useContext(ParamsContext);
}

/** Returns the environment of the page. */
export function useEnvironment(): Environment {
  const { env } = useParams();
  return present(
    useMe().environments.find(({ name }) => name === env),
    'the pages of an environment',
  );
}

/** Returns the function that opens the search for everything; undefined where there is none. */
export function useOpenSearch(): (() => void) | undefined {
  return useContext(OpenSearchContext);
}

const RANKS: Readonly<Record<Role, number>> = { viewer: 0, developer: 1, admin: 2 };

/** Returns whether the member has this role, or a higher one. */
export function useMay(role: Role): boolean {
  return RANKS[useMe().role] >= RANKS[role];
}

/** Returns whether the member may read and create secrets of the page's environment. In production, only admins may do so. */
export function useMayHoldSecrets(): boolean {
  return useMay(useEnvironment().is_production ? 'admin' : 'developer');
}

function present<T>(value: T | undefined, where: string): T {
  if (value === undefined) throw new Error(`used outside of ${where}`);
  return value;
}

/** Returns the common prefix of the environment's paths in the private interface. */
export function useEnvironmentPath(): string {
  return `api/ui/e/${encodeURIComponent(useEnvironment().name)}`;
}
