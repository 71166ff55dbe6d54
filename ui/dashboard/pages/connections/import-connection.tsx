import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Monogram } from '../../../kit/logo.tsx';
import { useApp, useEnvironment } from '../../app/context.ts';
import type { One, Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { useResource } from '../../app/use-resource.ts';
import { Card } from '../../components/card.tsx';
import { Failure } from '../../components/failure.tsx';
import { Note } from '../../components/note.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { authWord } from '../integrations/authentication.ts';
import { ImportForm } from './import-form.tsx';
import { ImportJson } from './import-json.tsx';
import { VARIANTS } from './import-variants.ts';
import { t } from './texts.ts';

type Integration = Pick<Reply<'getIntegrationsOverview'>['data'][number], 'unique_key' | 'display_name' | 'provider'>;
type Provider = Reply<'getProvider'>['data'];
type Imported = Reply<'importByHand'>['data'];

/** Imports existing credentials of the provider's type. They are kept only in the form, until they are sent. */
export function ImportConnection({ integration }: { readonly integration: Integration }) {
  const { client, resources } = useApp();
  const { name } = useEnvironment();
  const base = pathOf(['api', 'ui', 'e', name]);
  const provider = useResource<One<Provider>>(`${base}/${pathOf(['providers', integration.provider])}`);
  const [isJson, setJson] = useState(false);
  const [imported, setImported] = useState<Imported | undefined>();
  if (imported) return <Result {...imported} integration={integration} onAgain={() => setImported(undefined)} />;
  if (provider.value === undefined)
    return provider.error ? <Failure error={provider.error} onRetry={provider.reload} /> : <Skeleton rows={4} />;
  const type = provider.value.data.auth_mode;
  if (!(type in VARIANTS)) return <Impossible integration={integration} type={type} />;
  const send = async (body: object) => {
    const { data } = await client.send<One<Imported>>('POST', `${base}/connections/import`, body);
    resources.invalidate(`${base}/`);
    setImported(data);
  };
  const Way = isJson ? ImportJson : ImportForm;
  return (
    <Card
      title={t('credentials', { type: authWord(type) })}
      aside={
        <button type="button" class="btn quiet" onClick={() => setJson(!isJson)}>
          {t(isJson ? 'as_form' : 'as_json')}
        </button>
      }
    >
      <Way integration={integration.unique_key} type={type} send={send} />
    </Card>
  );
}

function Impossible({ integration, type }: { readonly integration: Integration; readonly type: string }) {
  const { name } = useEnvironment();
  const test = `${pathOf(['e', name, 'connections', 'new'])}?${new URLSearchParams({ integration: integration.unique_key })}`;
  return (
    <Note tone="plain">
      <p>{t('import_not', { name: integration.display_name, type: authWord(type) })}</p>
      <a class="btn" href={test}>
        {t('test')}
      </a>
    </Note>
  );
}

interface ResultProps extends Imported {
  /** The integration that was chosen on the page; typed JSON may have named another. */
  readonly integration: Integration;
  readonly onAgain: () => void;
}

function Result({ connection_id: id, provider_config_key: key, integration, onAgain }: ResultProps) {
  const { name } = useEnvironment();
  const link = useRef<HTMLAnchorElement>(null);
  // The button that had the focus is gone, so the focus moves to the link.
  useLayoutEffect(() => link.current?.focus(), []);
  return (
    <Card
      title={t('imported')}
      aside={
        <button type="button" class="btn" onClick={onAgain}>
          {t('import_another')}
        </button>
      }
    >
      <p class="faced" role="status">
        <Monogram name={id} />
        <span class="two">
          <a ref={link} title={id} href={pathOf(['e', name, 'connections', key, id, 'overview'])}>
            {id}
          </a>
          <span class="small faint">{key === integration.unique_key ? integration.display_name : key}</span>
        </span>
      </p>
    </Card>
  );
}
