import { pathOf } from '../app/router.ts';

/** Returns the address of an environment's log page. @param filters filters of that page */
export function logsPath(environment: string, filters: Readonly<Record<string, string>> | URLSearchParams): string {
  return `${pathOf(['e', environment, 'logs'])}?${new URLSearchParams(filters)}`;
}
