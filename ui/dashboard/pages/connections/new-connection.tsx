import { useState } from 'preact/hooks';
import { ApiError } from '../../../kit/api-error.ts';
import { useApp, useEnvironment } from '../../app/context.ts';
import type { Many, Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { usePolling } from '../../app/use-polling.ts';
import { useResource } from '../../app/use-resource.ts';
import { Note } from '../../components/note.tsx';
import type { Tags } from '../../components/tags.ts';
import { accountName, connectionName } from '../../components/whose.ts';
import { parameterOf } from './search-words.ts';
import { t } from './texts.ts';

type Row = Reply<'listConnectionRows'>['data'][number];

const LOOK_EVERY_MS = 2_000;

interface Wanted {
  readonly integration: string;
  readonly tags: Tags;
}

/** The newest of the wanted connections, when the user began to connect. */
interface Begun {
  readonly path: string;
  readonly newest: string | undefined;
}

/**
 * Looks for the connection that comes from a connect session, which is used in another tab or on another machine.
 *
 * @returns the connection once there is one, and the function that begins to look: from then on, only a newer one counts
 */
export function useNewConnection({ integration, tags }: Wanted) {
  const { client, resources } = useApp();
  const { name } = useEnvironment();
  const [begun, setBegun] = useState<Begun | undefined>();
  const newest = useResource<Many<Row>>(begun?.path ?? null).value?.data[0];
  const connection = newest?.connection_id === begun?.newest ? undefined : newest;
  usePolling(connection === undefined ? (begun?.path ?? null) : null, LOOK_EVERY_MS);
  const look = async () => {
    const named = Object.entries(tags).map(([key, value]) => [parameterOf(key), value]);
    const query = new URLSearchParams([['integration', integration], ['limit', '1'], ...named]);
    const path = `${pathOf(['api', 'ui', 'e', name, 'connection-rows'])}?${query}`;
    setBegun(undefined);
    try {
      const found = await client.read<Many<Row>>(path);
      resources.put(path, found);
      setBegun({ path, newest: found.data[0]?.connection_id });
    } catch (error) {
      // Only the message would be missing; what fails for the user as well is reported there.
      if (!(error instanceof ApiError)) throw error;
    }
  };
  return { connection, look };
}

/** Says as whom the user has connected, with a link to the connection. Its empty place is there before, for screen readers. */
export function NewConnection({ connection }: { readonly connection: Row | undefined }) {
  const { name } = useEnvironment();
  return (
    <div role="status">
      {connection && (
        <Note tone="ok">
          <p>
            {t('connected_as')}{' '}
            <a
              href={pathOf(['e', name, 'connections', connection.provider_config_key, connection.connection_id, 'overview'])}
              dir="auto"
            >
              {connection.provider_account ? accountName(connection.provider_account) : connectionName(connection)}
            </a>
          </p>
        </Note>
      )}
    </div>
  );
}
