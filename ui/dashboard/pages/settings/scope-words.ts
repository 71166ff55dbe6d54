import type { Reply } from '../../wire.ts';
import { t } from './texts.ts';

export type Key = Reply<'listKeys'>['data'][number];
export type NewKey = Reply<'createKey'>['data'];

/** What keys are usually for. */
export const PRESETS = {
  full: ['environment:*'],
  connect: ['environment:connect_sessions:write'],
  backend: [
    'environment:connections:list',
    'environment:connections:read',
    'environment:connect_sessions:write',
    'environment:proxy',
    'environment:integrations:list',
  ],
  read: [
    'environment:integrations:list',
    'environment:integrations:read',
    'environment:connections:list',
    'environment:connections:read',
    'environment:scripts:list',
    'environment:logs:read',
    'environment:webhooks:read',
  ],
} as const;

export type Preset = keyof typeof PRESETS;

/** As people say it, where they do; else the scopes themselves. */
export function inWords(scopes: readonly string[]): string {
  const text = [...scopes].sort().join();
  const preset = (Object.keys(PRESETS) as Preset[]).find((name) => [...PRESETS[name]].sort().join() === text);
  return preset === undefined ? scopes.map((scope) => scope.replace('environment:', '')).join(', ') : t(`preset_${preset}`);
}
