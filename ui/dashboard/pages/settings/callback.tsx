import { useMay, useMayHoldSecrets } from '../../app/context.ts';
import { Card } from '../../components/card.tsx';
import { Copyable } from '../../components/copy-button.tsx';
import { LoadedSettings } from '../../components/loaded-settings.tsx';
import { OwnCallback, Redirect } from './own-callback.tsx';
import { SettingsPage } from './settings-page.tsx';
import { t } from './texts.ts';

/** The section about the callback URL, to which providers send users back. */
export function Callback() {
  const mayChange = useMayHoldSecrets();
  const mayCheck = useMay('developer');
  return (
    <SettingsPage>
      <LoadedSettings>
        {(settings) => (
          <div class="stack narrow">
            <Card title={t('callback')}>
              <div class="stack">
                <p class="soft">{t('callback_effective')}</p>
                <Copyable text={settings.effective_callback_url} what={t('callback')} />
              </div>
            </Card>
            {mayCheck && !mayChange && <p class="soft">{t('callback_admins')}</p>}
            {mayChange ? <OwnCallback {...settings} /> : <Redirect from={settings.callback_url ?? ''} />}
          </div>
        )}
      </LoadedSettings>
    </SettingsPage>
  );
}
