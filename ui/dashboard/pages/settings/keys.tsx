import { useEnvironmentPath, useMay, useMayHoldSecrets } from '../../app/context.ts';
import { KeysSection } from '../../components/keys/keys-section.tsx';
import { ENVIRONMENT_PLANE } from '../../components/keys/plane.ts';
import { SettingsPage } from './settings-page.tsx';
import { t } from './texts.ts';

/** The section of the API keys, with which the application authenticates its requests. */
export function Keys() {
  const path = `${useEnvironmentPath()}/keys`;
  const mayChange = useMay('developer');
  const mayMake = useMayHoldSecrets();
  return (
    <SettingsPage>
      <KeysSection plane={ENVIRONMENT_PLANE} path={path} title={t('keys')} mayChange={mayChange} mayMake={mayMake} />
    </SettingsPage>
  );
}
