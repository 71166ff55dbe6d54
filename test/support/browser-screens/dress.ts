import type { ConnectSettingsChanges } from '../../../core/tenants/environments/connect-settings-store.ts';
import { de } from '../../../ui/connect/texts/de.ts';
import { en, type Texts } from '../../../ui/connect/texts/en.ts';
import { ja } from '../../../ui/connect/texts/ja.ts';

/** How an installation looks on screens: its language, its brand, and the names of integrations and people. */
export interface Dress {
  readonly texts: Texts;
  /** A BCP 47 language tag. */
  readonly locale: string;
  readonly brand: ConnectSettingsChanges & { readonly brand_name: string };
  /** The display names of the integrations, by key. */
  readonly names: Readonly<Record<'notes' | 'desk' | 'sites' | 'open', string>>;
  /** The provider account with which the end user signs in. */
  readonly account: { readonly id: string; readonly name: string; readonly email: string };
  /** The end user who connects that account. */
  readonly person: { readonly end_user_id: string; readonly end_user_email: string };
  /** The names of the tenants among which the end user chooses. */
  readonly sites: readonly string[];
}

/** An English installation without anything unusual. */
export const PLAIN: Dress = {
  texts: en,
  locale: 'en',
  brand: { brand_name: 'Northwind' },
  names: { notes: 'Acme Desk', desk: 'Flowboard', sites: 'Calendary', open: 'Open Weather' },
  account: { id: 'ada', name: 'Ada Lovelace', email: 'ada@northwind.example' },
  person: { end_user_id: 'u-1', end_user_email: 'ada@example.com' },
  sites: ['northwind-emea', 'northwind-us', 'northwind-apac'],
};

/** A German installation with names of about 60 characters or more, and a brand color that would make white text illegible. */
export const GERMAN: Dress = {
  texts: de,
  locale: 'de',
  brand: {
    brand_name: 'Nordwind Verwaltungs- und Beteiligungsgesellschaft mbH & Co. KG',
    brand_color: '#ffee00',
    brand_radius: 4,
  },
  names: {
    notes: 'Aufgabenverwaltungszentrale für mittelständische Unternehmen GmbH',
    desk: 'Rechtsschutzversicherungsgesellschaftenverzeichnis Süddeutschland',
    sites: 'Kraftfahrzeughaftpflichtversicherungsvergleichsrechner',
    open: 'Donaudampfschifffahrtsgesellschaftskapitänsverzeichnis',
  },
  account: {
    id: 'max',
    name: 'Prof. Dr. Maximiliane Freifrau von Hohenstein-Wittelsbach',
    email: 'maximiliane.freifrau.von.hohenstein@nordwind-verwaltungsgesellschaft.example',
  },
  person: { end_user_id: 'u-1', end_user_email: 'maximiliane.freifrau.von.hohenstein@nordwind-verwaltungsgesellschaft.example' },
  sites: [
    'Nordwind Hauptniederlassung Süddeutschland und Österreich, Abteilung Wirtschaftsprüfung',
    'Grundstücksverkehrsgenehmigungszuständigkeitsübertragungsverordnung',
    'nordwind-emea',
    'nordwind-us',
    'nordwind-apac',
    'Team Ägypten',
    'サイト一覧',
    'Личный кабинет',
    'فريق الرياض',
  ],
};

/** A Japanese installation, whose texts have no spaces at which lines could break, with another brand color. */
export const JAPANESE: Dress = {
  texts: ja,
  locale: 'ja',
  brand: { brand_name: 'ノースウィンド株式会社', brand_color: '#0f766e', brand_radius: 16 },
  names: {
    notes: '株式会社サンプル勤怠管理クラウド連携サービス',
    desk: '全国中小企業向け会計帳簿自動化プラットフォーム',
    sites: '予約管理システム「みんなの予定表」',
    open: '気象情報オープンデータ',
  },
  account: { id: 'hanako', name: '山田花子', email: 'hanako.yamada@northwind.example' },
  person: { end_user_id: 'u-1', end_user_email: 'hanako.yamada@example.jp' },
  sites: ['東京本社営業部第一営業課関東地区担当', '大阪支社', '札幌支社'],
};
