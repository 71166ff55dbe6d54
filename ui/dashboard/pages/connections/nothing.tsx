import { useEnvironment, useMay, useMe } from '../../app/context.ts';
import { pathOf } from '../../app/router.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { Empty } from '../../components/empty.tsx';
import { CALLS } from '../../components/snippets/calls.ts';
import { snippetsOf } from '../../components/snippets/languages.ts';
import { MadeLink, useConnectLink, useTestTags } from './connect-link.tsx';
import { t } from './texts.ts';

/**
 * What the page shows before the first connection.
 *
 * @param integration an integration to connect; undefined when there is none, so that a connect link would have nothing to offer
 */
export function Nothing({ integration }: { readonly integration: string | undefined }) {
  const { name } = useEnvironment();
  const link = useConnectLink({ tags: useTestTags() });
  const mayAdd = useMay('developer');
  return (
    <>
      <Empty title={t('empty')} hint={t('empty_hint')}>
        {mayAdd && (
          <>
            <a class="btn primary" href={pathOf(['e', name, 'connections', 'new'])}>
              {t('connect_test')}
            </a>
            {integration && (
              <button type="button" class="btn" disabled={link.isRunning} onClick={() => void link.run()}>
                {t('copy_link')}
              </button>
            )}
            <MadeLink {...link} />
          </>
        )}
      </Empty>
      {mayAdd && integration && <FromCode integration={integration} />}
    </>
  );
}

/** Code that creates a connect session, with which an application lets its users connect. */
function FromCode({ integration }: { readonly integration: string }) {
  const values = { baseUrl: useMe().base_url, integration, connectionId: '', path: '' };
  return (
    <div class="body stack">
      <div>
        <h2>{t('from_code')}</h2>
        <p class="soft">{t('from_code_hint')}</p>
      </div>
      <CodeBlock label={t('from_code')} snippets={snippetsOf(CALLS.session(values), values)} />
    </div>
  );
}
