import { useMay } from '../../app/context.ts';
import { LoadedSettings } from '../../components/loaded-settings.tsx';
import { FailingTargets } from './failing-targets.tsx';
import { SigningKey } from './signing-key.tsx';
import { StoredTargets, Targets } from './targets.tsx';
import { TestMenu } from './test-menu.tsx';
import { WebhooksPage } from './webhooks-page.tsx';

/** Where webhooks go: the targets with their state, the events that send webhooks, and the key that signs them. */
export function Endpoints() {
  const mayChange = useMay('developer');
  return (
    <WebhooksPage part="endpoints" actions={mayChange && <TestMenu />}>
      <div class="stack">
        <LoadedSettings>
          {(settings) => (
            <>
              <FailingTargets {...settings} />
              {mayChange ? <Targets {...settings} /> : <StoredTargets {...settings} />}
            </>
          )}
        </LoadedSettings>
        {mayChange && <SigningKey />}
      </div>
    </WebhooksPage>
  );
}
