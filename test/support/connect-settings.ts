import type { Knex } from 'knex';
import { updateConnectSettings } from '../../core/tenants/environments/connect-settings-store.ts';
import { updateEnvironment } from '../../core/tenants/environments/environment-store.ts';

/** Every connect setting, with values that are only preserved if text, bytes, empty lists and zero are distinguished. */
const EVERY_CONNECT_SETTING = {
  allowed_origins: ['https://app.example', 'http://localhost:3000'],
  return_urls: [],
  brand_name: 'Acme, "Ltd"',
  brand_logo: Buffer.from([0, 255, 92, 120]),
  brand_logo_type: 'png',
  brand_logo_hash: '0'.repeat(32),
  brand_color: '#0a7d4f',
  brand_radius: 0,
  brand_theme: 'dark',
  brand_language: 'pt-br',
};

/** Stores every connect setting, and a webhook URL, in the environment that the service creates at its first start. */
export async function storeEverySetting(db: Knex): Promise<void> {
  await updateEnvironment(db, 1, { webhook_url: 'https://app.example/hook', on_refresh: true });
  await updateConnectSettings(db, 1, EVERY_CONNECT_SETTING);
}
