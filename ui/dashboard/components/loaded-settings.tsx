import type { ComponentChildren } from 'preact';
import { useEnvironmentPath } from '../app/context.ts';
import type { Reply } from '../app/replies.ts';
import { useResource } from '../app/use-resource.ts';
import { Failure } from './failure.tsx';
import { Skeleton } from './skeleton.tsx';

export type Settings = Reply<'getSettings'>['data'];

/** Returns the settings of the environment; undefined until they are loaded. */
export function useSettings(): Settings | undefined {
  return useResource<Reply<'getSettings'>>(`${useEnvironmentPath()}/settings`).value?.data;
}

/** Loads the settings for a part of a page that shows some of them. */
export function LoadedSettings({ children }: { readonly children: (settings: Settings) => ComponentChildren }) {
  const { value, error, reload } = useResource<Reply<'getSettings'>>(`${useEnvironmentPath()}/settings`);
  if (value !== undefined) return <>{children(value.data)}</>;
  return error === undefined ? <Skeleton rows={5} /> : <Failure error={error} onRetry={reload} />;
}
