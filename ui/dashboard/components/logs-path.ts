import { pathOf } from '../app/router.ts';

/** Of the log of an environment. @param filters as its page takes them */
export function logsPath(environment: string, filters: Readonly<Record<string, string>> | URLSearchParams): string {
  return `${pathOf(['e', environment, 'logs'])}?${new URLSearchParams(filters)}`;
}
