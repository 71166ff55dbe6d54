import { useMay } from '../../app/context.ts';
import { FailingTargets } from './failing-targets.tsx';
import { Messages } from './messages.tsx';
import { LoadedSettings, SettingsPage } from './settings-page.tsx';
import { SigningKey } from './signing-key.tsx';
import { StoredTargets, Targets } from './webhook-targets.tsx';

/** The section of the webhooks: their targets, and the webhooks that were sent. */
export function Webhooks() {
  const mayChange = useMay('developer');
  return (
    <SettingsPage>
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
        <Messages />
      </div>
    </SettingsPage>
  );
}
