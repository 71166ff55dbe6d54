import { KeysSection } from '../../components/keys/keys-section.tsx';
import { ACCOUNT_PLANE } from '../../components/keys/plane.ts';
import { AdminPage } from './account-page.tsx';
import { t } from './texts.ts';

/** The API keys of the account, which can create environments and their keys. */
export function Keys() {
  return (
    <AdminPage>
      {() => (
        <div class="stack">
          <p class="soft">{t('keys_lead')}</p>
          <KeysSection plane={ACCOUNT_PLANE} path="api/ui/account/keys" title={t('keys')} mayChange mayMake />
        </div>
      )}
    </AdminPage>
  );
}
