const ENTRY = {
  sequence: 2,
  at: '2026-11-20T16:20:05.123Z',
  environment: 'dev',
  actor: { kind: 'member', id: '1', name: 'ada@acme.example' },
  action: 'connection.reveal',
  subject: { type: 'connection', id: '<img src=x onerror=alert(1)>', name: null },
  facts: { integration: 'jira' },
  address: '192.0.2.14',
};
const KEY_ACTOR = { kind: 'api_key', id: '7', name: 'backend' };
/** Entries of several kinds, one of them of a newer service. */
export const AUDIT_ENTRIES = [
  { ...ENTRY, sequence: 6 },
  {
    ...ENTRY,
    sequence: 5,
    actor: KEY_ACTOR,
    action: 'integration.update',
    subject: { type: 'integration', id: 'notes', name: 'Notes' },
    facts: { given: ['display_name', ...Array.from({ length: 12 }, (_, at) => `integration_config.address_${at}`)] },
  },
  {
    ...ENTRY,
    sequence: 4,
    environment: null,
    action: 'member.update',
    subject: { type: 'member', id: '2', name: 'grace@northwind.example' },
    facts: { role: 'developer' },
  },
  { ...ENTRY, sequence: 3, environment: null, action: 'member.sign_in', facts: { factor: 'passkey' } },
  {
    ...ENTRY,
    sequence: 2,
    environment: null,
    actor: { kind: 'cli', id: null, name: 'root' },
    action: 'encryption_keys.rotate',
    subject: { type: 'encryption_keys', id: null, name: null },
    facts: { encrypts: 'k2', retired: ['k1'], dropped: [] },
    address: null,
  },
  { ...ENTRY, sequence: 1, action: 'of.tomorrow', facts: {}, address: null },
];
