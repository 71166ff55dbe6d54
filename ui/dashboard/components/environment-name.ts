import { t } from '../app/texts/en.ts';

/** Describes what is wrong with the name of an environment; undefined when it is valid. */
export function environmentNameFault(name: string): string | undefined {
  return /^[a-z0-9_-]{1,255}$/.test(name) ? undefined : t('environment_name_wrong');
}
